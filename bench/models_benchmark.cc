// Set-up and invoke of every seed model, and what an observer that does nothing costs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "bench/silent_observer.h"
#include "core/runtime/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tools/arena_memory.h"
#include "tools/input_generator.h"
#include "tools/model_file.h"

namespace arenaproof {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 20;

struct Setting {
  std::shared_ptr<ModelFile> model;
  bool observed = false;
};

std::unique_ptr<Interpreter> MakeInterpreter(const Setting& setting, SilentObserver& observer, ArenaMemory& memory) {
  InterpreterOptions options;
  if (setting.observed) options.observer = &observer;
  return std::make_unique<Interpreter>(setting.model->view(), *FindKernelSet("reference"), memory.start(), kArenaBytes,
                                       options);
}

void SetUp(benchmark::State& state, const Setting& setting) {
  ArenaMemory memory;
  SilentObserver observer;
  if (!memory.Grow(kArenaBytes)) return state.SkipWithError("no memory");
  for (auto _ : state) {
    const auto interpreter = MakeInterpreter(setting, observer, memory);
    if (!interpreter->AllocateTensors().ok()) return state.SkipWithError("set-up failed");
  }
}

void Invoke(benchmark::State& state, const Setting& setting) {
  ArenaMemory memory;
  SilentObserver observer;
  if (!memory.Grow(kArenaBytes)) return state.SkipWithError("no memory");
  const auto interpreter = MakeInterpreter(setting, observer, memory);
  if (!interpreter->AllocateTensors().ok()) return state.SkipWithError("set-up failed");
  InputGenerator generator(1);
  for (const Operand& input : interpreter->inputs()) {
    if (!generator.Fill(input.type, {input.data, input.bytes})) return state.SkipWithError("no values for an input");
  }
  for (auto _ : state) {
    if (!interpreter->Invoke().ok()) return state.SkipWithError("invoke failed");
  }
}

}  // namespace

void RegisterModelBenchmarks() {
  const auto folder = std::filesystem::path(ARENAPROOF_SOURCE_FOLDER) / "corpus" / "models";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    const auto model = std::make_shared<ModelFile>();
    if (const std::string problem = model->Load(path, nullptr); !problem.empty()) {
      std::cerr << "left out: " << problem << "\n";
      continue;
    }
    const std::string name = path.stem().string();
    for (const bool observed : {false, true}) {
      const Setting setting{model, observed};
      const std::string suffix = observed ? name + "/observed" : name;
      benchmark::RegisterBenchmark(("set_up/" + suffix).c_str(), [setting](benchmark::State& s) { SetUp(s, setting); });
      benchmark::RegisterBenchmark(("invoke/" + suffix).c_str(),
                                   [setting](benchmark::State& s) { Invoke(s, setting); });
    }
  }
}

}  // namespace arenaproof

int main(int argument_count, char** arguments) {
  arenaproof::RegisterModelBenchmarks();
  benchmark::Initialize(&argument_count, arguments);
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
