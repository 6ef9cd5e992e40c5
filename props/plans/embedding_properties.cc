// A plan that goes into a model: the old file stays as one piece, each byte as far behind a multiple of 64 as it was; a
// variable of any subgraph has memory just once where the public runtime looks for it; a set-up has the head that was
// promised.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"
#include "engine/generators/models/model_choices.h"
#include "engine/generators/models/sharing_model_text.h"
#include "engine/generators/models/sharing_models.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/embedded_plan.h"
#include "props/model/model_generators.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/planned_subject.h"
#include "tools/memory/arena_memory.h"
#include "tools/model/plan_embedding.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_to_embed.h"
#include "tools/plans/planned_model.h"

namespace arenaproof::testing {
namespace {

// At a multiple of 64, so that a constant's alignment in the file is its alignment in memory.
class AlignedCopy {
 public:
  explicit AlignedCopy(std::span<const std::byte> bytes) : size_(bytes.size()) {
    RC_ASSERT(memory_.Grow(size_));
    std::memcpy(memory_.start(), bytes.data(), size_);
  }
  std::span<const std::byte> bytes() const { return {memory_.start(), size_}; }

 private:
  ArenaMemory memory_;
  std::size_t size_;
};

void RequireKept(const ModelView& before, const ModelView& after) {
  const std::string lost = WhatIsNotKept(before, after);
  Require(lost.empty(), "a model with another plan is the old one behind it: " + lost);
}

RC_GTEST_PROP(EmbeddedPlans, LeaveTheRestAsItWasAndAreKept, ()) {
  Choices choices(*Numbers(400));
  ModelBuilder builder = MakeSharingModel(choices);
  const std::vector<std::byte> file = builder.Finish();
  RC_LOG() << SharingModelText(builder);
  static const ScratchFile model_file;
  model_file.Replace({reinterpret_cast<const char*>(file.data()), file.size()});
  SubjectOptions options;
  options.path = model_file.path();
  PlannedSubject subject;
  const std::string refused = subject.Load(options, OwnPlan::kKept);
  Require(refused.empty(), "a sound model is planned: " + refused);
  const MadePlan plan = MakePlan(OneIn(2) ? "greedy" : "optimal", subject.problem(), {.work_limit = 500});
  Require(plan.problem.empty(), "a sound model has a plan: " + plan.problem);
  const PlanToEmbed embedded = FixTensors(*subject.model(), subject.problem(), plan);
  Require(embedded.problem.empty(), "a plan without offsets of the model's own can go into it: " + embedded.problem);
  const VariableHomes homes = HomesInPublicRuntime(*subject.model(), embedded.entries);
  Require(homes.problem.empty(), "every variable has memory in the public runtime: " + homes.problem);
  CountReach("variables of later subgraphs", homes.later);
  CountReach("tensors that are left open", embedded.left_open.size());

  const AlignedCopy before(file);
  const RewrittenModel rewritten = EmbedPlan(Validated(before.bytes()), embedded.entries);
  Require(rewritten.problem.empty(), "the model is written: " + rewritten.problem);
  const AlignedCopy after(rewritten.bytes);
  const ValidatedModel old_model = Validated(before.bytes()), new_model = Validated(after.bytes());
  RequireKept(old_model, new_model);
  const PlannedModel set_up = SetUpForPlanning(new_model, subject.kernels(), OwnPlan::kKept);
  Require(set_up.problem.empty(), "an embedded plan is taken: " + set_up.problem);
  Require(static_cast<std::int64_t>(set_up.head_bytes) == embedded.device_plan.peak_bytes,
          "the head is what was promised");

  const RewrittenModel stripped = StripPlan(new_model);
  Require(stripped.problem.empty(), "a plan can be taken out: " + stripped.problem);
  const AlignedCopy without(stripped.bytes);
  const ValidatedModel stripped_model = Validated(without.bytes());
  RequireKept(new_model, stripped_model);
  OfflinePlanEntry own;
  Require(LocateOfflinePlan(old_model, &own).ok(), "a sound model's plan is found, or is not there");
  Require(own.present || stripped_model.buffer_count() == old_model.buffer_count(),
          "the buffer that a plan had for itself goes with it");
  const PlannedModel anew = SetUpForPlanning(stripped_model, subject.kernels(), OwnPlan::kKept);
  Require(anew.problem.empty() && anew.head_bytes == subject.planned().head_bytes,
          "without its plan a model is planned as before");
}

}  // namespace
}  // namespace arenaproof::testing
