#include "bench/models_benchmark.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include "bench/preallocated_benchmark.h"
#include "bench/recording_observer.h"
#include "core/arena/silent_observer.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

const KernelSet& Kernels() { return *FindKernelSet("reference"); }

struct Subject {
  std::string name;
  std::shared_ptr<ModelFile> file;
  std::size_t arena_bytes = 0;
};

// One observer of each kind, alive as long as the interpreters.
struct Observers {
  SilentObserver silent;
  RecordingObserver recording;

  ArenaObserver* Named(const std::string& name) {
    if (name == "silent") return &silent;
    if (name == "recording") return &recording;
    return nullptr;
  }
};

void Validate(benchmark::State& state, const Subject& subject) {
  const KernelSetSupport support(Kernels());
  for (auto _ : state) {
    ValidationReport report;
    if (!ValidatedModel::Open(subject.file->bytes(), &report, &support)) {
      return state.SkipWithError("validation failed");
    }
  }
}

std::unique_ptr<Interpreter> MakeInterpreter(const Subject& subject, const ArenaMemory& memory,
                                             ArenaObserver* observer) {
  return std::make_unique<Interpreter>(subject.file->model(), Kernels(), memory.start(), subject.arena_bytes,
                                       ForModel(subject.file->view(), {.observer = observer}));
}

void SetUp(benchmark::State& state, const Subject& subject, const std::string& observer) {
  ArenaMemory memory;
  Observers observers;
  if (!memory.Grow(subject.arena_bytes)) return state.SkipWithError("no memory");
  for (auto _ : state) {
    const auto interpreter = MakeInterpreter(subject, memory, observers.Named(observer));
    if (!interpreter->AllocateTensors().ok()) return state.SkipWithError("set-up failed");
  }
}

void Invoke(benchmark::State& state, const Subject& subject, const std::string& observer) {
  ArenaMemory memory;
  Observers observers;
  if (!memory.Grow(subject.arena_bytes)) return state.SkipWithError("no memory");
  const auto interpreter = MakeInterpreter(subject, memory, observers.Named(observer));
  if (!interpreter->AllocateTensors().ok()) return state.SkipWithError("set-up failed");
  InputGenerator generator(1);
  for (const Operand& input : interpreter->inputs()) {
    if (!generator.Fill(input.type, {input.data, input.bytes})) return state.SkipWithError("no values for an input");
  }
  for (auto _ : state) {
    if (!interpreter->Invoke().ok()) return state.SkipWithError("invoke failed");
  }
}

void Register(const Subject& subject, bool with_observers) {
  benchmark::RegisterBenchmark(("validate/" + subject.name).c_str(),
                               [subject](benchmark::State& state) { Validate(state, subject); });
  for (const std::string observer : {"", "silent", "recording"}) {
    if (!observer.empty() && !with_observers) continue;
    const std::string name = subject.name + (observer.empty() ? "" : "/" + observer);
    benchmark::RegisterBenchmark(("set_up/" + name).c_str(),
                                 [=](benchmark::State& state) { SetUp(state, subject, observer); });
    benchmark::RegisterBenchmark(("invoke/" + name).c_str(),
                                 [=](benchmark::State& state) { Invoke(state, subject, observer); });
  }
}

std::vector<std::filesystem::path> ModelsIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::filesystem::path SharedModels() {
  const char* named = std::getenv("ARENAPROOF_SHARED");
  const auto beside = std::filesystem::path(ARENAPROOF_SOURCE_FOLDER).parent_path() / "shared";
  return (named != nullptr ? std::filesystem::path(named) : beside) / "models";
}

// Reads a model and gives it twice the arena that it needs, so that no benchmark depends on a tight fit.
std::string Load(const std::filesystem::path& path, Subject& subject) {
  const KernelSetSupport support(Kernels());
  subject.name = path.stem().string();
  subject.file = std::make_shared<ModelFile>();
  if (std::string problem = subject.file->Load(path, &support); !problem.empty()) return problem;
  const MemoryNeed need = MeasureMemory(subject.file->model(), Kernels());
  if (!need.status.ok()) return "'" + path.string() + "' cannot be set up";
  subject.arena_bytes = 2 * need.need_bytes;
  return {};
}

}  // namespace

std::string RegisterModelBenchmarks() {
  const auto own = ModelsIn(std::filesystem::path(ARENAPROOF_SOURCE_FOLDER) / "corpus" / "models");
  if (own.empty()) return "there are no models in corpus/models";
  for (const auto& path : own) {
    Subject subject;
    if (std::string problem = Load(path, subject); !problem.empty()) return problem;
    Register(subject, true);
    RegisterPreallocatedBenchmarks(subject.name, subject.file, subject.arena_bytes);
  }
  for (const auto& path : ModelsIn(SharedModels())) {
    Subject subject;
    if (const std::string problem = Load(path, subject); problem.empty()) {
      Register(subject, false);
      RegisterPreallocatedBenchmarks(subject.name, subject.file, subject.arena_bytes);
    } else {
      std::cerr << "left out: " << problem << "\n";
    }
  }
  return {};
}

}  // namespace arenaproof
