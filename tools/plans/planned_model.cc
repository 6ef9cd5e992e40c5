#include "tools/plans/planned_model.h"

#include <algorithm>

#include "tools/memory/memory_need.h"
#include "tools/text/operator_text.h"
#include "tools/text/sentences.h"

namespace arenaproof {
namespace {

void DescribeRefused(const ValidatedModel& model, const PlanningKernels& kernels,
                     const std::optional<OfflineOverlap>& overlap, PlannedModel& planned) {
  const MemoryNeed need = MeasureMemory(model, kernels.set(), {.set_up = {.offline_plan = {.ignore = true}}});
  if (!need.status.ok()) return;
  planned.refused = DescribeRefusedPlan(ProblemOfModel(model, need.plan, OwnPlan::kKept), planned.status, overlap);
  if (!planned.refused) return;
  planned.plan = need.plan;
  for (std::size_t i = 0; i < planned.plan.size(); ++i) {
    planned.plan[i].offset = static_cast<std::size_t>(std::max<std::int64_t>(0, *planned.refused->offsets[i]));
  }
  planned.head_bytes = HeadBytesOf(planned.plan);
}

bool IsAboutTypes(StatusCode code) {
  return code == StatusCode::kKernelType || code == StatusCode::kKernelUnsupportedType;
}

}  // namespace

std::string CompleteKernels(const KernelSet& set, const ValidatedModel& model, const std::vector<std::string>& scratch,
                            PlanningKernels& kernels) {
  kernels.Complete(set, model);
  for (bool changed = true; changed;) {
    const MemoryNeed need = MeasureMemory(model, kernels.set(), {.set_up = {.offline_plan = {.ignore = true}}});
    changed = IsAboutTypes(need.status.code) && need.location.known() &&
              kernels.StandInFor(need.location, Sentence(need.status));
  }
  return kernels.TakeScratch(scratch);
}

std::size_t HeadBytesOf(std::span<const PlanEntry> plan) {
  std::size_t head_bytes = 0;
  for (const PlanEntry& entry : plan) head_bytes = std::max(head_bytes, entry.offset + (entry.bytes + 15) / 16 * 16);
  return head_bytes;
}

PlannedModel SetUpForPlanning(const ValidatedModel& model, const PlanningKernels& kernels, OwnPlan own_plan,
                              SharingQuestion* sharing, bool strict) {
  OfflinePlanRecorder recorder;
  MemoryQuestion question;
  question.set_up.offline_plan = {.listener = &recorder, .ignore = own_plan == OwnPlan::kIgnored, .strict = strict};
  question.set_up.offline_plan.trust = own_plan == OwnPlan::kTrusted;
  question.set_up.sharing = sharing;
  const MemoryNeed need = MeasureMemory(model, kernels.set(), question);
  PlannedModel planned;
  planned.status = need.status;
  planned.location = need.location;
  if (!need.status.ok()) {
    planned.problem = Located(need.location, recorder.RefusalSentence(model, need.status));
    if (own_plan != OwnPlan::kIgnored) DescribeRefused(model, kernels, recorder.refused_overlap(), planned);
    return planned;
  }
  planned.plan = need.plan;
  planned.head_bytes = need.head_bytes;
  planned.offline_plan = MakeOfflinePlanReport(model, recorder);
  return planned;
}

}  // namespace arenaproof
