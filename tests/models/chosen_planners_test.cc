// Every model that runs, with every planner: outputs stay the greedy planner's (which are the reference's, by the tests
// of golden models), whoever shares with whom; peaks keep their order.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tools/command/run.h"
#include "tools/model/model_file.h"
#include "tools/planner/precomputed_file.h"

namespace arenaproof::testing {
namespace {

std::size_t Rounded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// No plan that lets nothing share is smaller.
std::size_t LargestLiveSum(const std::vector<PlanEntry>& plan) {
  std::map<std::int32_t, std::ptrdiff_t> changes;
  for (const PlanEntry& entry : plan) {
    if (entry.last < 0) continue;
    changes[entry.first] += static_cast<std::ptrdiff_t>(Rounded(entry.bytes));
    changes[entry.last + 1] -= static_cast<std::ptrdiff_t>(Rounded(entry.bytes));
  }
  std::ptrdiff_t sum = 0, largest = 0;
  for (const auto& [scope, change] : changes) largest = std::max(largest, sum += change);
  return static_cast<std::size_t>(largest);
}

class PlanFile {
 public:
  PlanFile() {
    std::string name = std::filesystem::temp_directory_path() / "arenaproof-plan-XXXXXX";
    const int descriptor = mkstemp(name.data());
    if (descriptor >= 0) close(descriptor);
    path_ = name;
  }
  ~PlanFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }
  void Write(const RunResult& run) const {
    PrecomputedSource source{"model", "arena", run.arena.head_bytes, {}};
    for (const PlanEntry& entry : run.plan) {
      source.buffers.push_back(
          {static_cast<std::int64_t>(entry.offset), entry.bytes, entry.first, entry.last, "buffer"});
    }
    std::ofstream(path_) << WritePrecomputedSource(source);
  }

 private:
  std::string path_;
};

RunResult RunWith(const ValidatedModel& model, const std::string& planner, bool sharing, std::uint32_t seed) {
  RunOptions options;
  options.planner = planner;
  options.no_sharing = !sharing;
  options.seed = seed;
  return RunModel(options, model, *FindKernelSet("reference"));
}

void ExpectSameOutputs(const RunResult& expected, const RunResult& found, const std::string& what) {
  ASSERT_EQ(found.problem, "") << what;
  ASSERT_EQ(found.outputs.size(), expected.outputs.size()) << what;
  for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
    EXPECT_EQ(found.outputs[i].bytes, expected.outputs[i].bytes) << what << ", output " << i;
  }
}

TEST(ChosenPlanners, EveryModelGivesTheSameOutputs) {
  const PlanFile file;
  std::size_t shared = 0, refused = 0, smaller = 0, count = 0;
  std::cout << "model | lower bound without sharing | greedy | arena, no sharing | arena, sharing | outputs in place\n";
  for (const std::filesystem::path& path : RunnableModelFiles()) {
    SCOPED_TRACE(path.stem().string());
    const KernelSetSupport support(*FindKernelSet("reference"));
    ModelFile model_file;
    ASSERT_EQ(model_file.Load(path, &support), "");
    const ValidatedModel& model = model_file.model();
    for (const std::uint32_t seed : {1u, 7u}) {
      const RunResult greedy = RunWith(model, "greedy", true, seed);
      ASSERT_EQ(greedy.problem, "");
      EXPECT_TRUE(greedy.sharing.empty());
      const RunResult apart = RunWith(model, "arena", false, seed);
      if (!apart.problem.empty()) {  // the model's own plan fixes tensors, which this planner does not take
        EXPECT_FALSE(greedy.offline_plan.empty());
        EXPECT_NE(apart.problem.find("rule V29"), std::string::npos) << apart.problem;
        EXPECT_NE(apart.problem.find("'arena'"), std::string::npos) << apart.problem;
        EXPECT_EQ(apart.problem_status, ExitStatus::kCouldNotRun);
        ++refused;
        break;
      }
      const RunResult sharing = RunWith(model, "arena", true, seed);
      ExpectSameOutputs(greedy, apart, "arena, no sharing");
      ExpectSameOutputs(greedy, sharing, "arena, sharing");
      ExpectSameOutputs(greedy, RunWith(model, "linear", true, seed), "linear");
      for (const RunResult* planned : {&apart, &sharing}) {
        file.Write(*planned);
        const RunResult given = RunWith(model, "precomputed:" + file.path(), planned == &sharing, seed);
        ExpectSameOutputs(greedy, given, "precomputed");
        ASSERT_EQ(given.plan.size(), planned->plan.size());
        for (std::size_t i = 0; i < given.plan.size(); ++i) EXPECT_EQ(given.plan[i].offset, planned->plan[i].offset);
        EXPECT_EQ(given.sharing.size(), planned->sharing.size());
        EXPECT_EQ(given.arena.head_bytes, planned->arena.head_bytes);
      }
      EXPECT_TRUE(apart.sharing.empty());
      const std::size_t least = LargestLiveSum(apart.plan);
      EXPECT_GE(apart.arena.head_bytes, least);
      EXPECT_GE(greedy.arena.head_bytes, least);
      if (seed != 1) continue;
      ++count;
      shared += sharing.sharing.size();
      smaller += sharing.arena.head_bytes < apart.arena.head_bytes ? 1 : 0;
      std::cout << path.stem().string() << " | " << least << " | " << greedy.arena.head_bytes << " | "
                << apart.arena.head_bytes << " | " << sharing.arena.head_bytes << " | " << sharing.sharing.size()
                << "\n";
    }
  }
  std::cout << count << " models, " << shared << " outputs in place, " << smaller << " peaks smaller by sharing, "
            << refused << " models with a plan of their own refused\n";
  EXPECT_GT(count, 0u);
  EXPECT_GT(shared, 0u);
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace arenaproof::testing
