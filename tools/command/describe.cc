#include "tools/command/describe.h"

#include <memory>
#include <utility>

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/model_options.h"
#include "tools/model/plan_recorder.h"
#include "tools/plans/planned_model.h"
#include "tools/text/operator_text.h"
#include "tools/text/refusal_status.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof {

void Describe(const ModelFile& file, const KernelSet& kernels, const SetUpOptions& set_up,
              const std::vector<std::string>& scratch, Description& description) {
  const ModelView& model = file.view();
  const ValidationReport& validation = file.validation();
  const bool sound = validation.status.ok() || validation.status.code == StatusCode::kModelUnsupported;
  if (sound) {
    description.lifetimes.resize(model.total_tensor_count());
    if (!ComputeLifetimes(model, description.lifetimes, {}, {}).ok()) description.lifetimes.clear();
  }
  if (!validation.status.ok()) {
    description.problem = ValidationSentence(validation);
    description.refused = RefusedWith(model, validation.status);
    description.lists_too_long = validation.status.code == StatusCode::kModelListWork;
    return;
  }
  description.problem = CompleteKernels(kernels, file.model(), scratch, description.kernels);
  if (!description.problem.empty()) {
    description.refused = RefusedWith(ToolRefusal::kScratchOption);
    return;
  }
  ChosenPlanner planner;
  description.problem = planner.Choose(set_up.planner, !set_up.no_sharing);
  if (!description.problem.empty()) {
    description.refused = RefusedWith(ToolRefusal::kPlannerUnusable);
    return;
  }
  OfflinePlanRecorder offline_plan;
  InterpreterOptions options = ForModel(model, InterpreterOptionsOf(set_up, planner, &offline_plan));
  const MemoryNeed need = MeasureMemory(file.model(), description.kernels.set(), {.set_up = options});
  Status status = need.status;
  ArenaMemory memory;
  description.head_bytes = need.head_bytes;
  if (status.ok() && !description.kernels.unserved().empty()) {
    description.plan = need.plan;
    description.sharing = need.sharing;
    description.offline_plan = MakeOfflinePlanReport(model, offline_plan);
  } else if (status.ok() && memory.Grow(need.need_bytes)) {
    PlanRecorder recorder;
    options.observer = &recorder;
    offline_plan.Clear();
    const auto interpreter =
        std::make_unique<Interpreter>(file.model(), kernels, memory.start(), need.need_bytes, options);
    status = interpreter->AllocateTensors();
    description.plan = recorder.plan();
    description.sharing = recorder.sharing();
    description.offline_plan = MakeOfflinePlanReport(model, offline_plan);
    description.arena = {.need_bytes = need.need_bytes,
                         .arena_bytes = need.need_bytes,
                         .used_bytes = interpreter->arena_used_bytes(),
                         .head_bytes = interpreter->head_bytes(),
                         .tail_bytes = interpreter->tail_bytes()};
  }
  if (!status.ok()) {
    description.problem =
        Located(need.location, planner.Refused(model, status, offline_plan.RefusalSentence(model, status)));
    description.problem_status = ExitStatusOf(status);
    description.refused = RefusedWith(model, status, need.location);
    if (description.problem_status != ExitStatus::kViolations) return;
    PlannedModel planned = SetUpForPlanning(file.model(), description.kernels, OwnPlan::kKept);
    if (!planned.refused) return;
    description.plan = std::move(planned.plan);
    description.head_bytes = planned.head_bytes;
  }
}

}  // namespace arenaproof
