#include "core/planner/optimal/optimal_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/planner/optimal/plan_problem.h"
#include "core/planner/optimal/section_problem.h"
#include "engine/generators/seeded_source.h"
#include "tests/optimal_planner/planned_problems_support.h"
#include "tests/support/shared_files.h"
#include "tools/planner/problem_csv.h"

namespace arenaproof {
namespace {

using ::arenaproof::testing::BusiestMomentBytes;
using ::arenaproof::testing::CutRectangle;
using ::arenaproof::testing::FullProblem;
using ::arenaproof::testing::OptimumByTrying;
using ::arenaproof::testing::RandomProblem;
using ::arenaproof::testing::WrongInPlan;

constexpr PlanLimits kEnoughForSmallOnes{.work_limit = 2'000'000, .time_limit = std::nullopt};

void ExpectSound(const std::vector<PlanBuffer>& buffers, const OptimalPlan& plan) {
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(WrongInPlan(buffers, plan.offsets, plan.peak_bytes), "");
  EXPECT_GE(plan.lower_bound_bytes, BusiestMomentBytes(buffers));
  EXPECT_GE(plan.peak_bytes, plan.lower_bound_bytes);
}

std::optional<std::vector<PlanBuffer>> SharedProblem(const std::string& relative) {
  const auto path = testing::SharedFile(relative);
  if (!path) return std::nullopt;
  const std::vector<std::byte> bytes = testing::ReadFileBytes(*path);
  ProblemCsv csv = ReadProblemCsv({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_EQ(csv.refusal, "");
  return std::move(csv.buffers);
}

TEST(OptimalPlanner, PlansNothing) {
  const OptimalPlan plan = PlanOptimally({});
  EXPECT_TRUE(plan.proven_optimal());
  EXPECT_EQ(plan.peak_bytes, 0);
}

TEST(OptimalPlanner, ReachesTheBusiestMomentOfHardPublicInstances) {
  for (const auto& [file, optimum] : std::vector<std::pair<std::string, std::int64_t>>{
           {"A", 1048576}, {"B", 1048576}, {"C", 1039360}, {"E", 1048576}, {"F", 1048576}}) {
    const std::string path = "dsa/" + file + ".1048576.csv";
    const auto buffers = SharedProblem(path);
    if (!buffers) GTEST_SKIP() << testing::SharedAbsent(path);
    const OptimalPlan plan =
        PlanOptimally(*buffers, {.work_limit = 3'000'000, .time_limit = std::nullopt, .threads = 2});
    ExpectSound(*buffers, plan);
    EXPECT_EQ(plan.peak_bytes, optimum) << file;
    EXPECT_TRUE(plan.proven_optimal()) << file;
  }
}

TEST(OptimalPlanner, ReachesTheBusiestMomentOfNetworksBeforeItSearches) {
  for (const char* const net : {"randwire_96_n40", "randwire_64_n24", "densenet121_g16_112", "inception_149",
                                "tfl_torchaudio_conformer", "resnet50_224"}) {
    const std::string path = "dsa/nets/" + std::string(net) + ".csv";
    const auto buffers = SharedProblem(path);
    if (!buffers) GTEST_SKIP() << testing::SharedAbsent(path);
    const OptimalPlan plan = PlanOptimally(*buffers, {.work_limit = 0});
    ExpectSound(*buffers, plan);
    EXPECT_TRUE(plan.proven_optimal()) << net;
    EXPECT_EQ(plan.steps, 0u) << net;
  }
}

TEST(OptimalPlanner, ComesAsLowAsIsKnownWhereTheOptimumIsNot) {
  const auto buffers = SharedProblem("dsa/D.1048576.csv");
  if (!buffers) GTEST_SKIP() << testing::SharedAbsent("dsa/D.1048576.csv");
  const OptimalPlan plan = PlanOptimally(*buffers, {.work_limit = 600'000, .time_limit = std::nullopt, .threads = 2});
  ExpectSound(*buffers, plan);
  EXPECT_LE(plan.peak_bytes, 1040384);
}

TEST(OptimalPlanner, PlansNetworksAtTheirBusiestMoment) {
  const auto folder = testing::SharedFile("dsa/nets");
  if (!folder) GTEST_SKIP() << testing::SharedAbsent("dsa/nets");
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".csv") continue;
    const auto buffers = SharedProblem("dsa/nets/" + entry.path().filename().string());
    const OptimalPlan plan = PlanOptimally(*buffers, kEnoughForSmallOnes);
    ExpectSound(*buffers, plan);
    EXPECT_EQ(plan.peak_bytes, BusiestMomentBytes(*buffers)) << entry.path();
  }
}

TEST(OptimalPlanner, FindsTheOptimumThatAProblemWasMadeWith) {
  constexpr std::int64_t kHead = 1 << 20;
  struct Case {
    std::size_t count;
    std::size_t removed_percent;
  };
  for (const Case& made : {Case{20, 0}, Case{50, 0}, Case{100, 0}, Case{200, 0}, Case{400, 0}, Case{100, 30},
                           Case{200, 40}, Case{400, 40}}) {
    const std::vector<PlanBuffer> buffers = CutRectangle(made.count, made.count, kHead, made.removed_percent);
    const OptimalPlan plan = PlanOptimally(buffers, kEnoughForSmallOnes);
    ExpectSound(buffers, plan);
    EXPECT_EQ(plan.peak_bytes, kHead) << made.count << " buffers";
    EXPECT_TRUE(plan.proven_optimal());
  }
}

TEST(OptimalPlanner, IsNeitherAboveNorBelowTheOptimumOfSmallProblems) {
  std::size_t proven_above_bound = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::vector<PlanBuffer> buffers = RandomProblem(seed, 1 + seed % 7, seed % 2 == 1);
    const OptimalPlan plan = PlanOptimally(buffers, kEnoughForSmallOnes);
    if (!plan.ok()) continue;
    ExpectSound(buffers, plan);
    EXPECT_TRUE(plan.proven_optimal()) << "seed " << seed;
    EXPECT_EQ(plan.peak_bytes, OptimumByTrying(buffers, plan.peak_bytes + 1)) << "seed " << seed;
    proven_above_bound += plan.peak_bytes > BusiestMomentBytes(buffers) ? 1 : 0;
  }
  EXPECT_GT(proven_above_bound, 50u);  // otherwise nothing was proven by searching
}

TEST(OptimalPlanner, LosesNoPlanOfProblemsWithoutAFreeByte) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<PlanBuffer> buffers = CutRectangle(seed, 5 + seed % 30, 16 * 1024, seed % 3 * 20);
    const OptimalPlan plan = PlanOptimally(buffers, kEnoughForSmallOnes);
    ExpectSound(buffers, plan);
    EXPECT_EQ(plan.peak_bytes, 16 * 1024) << "seed " << seed;
    EXPECT_TRUE(plan.proven_optimal()) << "seed " << seed;
  }
}

TEST(OptimalPlanner, ProvesThatBuffersThatFillAHeadDoNotFitIt) {
  std::size_t laid = 0, not_laid = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<PlanBuffer> buffers = FullProblem(seed, 6);
    if (buffers.size() > 12) continue;
    const OptimalPlan plan = PlanOptimally(buffers, kEnoughForSmallOnes);
    ExpectSound(buffers, plan);
    EXPECT_TRUE(plan.proven_optimal()) << "seed " << seed;
    EXPECT_EQ(plan.peak_bytes, OptimumByTrying(buffers, plan.peak_bytes + 1)) << "seed " << seed;
    (plan.peak_bytes == 6 ? laid : not_laid) += 1;
  }
  EXPECT_GT(laid, 50u);
  EXPECT_GT(not_laid, 0u);  // rare among these
}

