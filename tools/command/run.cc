#include "tools/command/run.h"

#include <fstream>
#include <map>

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_need.h"
#include "tools/memory/memory_record_text.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/input_generator.h"
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

// INDEX:FILE of each --input, by index; a problem when one is malformed.
std::string ParseInputs(const std::vector<std::string>& texts, std::size_t input_count,
                        std::map<std::size_t, std::string>& files) {
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    const std::string index = text.substr(0, colon);
    if (colon == std::string::npos || index.empty() || index.size() > 6 ||
        index.find_first_not_of("0123456789") != std::string::npos || colon + 1 == text.size()) {
      return "--input=" + text + " is not of the form INDEX:FILE, such as 0:image.bin";
    }
    const std::size_t position = std::stoul(index);
    if (position >= input_count) {
      return "--input=" + text + " names input " + index + "; the model has " + std::to_string(input_count) +
             ", counted from 0";
    }
    if (!files.emplace(position, text.substr(colon + 1)).second) return "input " + index + " is given twice";
  }
  return {};
}

std::string FillFromFile(const std::string& path, std::size_t index, std::span<std::byte> bytes) {
  const std::string what = "it has to hold the " + Counted(static_cast<long long>(bytes.size()), "byte") +
                           " of input " + std::to_string(index);
  if (std::string problem = CannotRead(path, what); !problem.empty()) return problem;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff end = file.tellg();
  if (end < 0) return "'" + path + "' is of no known size; " + what;
  const auto size = static_cast<std::size_t>(end);
  if (size != bytes.size()) return "'" + path + "' has " + Counted(static_cast<long long>(size), "byte") + "; " + what;
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file ? std::string() : "'" + path + "' cannot be read to its end";
}

TensorValue ValueOf(const ModelView& model, std::int32_t tensor, std::span<const std::byte> bytes) {
  const TensorView view = model.tensor(0, static_cast<std::size_t>(tensor));
  return {tensor,
          std::string(view.name),
          TensorTypeName(view.type),
          {view.shape.begin(), view.shape.end()},
          {bytes.begin(), bytes.end()}};
}

std::string FillInputs(const RunOptions& options, const Interpreter& interpreter, RefusalFacts* refused) {
  std::map<std::size_t, std::string> files;
  *refused = RefusedWith(ToolRefusal::kInputFile);
  if (std::string problem = ParseInputs(options.inputs, interpreter.inputs().size(), files); !problem.empty()) {
    return problem;
  }
  InputGenerator generator(options.seed);
  for (std::size_t i = 0; i < interpreter.inputs().size(); ++i) {
    const Operand& input = interpreter.inputs()[i];
    if (const auto file = files.find(i); file != files.end()) {
      if (std::string problem = FillFromFile(file->second, i, {input.data, input.bytes}); !problem.empty()) {
        return problem;
      }
    } else if (!generator.Fill(input.type, {input.data, input.bytes})) {
      *refused = RefusedWith(ToolRefusal::kInputType);
      return InFile(options.model, "input " + std::to_string(i) + " has type " + TensorTypeName(input.type) +
                                       ", for which no values can be generated; give them with --input=" +
                                       std::to_string(i) + ":FILE");
    }
  }
  return {};
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

RunResult RunModel(const RunOptions& options, const ValidatedModel& model, const KernelSet& kernels) {
  RunResult result;
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
    result.problem = FillInputs(options, *interpreter, &result.refused);
    if (!result.problem.empty()) return result;
    for (const Operand& input : interpreter->inputs()) {
      result.inputs.push_back(ValueOf(model, input.tensor_index, {input.data, input.bytes}));
    }
    ClearUnproducedTensors(model, *interpreter);
    status = interpreter->Invoke();
  }
  if (!status.ok()) {
    const bool given = options.arena_bytes || options.persistent_arena_bytes;
    const OperatorLocation location = interpreter->failed_operator();
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
  for (std::size_t i = 0; options.all_tensors && i < model.tensor_count(0); ++i) {
    if (model.tensor(0, i).is_constant()) continue;
    std::span<std::byte> bytes;
    const auto tensor = static_cast<std::int32_t>(i);
    if (interpreter->TensorBytes(tensor, &bytes).ok()) result.tensors.push_back(ValueOf(model, tensor, bytes));
  }
  return result;
}

}  // namespace arenaproof
