// One check in this very process, without an instrument or with one that needs nothing of the build, by its events.
#include <algorithm>
#include <string>

#include "tests/tools/checked_here.h"

namespace arenaproof {
namespace {

TEST(WorkerCheck, ReportsEachOutputOfEachRun) {
  CheckArguments arguments = Asking("sine_regressor_int8");
  arguments.seed = 3;
  arguments.runs = 3;
  const Checked three = CheckHere(arguments);
  EXPECT_EQ(three.exit_status, 0);
  ASSERT_EQ(three.report.outputs.size(), 3u);
  for (std::size_t run = 0; run < 3; ++run) {
    EXPECT_EQ(three.report.outputs[run].run, static_cast<std::int64_t>(run));
    arguments.seed = static_cast<std::uint32_t>(3 + run);
    arguments.runs = 1;
    EXPECT_EQ(CheckHere(arguments).report.outputs.at(0).sha256, three.report.outputs[run].sha256) << run;
  }
  for (const OperatorSeen& one : three.report.operators) EXPECT_EQ(one.invokes, 3);
  EXPECT_EQ(three.CountOf("blind_pairs"), 1);
  EXPECT_EQ(three.CountOf("plan"), 1);
}

// No seed is 0: behind the largest comes the first.
TEST(WorkerCheck, GoesOnBehindTheLargestSeed) {
  CheckArguments arguments = Asking("sine_regressor_int8");
  arguments.seed = UINT32_MAX;
  arguments.runs = 3;
  const Checked across = CheckHere(arguments);
  arguments.seed = 1;
  arguments.runs = 1;
  const Checked first = CheckHere(arguments);
  ASSERT_EQ(across.report.outputs.size(), 3u);
  EXPECT_EQ(across.report.outputs[1].sha256, first.report.outputs.at(0).sha256);
}

TEST(WorkerCheck, ComparesTwoRunsAndReportsTheFirst) {
  CheckArguments arguments = Asking("sine_regressor_int8");
  arguments.instrument = "twofill";
  arguments.runs = 2;
  const Checked checked = CheckHere(arguments);
  EXPECT_EQ(checked.exit_status, 0);
  for (const char* once : {"started", "self_test", "plan", "blind_pairs", "finished"}) {
    EXPECT_EQ(checked.CountOf(once), 1) << once;
  }
  EXPECT_EQ(checked.report.outputs.size(), 2u);
  for (const OperatorSeen& one : checked.report.operators) {
    EXPECT_TRUE(one.seen);
    EXPECT_EQ(one.invokes, 2);
    EXPECT_EQ(one.invokes_seen, 2);
  }
}

TEST(WorkerCheck, ListsTheOperatorsOfEverySubgraph) {
  const Checked checked = CheckHere(Asking("control_branches_float"));
  EXPECT_EQ(checked.exit_status, 0);
  const auto& operators = checked.report.operators;
  EXPECT_TRUE(std::any_of(operators.begin(), operators.end(), [](const auto& one) { return one.subgraph > 1; }));
  for (const OperatorSeen& one : operators) {
    EXPECT_FALSE(one.seen) << "nobody looked";
    EXPECT_EQ(one.kernel, "reference");
  }
}

TEST(WorkerCheck, TakesArenasAsTheyAreGiven) {
  CheckArguments arguments = Asking("fully_connected_20_to_64_int8");
  const Checked free = CheckHere(arguments);
  ASSERT_TRUE(free.report.plan);
  const std::int64_t need = free.report.plan->device_arena_bytes;
  EXPECT_EQ(free.report.plan->arena_bytes, need);
  arguments.arena_bytes = static_cast<std::uint64_t>(need);
  EXPECT_EQ(CheckHere(arguments).exit_status, 0);
  arguments.arena_bytes = static_cast<std::uint64_t>(need - 1);
  const Checked refused = CheckHere(arguments);
  EXPECT_EQ(refused.exit_status, 2);
  ASSERT_TRUE(refused.report.refusal);
  EXPECT_TRUE(refused.report.refusal->larger_arena);
  ASSERT_EQ(refused.report.refusal->small_arenas.size(), 1u);
  EXPECT_EQ(refused.report.refusal->small_arenas[0].given_bytes, static_cast<std::size_t>(need - 1));
  EXPECT_EQ(refused.report.refusal->small_arenas[0].need_bytes, static_cast<std::size_t>(need));
  EXPECT_TRUE(refused.report.refusal->sentence.starts_with("'" + arguments.model + "': "));
  // The dilated layout takes more, and a device as much as before.
  arguments.arena_bytes.reset();
  arguments.layout = Layout::kDilated;
  const Checked dilated = CheckHere(arguments);
  EXPECT_EQ(dilated.exit_status, 0);
  EXPECT_EQ(dilated.report.plan->device_arena_bytes, need);
  EXPECT_GT(dilated.report.plan->arena_bytes, need);
  EXPECT_EQ(dilated.report.outputs.at(0).sha256, free.report.outputs.at(0).sha256);
}

// Two models in one process, refused or not, have nothing of each other.
TEST(WorkerCheck, BeginsAnewWithEachModel) {
  const std::string before = CheckHere(Asking("sine_regressor_int8")).stream;
  CheckArguments missing = Asking("nowhere");
  EXPECT_EQ(CheckHere(missing).exit_status, 2);
  CheckArguments unknown = Asking("residual_int8");
  unknown.kernels = "unheard-of";
  EXPECT_EQ(CheckHere(unknown).report.refusal->code, "kernels_unknown");
  EXPECT_EQ(CheckHere(Asking("control_loop_float")).exit_status, 0);
  EXPECT_EQ(CheckHere(Asking("sine_regressor_int8")).stream, before);
}

TEST(WorkerCheck, RefusesInputsBeforeAnythingRuns) {
  CheckArguments arguments = Asking("sine_regressor_int8");
  arguments.inputs = {"0:/nowhere"};
  const Checked checked = CheckHere(arguments);
  EXPECT_EQ(checked.exit_status, 2);
  ASSERT_TRUE(checked.report.refusal);
  EXPECT_EQ(checked.report.refusal->stage, "input_file");
  EXPECT_EQ(checked.report.refusal->code, "input_file");
  EXPECT_EQ(checked.report.refusal->sentence.find(arguments.model), std::string::npos) << "it is about another file";
  EXPECT_FALSE(checked.report.plan);
}

}  // namespace
}  // namespace arenaproof