TEST(OptimalPlanner, MakesEqualPlansOfEqualProblemsWhateverTheThreads) {
  const std::vector<PlanBuffer> buffers = CutRectangle(3, 120, 1 << 20, 10);
  for (const std::uint64_t work_limit : {0u, 1000u, 30'000u, 100'000u}) {
    const OptimalPlan one =
        PlanOptimally(buffers, {.work_limit = work_limit, .time_limit = std::nullopt, .threads = 1});
    ExpectSound(buffers, one);
    for (const unsigned threads : {1u, 3u}) {
      const OptimalPlan again =
          PlanOptimally(buffers, {.work_limit = work_limit, .time_limit = std::nullopt, .threads = threads});
      EXPECT_EQ(again.offsets, one.offsets);
      EXPECT_EQ(again.steps, one.steps);
      EXPECT_EQ(again.lower_bound_bytes, one.lower_bound_bytes);
    }
  }
}

TEST(OptimalPlanner, KeepsAProvenOptimumWhenTheProblemIsWrittenOtherwise) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<PlanBuffer> buffers = RandomProblem(seed, 12, false);
    const OptimalPlan plan = PlanOptimally(buffers, kEnoughForSmallOnes);
    if (!plan.proven_optimal()) continue;
    const auto expect_optimum = [&](const std::vector<PlanBuffer>& other, std::int64_t optimum, const char* what) {
      const OptimalPlan again = PlanOptimally(other, kEnoughForSmallOnes);
      ExpectSound(other, again);
      if (again.proven_optimal()) EXPECT_EQ(again.peak_bytes, optimum) << what << ", seed " << seed;
      EXPECT_LE(again.lower_bound_bytes, optimum) << what << ", seed " << seed;
    };
    std::vector<PlanBuffer> permuted = buffers;
    SeededSource random(seed);
    random.Shuffle(permuted);
    expect_optimum(permuted, plan.peak_bytes, "permuted");
    std::vector<PlanBuffer> scaled = buffers;
    for (PlanBuffer& buffer : scaled) buffer.bytes *= 48;
    expect_optimum(scaled, plan.peak_bytes * 48, "scaled");
    std::vector<PlanBuffer> reversed = buffers;
    for (PlanBuffer& buffer : reversed) buffer.lifetime = {-buffer.lifetime.upper, -buffer.lifetime.lower};
    expect_optimum(reversed, plan.peak_bytes, "reversed");
    std::vector<PlanBuffer> with_dead = buffers;
    with_dead.push_back({.lifetime = {3, 3}, .bytes = plan.peak_bytes, .offset = std::nullopt, .gaps = {}});
    expect_optimum(with_dead, plan.peak_bytes, "with a dead buffer");
  }
}

