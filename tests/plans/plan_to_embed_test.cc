// What is embedded gives every variable exactly one home where the public runtime reads the plan, and a set-up has the
// head that was promised.
#include "tools/plans/plan_to_embed.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "core/model/offline_plan.h"
#include "core/model/validated_model.h"
#include "engine/cases/branch_with_variable.h"
#include "engine/generators/models/model_maker.h"
#include "engine/generators/seeded_source.h"
#include "engine/oracles/plans/embedded_plan.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_file.h"
#include "tools/model/plan_embedding.h"
#include "tools/model_builder/model_builder.h"
#include "tools/plans/planned_model.h"

namespace arenaproof::testing {
namespace {

// How many variables there are behind the first subgraph.
std::size_t ExpectOneHomeForEachVariable(const ModelView& model, std::span<const std::int32_t> entries) {
  const VariableHomes homes = HomesInPublicRuntime(model, entries);
  EXPECT_EQ(homes.problem, "");
  return homes.later;
}

// A model that stays where it is, with all that planning needs.
class OpenModel {
 public:
  explicit OpenModel(std::span<const std::byte> file) : storage_(file.size() + kModelAlignment) {
    std::memcpy(AlignedStart(storage_), file.data(), file.size());
    ValidationReport report;
    model_ = ValidatedModel::Open({AlignedStart(storage_), file.size()}, &report);
    EXPECT_TRUE(model_);
    kernels_.Complete(*FindKernelSet("reference"), view());
  }
  const ModelView& view() const { return *model_; }
  PlannedModel SetUp(OwnPlan own_plan) const { return SetUpForPlanning(*model_, kernels_, own_plan); }
  const PlanningKernels& kernels() const { return kernels_; }

