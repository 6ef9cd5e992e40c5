// Plans by name: the reference's offsets, and what each planner cannot take.
#include "tools/plans/made_plan.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_file.h"
#include "tools/model/planning_kernels.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/planned_model.h"

namespace arenaproof {
namespace {

LabelledProblem Labelled(std::vector<PlanBuffer> buffers) {
  LabelledProblem problem;
  for (std::size_t i = 0; i < buffers.size(); ++i) problem.labels.push_back({.id = std::to_string(i)});
  problem.buffers = std::move(buffers);
  return problem;
}

TEST(MadePlan, GreedyAndLinearEqualTheReferenceOnEveryModel) {
  if (!testing::SharedFile("golden/models")) GTEST_SKIP() << testing::SharedAbsent("golden/models");
  std::size_t checked = 0;
  for (const auto& path : testing::RunnableSharedModelFiles()) {
    SCOPED_TRACE(path);
    const auto golden = testing::SharedFile("golden/models/" + path.stem().string() + ".json");
    ASSERT_TRUE(golden);
    const auto expected = nlohmann::json::parse(std::ifstream(*golden)).at("memory_plan");
    ModelFile file;
    ASSERT_EQ(file.Load(path, nullptr), "");
    PlanningKernels kernels;
    kernels.Complete(*FindKernelSet("reference"), file.view());
    const PlannedModel planned = SetUpForPlanning(file.model(), kernels, OwnPlan::kKept);
    ASSERT_EQ(planned.problem, "");
    const LabelledProblem problem = ProblemOfModel(file.view(), planned.plan, OwnPlan::kKept);
    const MadePlan greedy = MakePlan("greedy", problem);
    ASSERT_EQ(greedy.problem, "");
    ASSERT_EQ(greedy.offsets.size(), expected.at("buffers").size());
    std::vector<std::int64_t> sums = {0};
    LabelledProblem unfixed = problem;
    for (std::size_t i = 0; i < greedy.offsets.size(); ++i) {
      const auto& row = expected.at("buffers")[i];
      EXPECT_EQ(problem.buffers[i].bytes, row[0]);
      EXPECT_EQ(problem.buffers[i].offset.value_or(-1), row[3]);
      EXPECT_EQ(*greedy.offsets[i], row[4]);
      sums.push_back(sums.back() + problem.buffers[i].bytes);
      unfixed.buffers[i].offset.reset();
    }
    EXPECT_EQ(greedy.peak_bytes, expected.at("max_memory_bytes"));
    const MadePlan linear = MakePlan("linear", unfixed);
    ASSERT_EQ(linear.problem, "");
    for (std::size_t i = 0; i < linear.offsets.size(); ++i) EXPECT_EQ(*linear.offsets[i], sums[i]);
    EXPECT_EQ(linear.peak_bytes, sums.back());
    const MadePlan optimal = MakePlan("optimal", problem, {.work_limit = 100'000});
    EXPECT_LE(optimal.peak_bytes, greedy.peak_bytes);
    EXPECT_EQ(optimal.lower_bound_bytes, greedy.lower_bound_bytes);
    ++checked;
  }
  EXPECT_EQ(checked, 26u);
}

TEST(MadePlan, SaysWhatAPlannerDoesNotTake) {
  const LabelledProblem mixed = Labelled({{.lifetime = {0, 1}, .bytes = 3, .alignment = 4, .offset = {}, .gaps = {}},
                                          {.lifetime = {0, 1}, .bytes = 3, .alignment = 8, .offset = {}, .gaps = {}}});
  for (const char* planner : {"greedy", "linear", "arena"}) {
    const std::string problem = MakePlan(planner, mixed).problem;
    EXPECT_NE(problem.find("buffer '1' asks for 8 where buffer '0' asks for 4"), std::string::npos) << problem;
  }
  EXPECT_EQ(MakePlan("optimal", mixed).peak_bytes, 7);
  const LabelledProblem fixed = Labelled({{.lifetime = {0, 1}, .bytes = 3, .offset = 5, .gaps = {}}});
  for (const char* planner : {"linear", "arena"}) {
    const std::string problem = MakePlan(planner, fixed).problem;
    EXPECT_NE(problem.find("buffer '0' is fixed at offset 5"), std::string::npos) << problem;
  }
  EXPECT_EQ(MakePlan("greedy", fixed).peak_bytes, 8);
}

// So many buffers of a byte that are all alive together; then four of `bytes` or a few more, for which planners that go
// by size take about three times as much where twice and four more is enough.
std::vector<PlanBuffer> ManyAndFourThatOthersWaste(std::size_t count, std::int64_t bytes) {
  std::vector<PlanBuffer> buffers(count);
  for (PlanBuffer& buffer : buffers) buffer = {.lifetime = {0, 1}, .bytes = 1, .offset = {}, .gaps = {}};
  for (const auto& [lower, upper] : {std::pair(10, 12), std::pair(11, 13), std::pair(10, 11), std::pair(12, 14)}) {
    buffers.push_back({.lifetime = {lower, upper}, .bytes = bytes++, .offset = {}, .gaps = {}});
  }
  return buffers;
}

TEST(MadePlan, IsTheBestOfTheOthersWhereTheOptimalPlannerHasNoMemory) {
  std::vector<PlanBuffer> buffers = ManyAndFourThatOthersWaste(11'700, 11'700);
  const MadePlan plan = MakePlan("optimal", Labelled(buffers));
  EXPECT_EQ(plan.problem, "");
  EXPECT_NE(plan.search_not_begun.find("at most 67108864 of them, and here are 68439153; the search was not begun"),
            std::string::npos)
      << plan.search_not_begun;
  EXPECT_EQ(plan.peak_bytes, 35'104);
  EXPECT_EQ(plan.lower_bound_bytes, 23'404);
  buffers.front().alignment = 3;
  const std::string problem = MakePlan("optimal", Labelled(buffers)).problem;
  EXPECT_NE(problem.find("the other planners know one alignment for all, and these have several"), std::string::npos);
}

TEST(MadePlan, WithinATimeIsThatOfTheOthersUnlessTheyHaveNone) {
  std::vector<PlanBuffer> buffers = ManyAndFourThatOthersWaste(1'500, 1'500);
  const PlanLimits no_time{.time_limit = std::chrono::duration<double>(0)};
  const MadePlan plan = MakePlan("optimal", Labelled(buffers), no_time);
  EXPECT_EQ(plan.problem, "");
  EXPECT_NE(plan.search_not_begun.find("at most 1048576 of them in this time, and here are 1124253"), std::string::npos)
      << plan.search_not_begun;
  EXPECT_EQ(plan.peak_bytes, 4'504);
  EXPECT_EQ(MakePlan("optimal", Labelled(buffers), {.work_limit = 0}).search_not_begun, "") << "steps are no time";
  buffers.front().alignment = 3;
  const MadePlan searched = MakePlan("optimal", Labelled(buffers), no_time);
  EXPECT_EQ(searched.problem + searched.search_not_begun, "") << "nobody else takes two alignments";
  EXPECT_GE(searched.peak_bytes, 3'004);
}

// Whatever their number: the time that is promised is not spent on pairs, nor on first answers of other planners.
TEST(MadePlan, OfVeryManyBuffersIsGreedysAndProvenWhereThatIsOptimal) {
  std::vector<PlanBuffer> buffers(30'000);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto time = static_cast<std::int64_t>(i);
    buffers[i] = {.lifetime = {time, time + 2}, .bytes = 1, .offset = {}, .gaps = {}};
  }
  const MadePlan plan = MakePlan("optimal", Labelled(buffers));
  EXPECT_EQ(plan.problem + plan.search_not_begun, "");
  EXPECT_TRUE(plan.proven_optimal());
  EXPECT_EQ(plan.peak_bytes, 2);
  for (const PlanBuffer& buffer : ManyAndFourThatOthersWaste(0, 5)) buffers.push_back(buffer);
  const MadePlan wasteful = MakePlan("optimal", Labelled(buffers));
  EXPECT_NE(wasteful.search_not_begun.find("at most 20000 buffers, and here are 30004"), std::string::npos)
      << wasteful.search_not_begun;
  EXPECT_FALSE(wasteful.proven_optimal());
}

TEST(MadePlan, TakesOneAlignmentGapsAndAnyTimes) {
  const LabelledProblem problem =
      Labelled({{.lifetime = {INT64_MIN, 7'000'000'000}, .bytes = 5, .alignment = 3, .offset = {}, .gaps = {}},
                {.lifetime = {0, INT64_MAX}, .bytes = 4, .alignment = 3, .offset = {}, .gaps = {{2, 9}}},
                {.lifetime = {3, 8}, .bytes = 4, .alignment = 3, .offset = {}, .gaps = {}},
                {.lifetime = {4, 4}, .bytes = 100, .alignment = 3, .offset = {}, .gaps = {}}});
  for (const char* planner : kPlannerNames) {
    const MadePlan plan = MakePlan(planner, problem);
    EXPECT_EQ(plan.problem, "");
    EXPECT_EQ(plan.lower_bound_bytes, 100);
  }
}

TEST(BusiestMoment, IsTheEarliestWithItsBuffers) {
  const LabelledProblem problem = Labelled({{.lifetime = {0, 4}, .bytes = 8, .offset = {}, .gaps = {{1, 2}}},
                                            {.lifetime = {1, 3}, .bytes = 8, .offset = {}, .gaps = {}},
                                            {.lifetime = {9, 10}, .bytes = 16, .offset = {}, .gaps = {}},
                                            {.lifetime = {2, 2}, .bytes = 16, .offset = {}, .gaps = {}}});
  const BusiestMoment busiest = FindBusiestMoment(problem.buffers);
  EXPECT_EQ(busiest.bytes, 16);
  EXPECT_EQ(busiest.time, 2);
  EXPECT_EQ(busiest.buffers, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(PeakText(nullptr, problem, busiest), "peak at time 2: buffers '0' and '1', 16 bytes");
  EXPECT_EQ(PeakText(nullptr, {}, FindBusiestMoment(LabelledProblem{})), "no peak: nothing is alive at any time");
}

TEST(BusiestMoment, IsOfAnOperatorWhereOneHasAsManyBytes) {
  LabelledProblem problem = Labelled({{.lifetime = {-1, 3}, .bytes = 8, .offset = {}, .gaps = {}},
                                      {.lifetime = {2, 3}, .bytes = 0, .offset = {}, .gaps = {}},
                                      {.lifetime = {5, 6}, .bytes = 8, .offset = {}, .gaps = {}}});
  EXPECT_EQ(FindBusiestMoment(problem).time, -1) << "CSV has no operators";
  for (BufferLabel& label : problem.labels) label.subgraph = 0;
  EXPECT_EQ(FindBusiestMoment(problem).time, 1);
  problem.buffers[0].lifetime.upper = 1;
  EXPECT_EQ(FindBusiestMoment(problem).time, 5);
  EXPECT_EQ(FindBusiestMoment(problem).buffers, std::vector<std::size_t>{2});
  problem.buffers[0].bytes = 9;
  EXPECT_EQ(FindBusiestMoment(problem).time, -1) << "more than any operator has";
}

TEST(BusiestMoment, CountsSharedBytesOnceAndNamesWhoIsAlive) {
  LabelledProblem problem = Labelled({{.lifetime = {0, 2}, .bytes = 32, .offset = {}, .gaps = {}},
                                      {.lifetime = {1, 3}, .bytes = 32, .offset = {}, .gaps = {}},
                                      {.lifetime = {2, 4}, .bytes = 32, .offset = {}, .gaps = {}},
                                      {.lifetime = {2, 3}, .bytes = 16, .offset = {}, .gaps = {}}});
  problem.sharing = {{.buffer = 1, .source = 0, .owner = 0}, {.buffer = 2, .source = 1, .owner = 0}};
  const BusiestMoment busiest = FindBusiestMoment(problem);
  EXPECT_EQ(busiest.bytes, 48);
  EXPECT_EQ(busiest.time, 2);
  EXPECT_EQ(busiest.buffers, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(BusiestMoment, IsNamedByOperatorAndTensors) {
  const auto path = testing::SharedFile("models/person_detect.tflite");
  if (!path) GTEST_SKIP() << testing::SharedAbsent("models/person_detect.tflite");
  ModelFile file;
  ASSERT_EQ(file.Load(*path, nullptr), "");
  PlanningKernels kernels;
  kernels.Complete(*FindKernelSet("reference"), file.view());
  EXPECT_EQ(PeakText(file.view(), SetUpForPlanning(file.model(), kernels, OwnPlan::kKept).plan),
            "peak after operator 2 CONV_2D: tensors 51 and 54, 55296 bytes");
}

}  // namespace
}  // namespace arenaproof
