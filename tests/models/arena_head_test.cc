// With --planner=arena the head of every model that runs is what ArenaPlanner makes of each of its subgraphs alone, one
// arena behind the other.
#include <gtest/gtest.h>

#include <string>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/oracles/model/graph_head.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tools/command/run.h"
#include "tools/model/model_file.h"

namespace arenaproof::testing {
namespace {

TEST(ArenaHead, OfEveryModelIsThatOfItsSubgraphsAlone) {
  std::size_t models = 0, in_place = 0, with_scratch = 0, with_several_arenas = 0;
  for (const std::filesystem::path& path : RunnableModelFiles()) {
    SCOPED_TRACE(path.stem().string());
    const KernelSet& kernels = *FindKernelSet("reference");
    const KernelSetSupport support(kernels);
    ModelFile file;
    ASSERT_EQ(file.Load(path, &support), "");
    for (const bool sharing : {true, false}) {
      RunOptions options;
      options.planner = "arena";
      options.no_sharing = !sharing;
      const RunResult run = RunModel(options, file.model(), kernels);
      if (run.problem.find("rule V29") != std::string::npos) continue;  // a plan of its own
      ASSERT_EQ(run.problem, "");
      const GraphHead expected = HeadOfGraphs(file.view(), run.plan, kernels, sharing);
      for (std::size_t i = 0; i < run.plan.size(); ++i) {
        EXPECT_EQ(run.plan[i].offset, expected.offsets[i]) << "buffer " << i;
      }
      EXPECT_EQ(run.arena.head_bytes, expected.bytes);
      ++models;
      in_place += run.sharing.size();
      with_scratch += expected.scratch_buffers > 0 ? 1 : 0;
      with_several_arenas += expected.arenas > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(models, 20u);
  EXPECT_GT(in_place, 0u);
  EXPECT_GT(with_scratch, 0u);
  EXPECT_GT(with_several_arenas, 0u);
}

struct KnownHead {
  const char* model;
  std::size_t head_bytes;
};

TEST(ArenaHead, OfModelsThatEverybodyHas) {
  for (const KnownHead& known : {KnownHead{"person_detection_int8", 64'512}, KnownHead{"residual_int8", 52'224},
                                 KnownHead{"keyword_spotting_float", 65'984}}) {
    SCOPED_TRACE(known.model);
    ModelFile file;
    ASSERT_EQ(file.Load(std::string(ARENAPROOF_SOURCE_FOLDER "/corpus/models/") + known.model + ".tflite", nullptr),
              "");
    RunOptions options;
    options.planner = "arena";
    EXPECT_EQ(RunModel(options, file.model(), *FindKernelSet("reference")).arena.head_bytes, known.head_bytes);
  }
}

}  // namespace
}  // namespace arenaproof::testing
