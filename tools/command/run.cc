#include "tools/command/run.h"

#include <algorithm>

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_need.h"
#include "tools/memory/memory_record_text.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/given_inputs.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/model/operator_board.h"
#include "tools/model/plan_recorder.h"
#include "tools/model/unproduced_tensors.h"
#include "tools/text/operator_text.h"
#include "tools/text/refusal_status.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

TensorValue ValueOf(const ModelView& model, std::int32_t tensor, std::span<const std::byte> bytes) {
  const TensorView view = model.tensor(0, static_cast<std::size_t>(tensor));
  return {tensor,
          std::string(view.name),
          TensorTypeName(view.type),
          {view.shape.begin(), view.shape.end()},
          {bytes.begin(), bytes.end()}};
}

// The plan, for the report; the operators, for whoever waits for it.
class RunObserver final : public PlanRecorder {
 public:
  void OnOperatorBegins(const OperatorScope& scope) override { BoardOfParent().Begin(scope); }
  void OnOperatorEnds() override { BoardOfParent().End(); }
};

void RecordCategories(const ModelAllocator& allocator, RunResult* result) {
  result->record_text = MemoryRecordText(allocator);
  for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
    const auto category = static_cast<MemoryCategory>(i);
    const RecordedMemory& memory = allocator.record()->of(category);
    result->record.push_back({MemoryCategoryName(category), MemoryCategoryWord(category), memory.requested_bytes,
                              memory.used_bytes, memory.count});
  }
}

// What these options add to a device's set-up.
std::string BeyondADevice(const RunOptions& options) {
  std::string text;
  if (options.all_tensors) text = "every tensor kept apart (--all-tensors)";
  if (options.record) text += (text.empty() ? "" : " and ") + std::string("the record (--record)");
  return text;
}

}  // namespace

ExitStatus StatusOf(const RunResult& result) {
  if (!result.problem.empty()) return result.problem_status;
  const bool as_expected = std::all_of(result.compared.begin(), result.compared.end(),
                                       [](const ComparedOutput& output) { return output.different_count == 0; });
  return as_expected ? ExitStatus::kClean : ExitStatus::kViolations;
}

