#include "tools/plans/planned_model.h"

#include "tools/memory/memory_need.h"
#include "tools/text/operator_text.h"

namespace arenaproof {

PlannedModel SetUpForPlanning(const ValidatedModel& model, const PlanningKernels& kernels, OwnPlan own_plan,
                              SharingQuestion* sharing, bool strict) {
  OfflinePlanRecorder recorder;
  MemoryQuestion question;
  question.set_up.offline_plan = {.listener = &recorder, .ignore = own_plan == OwnPlan::kIgnored, .strict = strict};
  question.set_up.sharing = sharing;
  const MemoryNeed need = MeasureMemory(model, kernels.set(), question);
  PlannedModel planned;
  planned.status = need.status;
  planned.location = need.location;
  if (!need.status.ok()) {
    planned.problem = Located(need.location, recorder.RefusalSentence(model, need.status));
    return planned;
  }
  planned.plan = need.plan;
  planned.head_bytes = need.head_bytes;
  planned.offline_plan = MakeOfflinePlanReport(model, recorder);
  return planned;
}

}  // namespace arenaproof