 private:
  std::vector<std::byte> storage_;
  std::optional<ValidatedModel> model_;
  PlanningKernels kernels_;
};

// What it takes to embed the plan of some planner; the model with it is set up and holds to it.
PlanToEmbed EmbedAndSetUp(const OpenModel& model, const std::string& planner, OwnPlan own_plan) {
  const PlannedModel planned = model.SetUp(own_plan);
  EXPECT_EQ(planned.problem, "");
  const LabelledProblem problem = ProblemOfModel(model.view(), planned.plan, own_plan);
  const MadePlan plan = MakePlan(planner, problem, {.work_limit = 10'000});
  EXPECT_EQ(plan.problem, "");
  const PlanToEmbed embedded = FixTensors(model.view(), problem, plan);
  if (!embedded.problem.empty()) return embedded;
  const OpenModel with_plan(EmbedPlan(model.view(), embedded.entries).bytes);
  const PlannedModel again = with_plan.SetUp(OwnPlan::kKept);
  EXPECT_EQ(again.problem, "");
  EXPECT_EQ(static_cast<std::int64_t>(again.head_bytes), embedded.device_plan.peak_bytes);
  EXPECT_EQ(again.plan.size(), embedded.device_plan.offsets.size());
  for (std::size_t i = 0; i < again.plan.size(); ++i) {
    EXPECT_EQ(static_cast<std::int64_t>(again.plan[i].offset), *embedded.device_plan.offsets[i]) << i;
  }
  return embedded;
}

constexpr std::size_t kMiddle = kVariableOfTheBranch;

TEST(PlanToEmbed, LeavesOpenWhatIsReadForAVariableOfAnotherSubgraph) {
  const OpenModel model(BranchWithVariable().Finish());
  for (const char* planner : {"optimal", "greedy", "linear"}) {
    SCOPED_TRACE(planner);
    const PlanToEmbed embedded = EmbedAndSetUp(model, planner, OwnPlan::kKept);
    ASSERT_EQ(embedded.problem, "");
    EXPECT_EQ(ExpectOneHomeForEachVariable(model.view(), embedded.entries), 1u);
    ASSERT_EQ(embedded.entries.size(), 9u);
    for (std::size_t i = 0; i < embedded.entries.size(); ++i) {
      const bool open = i == kMiddle || i == 4 + kMiddle;
      EXPECT_EQ(embedded.entries[i] == kPlannedAtRunTime, open) << "entry " << i;
    }
    ASSERT_EQ(embedded.left_open.size(), 1u);
  }
}

TEST(PlanToEmbed, WillNotLeaveOpenWhatTheModelsOwnPlanFixes) {
  ModelBuilder builder = BranchWithVariable();
  std::vector<std::int32_t> offsets(9, kPlannedAtRunTime);
  offsets[kMiddle] = 96;
  std::vector<std::byte> bytes(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({.version = 1, .subgraph_count = 3}, offsets, bytes);
  builder.AddMetadata(std::string(kOfflinePlanName), bytes);
  const OpenModel model(builder.Finish());
  EXPECT_EQ(EmbedAndSetUp(model, "greedy", OwnPlan::kKept).problem,
            "the model's own plan fixes tensor 2 \"middle\" at offset 96, and that entry of a plan is read for "
            "variable 2 of subgraph 1 too, which then has no memory; --ignore-plan plans anew");
  const PlanToEmbed anew = EmbedAndSetUp(model, "greedy", OwnPlan::kIgnored);
  EXPECT_EQ(anew.problem, "");
  EXPECT_EQ(anew.left_open.size(), 1u);
}

// Every tensor that is neither a constant nor a variable, alive in steps of its own choice.
LabelledProblem AnyProblemOf(const ModelView& model, SeededSource& random) {
  LabelledProblem problem;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (model.tensor(s, i).is_variable || !model.tensor(s, i).data.empty() || random.OneIn(8)) continue;
      PlanBuffer& buffer = problem.buffers.emplace_back();
      buffer.lifetime = {random.Between(0, 5), random.Between(6, 9)};
      buffer.bytes = 16 * random.Between(1, 9);
      buffer.alignment = 16;
      problem.labels.push_back(
          {.id = "t", .subgraph = static_cast<std::int32_t>(s), .tensor = static_cast<std::int32_t>(i), .scratch = -1});
    }
  }
  return problem;
}

TEST(PlanToEmbed, RandomModelsHaveOneHomeForEachVariable) {
  SeededSource random(31);
  std::size_t variables = 0, left_open = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    std::vector<std::uint16_t> numbers(400);
    for (std::uint16_t& number : numbers) number = static_cast<std::uint16_t>(random.Below(65536));
    Choices choices(numbers);
    const std::vector<std::byte> file = MakeSoundModel(choices).Finish();
    const OpenModel model(file);
    if (model.view().total_tensor_count() > 200) continue;
    const LabelledProblem problem = AnyProblemOf(model.view(), random);
    const MadePlan plan = MakePlan("greedy", problem);
    const PlanToEmbed embedded = FixTensors(model.view(), problem, plan);
    ASSERT_EQ(embedded.problem, "");
    variables += ExpectOneHomeForEachVariable(model.view(), embedded.entries);
    left_open += embedded.left_open.size();
    // No more is left open than has to be, and what is fixed is where the plan has it.
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      const auto s = static_cast<std::size_t>(problem.labels[i].subgraph);
      const auto tensor = static_cast<std::size_t>(problem.labels[i].tensor);
      const std::size_t entry = model.view().first_tensor_of(s) + tensor;
      bool is_read = false;
      for (std::size_t other = 1; other < model.view().subgraph_count(); ++other) {
        is_read =
            is_read || (entry < model.view().tensor_count(other) && model.view().tensor(other, entry).is_variable);
      }
      EXPECT_EQ(embedded.entries[entry], is_read ? -1 : *plan.offsets[i]) << "entry " << entry;
      EXPECT_TRUE(is_read || *embedded.device_plan.offsets[i] == *plan.offsets[i]);
    }
  }
  EXPECT_GE(variables, 40u);
  EXPECT_GE(left_open, 20u);
}

TEST(PlanToEmbed, SeedModelsHaveOneHomeForEachVariable) {
  for (const auto& path : SeedModelFiles()) {
    SCOPED_TRACE(path);
    const OpenModel model(ReadFileBytes(path));
    const PlanToEmbed embedded = EmbedAndSetUp(model, "optimal", OwnPlan::kIgnored);
    EXPECT_EQ(embedded.problem, "");
    (void)ExpectOneHomeForEachVariable(model.view(), embedded.entries);
  }
}

}  // namespace
}  // namespace arenaproof::testing