RunResult RunModel(const RunOptions& options, const ValidatedModel& model, const KernelSet& kernels) {
  RunResult result;
  GivenInputs inputs;
  ValuesByPosition expected;
  result.problem = inputs.Read(options.inputs, model);
  if (result.problem.empty()) {
    result.problem =
        ReadTensorFiles(options.expected, model, {"--expect", "output", model.outputs(0), true}, &expected);
  }
  if (!result.problem.empty()) {
    result.refused = RefusedWith(ToolRefusal::kInputFile);
    return result;
  }
  for (const auto& [index, bytes] : expected) {
    const auto tensor = static_cast<std::size_t>(model.outputs(0)[index]);
    result.problem = WhyNotComparable(TensorTypeName(model.tensor(0, tensor).type), index, options.tolerance);
    if (result.problem.empty()) continue;
    result.refused = RefusedWith(ToolRefusal::kTolerance);
    return result;
  }
  ChosenPlanner planner;
  result.problem = planner.Choose(options.planner, !options.no_sharing);
  if (!result.problem.empty()) {
    result.refused = RefusedWith(ToolRefusal::kPlannerUnusable);
    return result;
  }
  OfflinePlanRecorder offline_plan;
  InterpreterOptions chosen = ForModel(model, InterpreterOptionsOf(options, planner, &offline_plan));
  if (options.all_tensors) chosen.preserve_all_tensors = true;
  chosen.offline_plan.ignore = options.all_tensors;  // its offsets let tensors share bytes
  chosen.record_memory = options.record;
  ArenaSizes sizes{options.arena_bytes.value_or(0), options.persistent_arena_bytes.value_or(0), options.two_arenas};
  if (!options.arena_bytes || (options.two_arenas && !options.persistent_arena_bytes)) {
    const MemoryNeed need = MeasureMemory(model, kernels, {.two_arenas = options.two_arenas, .set_up = chosen});
    if (!need.status.ok()) {
      result.problem = InFile(
          options.model, Located(need.location, planner.Refused(model, need.status,
                                                                offline_plan.RefusalSentence(model, need.status))));
      result.problem_status = ExitStatusOf(need.status);
      result.refused = RefusedWith(model, need.status, need.location);
      return result;
    }
    if (!options.arena_bytes) sizes.bytes = result.arena.need_bytes = need.need_bytes;
    if (options.two_arenas && !options.persistent_arena_bytes) {
      sizes.persistent_bytes = result.arena.persistent_need_bytes = need.persistent_need_bytes;
    }
  }
  HostArenas memory;
  if (!memory.Grow(sizes)) {
    result.problem =
        "there is no memory for an arena of " + std::to_string(sizes.bytes + sizes.persistent_bytes) + " bytes";
    result.refused = RefusedWith(ToolRefusal::kMemoryLimit);
    return result;
  }
  memory.Clear(sizes);
  RunObserver recorder;
  chosen.observer = &recorder;
  offline_plan.Clear();
  const auto interpreter = memory.MakeInterpreter(model, kernels, sizes, chosen);
  Status status = interpreter->AllocateTensors();
  if (status.ok()) {
    if (const std::string problem = inputs.Fill(interpreter->inputs(), options.seed); !problem.empty()) {
      result.problem = InFile(options.model, problem);
      result.refused = RefusedWith(ToolRefusal::kInputType);
      return result;
    }
    for (const Operand& input : interpreter->inputs()) {
      result.inputs.push_back(ValueOf(model, input.tensor_index, {input.data, input.bytes}));
    }
    ClearUnproducedTensors(model, *interpreter);
    status = interpreter->Invoke();
  }
  if (!status.ok()) {
    const bool given = options.arena_bytes || options.persistent_arena_bytes;
    const OperatorLocation location = EndOfInvoke(status, interpreter->failed_operator());
    result.problem = InFile(
        options.model, Located(location, planner.Refused(model, status, offline_plan.RefusalSentence(model, status))));
    result.problem_status = ExitStatusOf(status);
    result.refused = RefusedWith(model, status, location);
    if (!given || !result.refused.larger_arena) return result;
    result.refused.arenas = FindSmallArenas(model, kernels, sizes, chosen);
    result.problem += result.refused.arenas.empty() ? kHintAtALargerArena : SmallArenasText(result.refused.arenas);
    return result;
  }
  result.plan = recorder.plan();
  result.sharing = recorder.sharing();
  result.offline_plan = MakeOfflinePlanReport(model, offline_plan);
  if (options.all_tensors) {
    result.offline_plan.summary = UnusedPlanText(model, "--all-tensors keeps every tensor apart");
  }
  result.arena.including = BeyondADevice(options);
  result.arena.arena_bytes = sizes.bytes;
  result.arena.persistent_arena_bytes = sizes.persistent_bytes;
  result.arena.used_bytes = interpreter->arena_used_bytes();
  result.arena.head_bytes = interpreter->head_bytes();
  result.arena.tail_bytes = interpreter->tail_bytes();
  if (options.record) RecordCategories(*interpreter->allocator(), &result);
  for (const Operand& output : interpreter->outputs()) {
    result.outputs.push_back(ValueOf(model, output.tensor_index, {output.data, output.bytes}));
  }
  for (const auto& [index, bytes] : expected) {
    result.compared.push_back(CompareOutput(result.outputs[index], index, bytes, options.tolerance));
  }
  for (std::size_t i = 0; options.all_tensors && i < model.tensor_count(0); ++i) {
    if (model.tensor(0, i).is_constant()) continue;
    std::span<std::byte> bytes;
    const auto tensor = static_cast<std::int32_t>(i);
    if (interpreter->TensorBytes(tensor, &bytes).ok()) result.tensors.push_back(ValueOf(model, tensor, bytes));
  }
  return result;
}

}  // namespace arenaproof
