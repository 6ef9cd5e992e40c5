#include "tools/command/size.h"

#include <stdexcept>

#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/layout/dilating_planner.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/model_options.h"
#include "tools/text/operator_text.h"
#include "tools/text/refusal_status.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

Status TrySetUp(const ValidatedModel& model, const KernelSet& kernels, const MemoryQuestion& question,
                const ArenaSizes& sizes) {
  HostArenas memory;
  if (!memory.Grow(sizes)) return Failure(StatusCode::kLayoutMemory, sizes.bytes + sizes.persistent_bytes);
  DevicePlanner device;
  DilatingPlanner dilating(device.Of(question.set_up), question.set_up.offline_plan.trust);
  return memory.MakeInterpreter(model, kernels, sizes, MeasuredOptions(model, question, dilating))->AllocateTensors();
}

// A figure that does not hold is a fault of this program, never an answer.
void TryOut(const ValidatedModel& model, const KernelSet& kernels, const MemoryQuestion& question,
            const MemoryNeed& need) {
  const auto expect = [&](std::size_t bytes, std::size_t persistent_bytes, bool passes) {
    const ArenaSizes sizes{bytes, persistent_bytes, question.two_arenas};
    const Status status = TrySetUp(model, kernels, question, sizes);
    if (status.code == StatusCode::kLayoutMemory) return;  // this machine cannot try it
    if (status.ok() == passes && (passes || AsksForALargerArena(status))) return;
    throw std::runtime_error("the computed need of " + std::to_string(sizes.bytes) + " and " +
                             std::to_string(sizes.persistent_bytes) +
                             " bytes does not stand: " + (passes ? Sentence(status) : "one byte less does as well"));
  };
  expect(need.need_bytes, need.persistent_need_bytes, true);
  if (need.padding_by_chance_bytes == 0) expect(need.set_up_need_bytes - 1, need.persistent_need_bytes, false);
  if (question.two_arenas) expect(need.need_bytes, need.persistent_need_bytes - 1, false);
}

}  // namespace

SizeResult MeasureModel(const SizeOptions& options, const ValidatedModel& model, const KernelSet& kernels) {
  const WordSize word = options.target == "arm32" ? WordSize::k32 : WordSize::k64;
  SizeResult result;
  ChosenPlanner planner;
  result.problem = planner.Choose(options.planner, !options.no_sharing);
  if (!result.problem.empty()) {
    result.refused = RefusedWith(ToolRefusal::kPlannerUnusable);
    return result;
  }
  const auto measure = [&](Layout layout) {
    OfflinePlanRecorder offline_plan;
    MemoryQuestion question{layout, options.two_arenas, word, InterpreterOptionsOf(options, planner, &offline_plan),
                            kMaxArenaBytes / 2};
    MemoryNeed need = MeasureMemory(model, kernels, question);
    if (need.status.ok()) {
      result.offline_plan = MakeOfflinePlanReport(model, offline_plan);  // the same in both layouts
      question.set_up.offline_plan.listener = nullptr;
      if (word == kOwnWordSize) TryOut(model, kernels, question, need);
    } else {
      result.problem =
          Located(need.location, planner.Refused(model, need.status, offline_plan.RefusalSentence(model, need.status)));
      result.refused = RefusedWith(model, need.status, need.location);
      result.problem_status = ExitStatusOf(need.status);
    }
    return need;
  };
  result.faithful = measure(Layout::kFaithful);
  if (result.problem.empty() && word == kOwnWordSize) result.dilated = measure(Layout::kDilated);
  return result;
}

}  // namespace arenaproof
