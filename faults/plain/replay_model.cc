#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "core/model/offline_plan.h"
#include "core/model/validate.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/harness/model_pipeline/model_pipeline.h"
#include "engine/harness/model_pipeline/work_estimate.h"
#include "faults/plain/certifier_left_out.h"
#include "faults/plain/heap_block.h"
#include "faults/plain/replay.h"
#include "kernels/reference/reference_kernels.h"
#include "tools/memory/memory_need.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"
#include "tools/model/unproduced_tensors.h"

namespace arenaproof {
namespace {

constexpr std::uint64_t kMostSeedWork = 1 << 28;
std::size_t prepared_model_count = 0;

bool IsWritten(const ModelView& model, std::int32_t tensor) {
  for (std::size_t i = 0; i < model.operator_count(0); ++i) {
    if (std::ranges::count(model.operator_at(0, i).outputs, tensor) > 0) return true;
  }
  return std::ranges::count(model.inputs(0), tensor) > 0;
}

// An output without a producer holds whatever lay in the arena, so it is not computed with.
void PrintOutputs(const ModelView& model, const Interpreter& interpreter) {
  unsigned sum = 0;
  for (std::size_t index = 0; index < interpreter.outputs().size(); ++index) {
    if (!IsWritten(model, model.outputs(0)[index])) continue;
    const Operand& output = interpreter.outputs()[index];
    const auto* bytes = static_cast<const unsigned char*>(static_cast<const void*>(output.data));
    for (std::size_t i = 0; i < output.bytes; ++i) sum = sum * 31 + bytes[i];
  }
  std::printf("outputs %08x\n", sum);
}

// `work` bounds all invokes together, so that a loop without end ends.
void SetUpAndInvoke(const ValidatedModel& model, std::size_t arena_bytes, std::uint64_t work, std::uint32_t invokes) {
  const HeapBlock arena = AllocateBlock(64, arena_bytes);
  WorkBudget budget(model, work);
  const InterpreterOptions options = ForModel(model, {.cancellation = &budget});
  const auto interpreter = std::make_unique<Interpreter>(model, ReferenceKernels(), arena.get(), arena_bytes, options);
  if (!interpreter->AllocateTensors().ok()) return;
  ++prepared_model_count;
  for (std::uint32_t seed = 1; seed <= invokes; ++seed) {
    InputGenerator generator(seed);
    for (const Operand& input : interpreter->inputs()) {
      if (input.bytes == 0) continue;  // it may have no memory
      if (!generator.Fill(input.type, {input.data, input.bytes})) std::memset(input.data, 0, input.bytes);
    }
    ClearUnproducedTensors(model, *interpreter);
    if (!interpreter->Invoke().ok()) return;
    PrintOutputs(model, *interpreter);
  }
}

}  // namespace

std::size_t PreparedModelCount() { return prepared_model_count; }

void ReplayModel(InputBytes input, ModelArena arena) {
  if (arena == ModelArena::kOfTheFuzzTargets && input.size() > kMostModelBytes) return;
  const HeapBlock file = AllocateBlock(kModelAlignment, input.size());
  if (!input.empty()) std::memcpy(file.get(), input.data(), input.size());
  const KernelSetSupport support(ReferenceKernels());
  ValidationReport report;
  const std::optional<ValidatedModel> model = ValidatedModel::Open({file.get(), input.size()}, &report, &support);
  if (!model) return;
  OfflinePlanEntry entry;
  SetPlanIsFromFile(!LocateOfflinePlan(*model, &entry).ok() || entry.present);
  if (arena == ModelArena::kOfTheFuzzTargets) {
    SetUpAndInvoke(*model, kPipelineArenaBytes, kMostInvokeWork, 1);
    return;
  }
  const MemoryNeed need = MeasureMemory(*model, ReferenceKernels());
  if (need.status.ok()) SetUpAndInvoke(*model, need.need_bytes, kMostSeedWork, 2);
}

}  // namespace arenaproof
