#include "tools/command/plan_embedded.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/model/offline_plan.h"
#include "tools/command/written_file.h"
#include "tools/model/plan_embedding.h"

namespace arenaproof {
namespace {

EmbeddedPlan RefusedEmbedding(ToolRefusal refusal, std::string sentence) {
  EmbeddedPlan refused;
  refused.problem = std::move(sentence);
  refused.refused = RefusedWith(refusal);
  return refused;
}

// What a device plans when the tensors are where the plan has them.
MadePlan AroundFixedTensors(const PlannedSubject& subject, const MadePlan& plan) {
  LabelledProblem fixed = subject.problem();
  for (std::size_t i = 0; i < fixed.buffers.size(); ++i) {
    if (fixed.labels[i].tensor >= 0) fixed.buffers[i].offset = plan.offsets[i];
  }
  return MakePlan("greedy", fixed);
}

std::vector<std::int32_t> OffsetsOfTensors(const PlannedSubject& subject, const MadePlan& plan) {
  const ModelView& model = *subject.model();
  std::vector<std::int32_t> offsets(model.total_tensor_count(), kPlannedAtRunTime);
  for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
    const BufferLabel& label = subject.problem().labels[i];
    if (label.tensor < 0) continue;
    offsets[model.first_tensor_of(static_cast<std::size_t>(label.subgraph)) + static_cast<std::size_t>(label.tensor)] =
        static_cast<std::int32_t>(*plan.offsets[i]);
  }
  return offsets;
}

// A set-up of the file that is about to be written.
PlannedModel SetUpOf(const PlannedSubject& subject, const std::vector<std::byte>& file) {
  std::vector<std::byte> storage(file.size() + kModelAlignment);
  std::byte* const start = AlignedStart(storage);
  std::memcpy(start, file.data(), file.size());
  ValidationReport report;
  const auto model = ValidatedModel::Open({start, file.size()}, &report);
  if (!model) throw std::runtime_error("the model with its new plan is not valid any more");
  return SetUpForPlanning(*model, subject.kernels(), OwnPlan::kKept);
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
  MadePlan embedded = AroundFixedTensors(subject, plan);
  if (embedded.peak_bytes > std::numeric_limits<std::int32_t>::max()) {
    return RefusedEmbedding(ToolRefusal::kEmbedding, "the plan's head of " + std::to_string(embedded.peak_bytes) +
                                                         " bytes is more than the format of offline plans can hold");
  }
  const RewrittenModel rewritten = EmbedPlan(*subject.model(), OffsetsOfTensors(subject, plan));
  if (!rewritten.problem.empty()) return RefusedEmbedding(ToolRefusal::kEmbedding, rewritten.problem);
  if (!HoldsTo(SetUpOf(subject, rewritten.bytes), embedded)) {
    throw std::runtime_error("a set-up of the model with its new plan does not lead to that plan");
  }
  plan.offsets = std::move(embedded.offsets);
  plan.peak_bytes = embedded.peak_bytes;
  if (std::string problem = WriteWholeFile(path, rewritten.bytes); !problem.empty()) {
    return RefusedEmbedding(ToolRefusal::kOutputFiles, problem);
  }
  return {.problem = {}, .refused = {}, .head_bytes = static_cast<std::size_t>(plan.peak_bytes)};
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
  return {.problem = {}, .refused = {}, .head_bytes = planned.head_bytes};
}

}  // namespace arenaproof