TEST(OptimalPlanner, LeavesFixedBuffersWhereTheyAreAndFillsGaps) {
  const std::vector<PlanBuffer> buffers = {
      {.lifetime = {0, 10}, .bytes = 64, .offset = 64, .gaps = {}},
      {.lifetime = {0, 10}, .bytes = 48, .alignment = 32, .offset = std::nullopt, .gaps = {}},
      {.lifetime = {0, 10}, .bytes = 100, .offset = std::nullopt, .gaps = {{2, 8}}},
      {.lifetime = {2, 8}, .bytes = 100, .offset = std::nullopt, .gaps = {}},
  };
  const OptimalPlan plan = PlanOptimally(buffers);
  ExpectSound(buffers, plan);
  EXPECT_TRUE(plan.proven_optimal());
  EXPECT_EQ(plan.offsets, (std::vector<std::int64_t>{64, 0, 128, 128}));
}

TEST(OptimalPlanner, RefusesFixedBuffersThatShareBytes) {
  const std::vector<PlanBuffer> buffers = {{.lifetime = {0, 2}, .bytes = 8, .offset = 0, .gaps = {}},
                                           {.lifetime = {1, 3}, .bytes = 8, .offset = 4, .gaps = {}}};
  const OptimalPlan plan = PlanOptimally(buffers);
  EXPECT_FALSE(plan.ok());
  EXPECT_FALSE(plan.proven_optimal());
  EXPECT_EQ(plan.problem.fault, ProblemFault::kFixedOverlap);
  EXPECT_EQ(plan.problem.other, 1u);
}

