#include "tools/command/plan_embedded.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/model/offline_plan.h"
#include "tools/command/written_file.h"
#include "tools/model/plan_embedding.h"
#include "tools/plans/plan_to_embed.h"

namespace arenaproof {
namespace {

EmbeddedPlan RefusedEmbedding(ToolRefusal refusal, std::string sentence) {
  EmbeddedPlan refused;
  refused.problem = std::move(sentence);
  refused.refused = RefusedWith(refusal);
  return refused;
}

// A set-up of the file that is about to be written.
PlannedModel SetUpOf(const PlannedSubject& subject, const std::vector<std::byte>& file) {
  std::vector<std::byte> storage(file.size() + kModelAlignment);
  std::byte* const start = AlignedStart(storage);
  std::memcpy(start, file.data(), file.size());
  ValidationReport report;
  const AnyOperator support;
  const auto model = ValidatedModel::Open({start, file.size()}, &report, &support);
  if (!model) throw std::runtime_error("the model with its new plan is not valid any more");
  return SetUpForPlanning(*model, subject.kernels(),
                          subject.problem().trusts_fixed ? OwnPlan::kTrusted : OwnPlan::kKept);
}

bool HoldsTo(const PlannedModel& planned, const MadePlan& plan) {
  if (!planned.problem.empty() || planned.plan.size() != plan.offsets.size()) return false;
  if (static_cast<std::int64_t>(planned.head_bytes) != plan.peak_bytes) return false;
  for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
    if (static_cast<std::int64_t>(planned.plan[i].offset) != *plan.offsets[i]) return false;
  }
  return true;
}

}  // namespace

EmbeddedPlan WriteWithPlan(const PlannedSubject& subject, const std::string& path, MadePlan& plan) {
  if (!subject.knows_all_scratch()) {
    return RefusedEmbedding(ToolRefusal::kScratchUnknown,
                            UnknownScratchText(subject.kernels()).front() +
                                ", and a plan that is embedded has to count it: --scratch=OPERATOR:BYTES states it");
  }
  if (!subject.problem().sharing.empty()) {
    return RefusedEmbedding(ToolRefusal::kEmbedding,
                            "the format of offline plans does not say which tensors lie in the bytes of others, and in "
                            "this plan some do; --no-sharing makes one without");
  }
  PlanToEmbed embedded = FixTensors(*subject.model(), subject.problem(), plan);
  if (!embedded.problem.empty()) return RefusedEmbedding(ToolRefusal::kEmbedding, embedded.problem);
  const RewrittenModel rewritten = EmbedPlan(*subject.model(), embedded.entries);
  if (!rewritten.problem.empty()) return RefusedEmbedding(ToolRefusal::kEmbedding, rewritten.problem);
  if (!HoldsTo(SetUpOf(subject, rewritten.bytes), embedded.device_plan)) {
    throw std::runtime_error("a set-up of the model with its new plan does not lead to that plan");
  }
  plan.offsets = std::move(embedded.device_plan.offsets);
  plan.peak_bytes = embedded.device_plan.peak_bytes;
  if (std::string problem = WriteWholeFile(path, rewritten.bytes); !problem.empty()) {
    return RefusedEmbedding(ToolRefusal::kOutputFiles, problem);
  }
  return {.problem = {},
          .refused = {},
          .head_bytes = static_cast<std::size_t>(plan.peak_bytes),
          .left_open = std::move(embedded.left_open)};
}

EmbeddedPlan WriteWithoutPlan(const PlannedSubject& subject, const std::string& path) {
  // By the name alone: a plan that is broken can be removed too.
  const ModelView& model = *subject.model();
  bool has_plan = false;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    has_plan = has_plan || model.metadata(i).name == kOfflinePlanName;
  }
  if (!has_plan) return RefusedEmbedding(ToolRefusal::kPlanMissing, "the model has no plan of its own to remove");
  const RewrittenModel rewritten = StripPlan(model);
  if (!rewritten.problem.empty()) return RefusedEmbedding(ToolRefusal::kEmbedding, rewritten.problem);
  const PlannedModel planned = SetUpOf(subject, rewritten.bytes);
  if (!planned.problem.empty() || !planned.offline_plan.summary.empty()) {
    throw std::runtime_error("a set-up of the model without its plan fails, or still finds one");
  }
  if (std::string problem = WriteWholeFile(path, rewritten.bytes); !problem.empty()) {
    return RefusedEmbedding(ToolRefusal::kOutputFiles, problem);
  }
  return {.problem = {}, .refused = {}, .head_bytes = planned.head_bytes, .left_open = {}};
}

}  // namespace arenaproof
