// A plan that goes into a model: the old file stays as one piece, each byte as far behind a multiple of 64 as it was; a
// variable of a later subgraph finds no offset where the public runtime looks for one; a set-up has the head that was
// promised.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/generators/models/sharing_model_text.h"
#include "engine/generators/models/sharing_models.h"
#include "engine/generators/reach_report.h"
#include "props/model/model_generators.h"
#include "props/reports/scratch_file.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/planned_subject.h"
#include "tools/model/plan_embedding.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_to_embed.h"
#include "tools/plans/planned_model.h"

namespace arenaproof::testing {
namespace {

// Where a constant's alignment in the file is its alignment in memory.
class AlignedCopy {
 public:
  explicit AlignedCopy(std::span<const std::byte> bytes)
      : start_(static_cast<std::byte*>(std::aligned_alloc(64, (bytes.size() + 63) / 64 * 64)), &std::free),
        bytes_(start_.get(), bytes.size()) {
    std::memcpy(start_.get(), bytes.data(), bytes.size());
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::byte, decltype(&std::free)> start_;
  std::span<const std::byte> bytes_;
};

void RequireKept(const ModelView& before, const ModelView& after) {
  const std::size_t front = after.bytes().size() - before.bytes().size();
  Require(front % kKeptAlignment == 0, "the old file begins on a multiple of 64");
  Require(std::memcmp(after.bytes().data() + front, before.bytes().data(), before.bytes().size()) == 0,
          "the old file is one unchanged piece");
  Require(before.total_tensor_count() == after.total_tensor_count(), "there are as many tensors");
  for (std::size_t s = 0; s < before.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < before.tensor_count(s); ++i) {
      const std::span<const std::byte> old_data = before.tensor(s, i).data, data = after.tensor(s, i).data;
      Require(old_data.size() == data.size(), "a constant is as large as before");
      if (data.empty()) continue;
      Require(data.data() - after.bytes().data() ==
                  old_data.data() - before.bytes().data() + static_cast<std::ptrdiff_t>(front),
              "a constant is the bytes of the old piece");
    }
  }
}

// The public runtime asks entry i for variable i of every subgraph; -1 means that the variable gets memory of its own.
std::size_t RequireHomesOfVariables(const ModelView& model, const std::vector<std::int32_t>& entries) {
  std::size_t before = model.tensor_count(0), variables = 0;
  for (std::size_t s = 1; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (!model.tensor(s, i).is_variable || entries[before + i] != -1) continue;
      ++variables;
      Require(i >= entries.size() || entries[i] == -1, "a variable of a later subgraph has memory of its own");
    }
    before += model.tensor_count(s);
  }
  return variables;
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
  CountReach("variables of later subgraphs", RequireHomesOfVariables(*subject.model(), embedded.entries));
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
  const PlannedModel anew = SetUpForPlanning(stripped_model, subject.kernels(), OwnPlan::kKept);
  Require(anew.head_bytes == subject.planned().head_bytes, "without its plan a model is planned as before");
}

}  // namespace
}  // namespace arenaproof::testing