// Whether two fixed buffers share a byte at some time, pair by pair.
bool FixedOnesShareBytes(const std::vector<PlanBuffer>& buffers) {
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const PlanBuffer &x = buffers[a], &y = buffers[b];
      if (!x.offset || !y.offset || *x.offset >= *y.offset + y.bytes || *y.offset >= *x.offset + x.bytes) continue;
      for (const TimeInterval& p : AliveIntervals(x)) {
        for (const TimeInterval& q : AliveIntervals(y)) {
          if (x.bytes > 0 && y.bytes > 0 && p.lower < q.upper && q.lower < p.upper) return true;
        }
      }
    }
  }
  return false;
}

TEST(PlanProblem, RefusesFixedBuffersThatShareBytesAndNoOthers) {
  std::size_t shared = 0, apart = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::vector<PlanBuffer> buffers = RandomProblem(seed, 5, true);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if ((seed + i) % 3 != 0)
        buffers[i].offset = buffers[i].alignment * static_cast<std::int64_t>((seed / 7 + 5 * i) % 9);
    }
    const ProblemVerdict verdict = CheckProblem(buffers);
    ASSERT_TRUE(verdict.fault == ProblemFault::kNone || verdict.fault == ProblemFault::kFixedOverlap) << seed;
    ASSERT_EQ(verdict.fault == ProblemFault::kFixedOverlap, FixedOnesShareBytes(buffers)) << seed;
    if (verdict.fault == ProblemFault::kNone) {
      ++apart;
      continue;
    }
    ++shared;
    ASSERT_LT(verdict.buffer, verdict.other);
    EXPECT_TRUE(FixedOnesShareBytes({buffers[verdict.buffer], buffers[verdict.other]})) << "the two that are named";
  }
  EXPECT_GT(shared, 100u);
  EXPECT_GT(apart, 100u);
}

TEST(PlanProblem, TakesAHundredThousandFixedBuffers) {
  std::vector<PlanBuffer> buffers(100'000);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    buffers[i] = {.lifetime = {0, 10}, .bytes = 4, .offset = static_cast<std::int64_t>(4 * i), .gaps = {}};
  }
  // Pair by pair it takes so long that the test's own limit of time ends it.
  buffers.back().offset = 2;
  EXPECT_EQ(CheckProblem(buffers).fault, ProblemFault::kFixedOverlap);
}

// As many obstacles as there are fixed buffers, however often others come and go beside them.
TEST(SectionProblem, HoldsEachFixedBufferThatIsMetOnce) {
  std::vector<PlanBuffer> buffers;
  for (std::int64_t i = 0; i < 40; ++i) {
    buffers.push_back({.lifetime = {0, 400}, .bytes = 4, .offset = 8 * i, .gaps = {}});
    buffers.push_back({.lifetime = {10 * i, 10 * i + 5}, .bytes = 4, .offset = {}, .gaps = {}});
  }
  buffers.push_back({.lifetime = {0, 400}, .bytes = 4, .offset = {}, .gaps = {}});
  // 40 fixed ones meet each other, the long one, and each short one; the long one meets each short one.
  EXPECT_EQ(MeetingsAlive(buffers), 40u * 39 / 2 + 40 + 40 * 40 + 40);
  const SectionProblem problem = MakeSectionProblem(buffers);
  ASSERT_EQ(problem.buffers.size(), 41u);
  for (const FreeBuffer& free : problem.buffers) {
    ASSERT_EQ(free.obstacles.size(), 40u);
    EXPECT_EQ(free.obstacles.back(), (std::pair<Units, Units>(78, 79)));
  }
}

TEST(OptimalPlanner, GivesAValidPlanWhenTheTimeIsOver) {
  const std::vector<PlanBuffer> buffers = CutRectangle(5, 400, 1 << 20, 0);
  const OptimalPlan plan = PlanOptimally(buffers, {.time_limit = std::chrono::duration<double>(0.0), .threads = 2});
  ExpectSound(buffers, plan);
}

}  // namespace
}  // namespace arenaproof
