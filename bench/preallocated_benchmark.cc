#include "bench/preallocated_benchmark.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "core/model/offline_plan.h"
#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/arena_memory.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

enum class Input { kCopiedAlone, kCopied, kPreallocated };

struct SensorBuffer {
  ArenaMemory memory;
  std::size_t bytes = 0;
};

void Measure(benchmark::State& state, const ModelFile& file, std::size_t arena_bytes, Input input) {
  ArenaMemory arena;
  if (!arena.Grow(arena_bytes)) return state.SkipWithError("no memory");
  const InterpreterOptions options = ForModel(file.view());
  std::vector<SensorBuffer> sensors;
  std::size_t copied_bytes = 0;
  {
    Interpreter sizes(file.model(), *FindKernelSet("reference"), arena.start(), arena_bytes, options);
    if (!sizes.AllocateTensors().ok()) return state.SkipWithError("set-up failed");
    InputGenerator generator(1);
    sensors = std::vector<SensorBuffer>(sizes.inputs().size());
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const Operand& operand = sizes.inputs()[i];
      sensors[i].bytes = operand.bytes;
      copied_bytes += operand.bytes;
      if (!sensors[i].memory.Grow(operand.bytes)) return state.SkipWithError("no memory");
      if (!generator.Fill(operand.type, {sensors[i].memory.start(), operand.bytes})) {
        return state.SkipWithError("no values for an input");
      }
    }
  }
  Interpreter interpreter(file.model(), *FindKernelSet("reference"), arena.start(), arena_bytes, options);
  const std::span<const std::int32_t> inputs = file.view().inputs(0);
  if (input == Input::kPreallocated) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!interpreter.RegisterPreallocatedTensor(0, inputs[i], sensors[i].memory.start(), sensors[i].bytes).ok()) {
        return state.SkipWithError("an input cannot be preallocated");
      }
    }
  }
  if (!interpreter.AllocateTensors().ok()) return state.SkipWithError("set-up failed");
  for (auto _ : state) {
    if (input != Input::kPreallocated) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::memcpy(interpreter.inputs()[i].data, sensors[i].memory.start(), sensors[i].bytes);
      }
      benchmark::ClobberMemory();
    }
    if (input != Input::kCopiedAlone && !interpreter.Invoke().ok()) return state.SkipWithError("invoke failed");
  }
  state.counters["input_bytes"] = static_cast<double>(copied_bytes);
  state.counters["head_bytes"] = static_cast<double>(interpreter.head_bytes());
}

}  // namespace

void RegisterPreallocatedBenchmarks(const std::string& name, const std::shared_ptr<ModelFile>& file,
                                    std::size_t arena_bytes) {
  for (const std::int32_t input : file->view().inputs(0)) {
    std::int32_t offset = kPlannedAtRunTime;
    const Status status = OfflineOffsetOf(file->view(), 0, static_cast<std::size_t>(input), &offset);
    if (!status.ok() || offset != kPlannedAtRunTime) return;
  }
  const auto add = [&](const std::string& prefix, Input input) {
    benchmark::RegisterBenchmark((prefix + name).c_str(), [file, arena_bytes, input](benchmark::State& state) {
      Measure(state, *file, arena_bytes, input);
    });
  };
  add("copy_input/", Input::kCopiedAlone);
  add("invoke_with_copy/", Input::kCopied);
  add("invoke_preallocated/", Input::kPreallocated);
}

}  // namespace arenaproof
