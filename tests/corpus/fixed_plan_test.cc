// The seed model that brings a plan: what the plan fixes lies there, what it leaves open lies around it.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tests/support/shared_files.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_file.h"
#include "tools/model/plan_recorder.h"

namespace arenaproof::testing {
namespace {

using Place = std::pair<std::int32_t, std::int32_t>;  // subgraph, tensor

TEST(FixedPlanModel, IsLaidOutAsItsPlanSaysAndTheRestAroundIt) {
  ModelFile file;
  ASSERT_EQ(file.Load(SourceFolder() / "corpus" / "models" / "fixed_plan_float.tflite", nullptr), "");
  const KernelSet& kernels = *FindKernelSet("reference");
  const std::size_t arena_bytes = MeasureMemory(file.model(), kernels).need_bytes;
  ArenaMemory arena;
  ASSERT_TRUE(arena.Grow(arena_bytes));
  PlanRecorder recorder;
  Interpreter interpreter(file.model(), kernels, arena.start(), arena_bytes, {.observer = &recorder});
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  const std::map<Place, std::size_t> fixed = {{{0, 0}, 0},  {{0, 4}, 160}, {{0, 5}, 48}, {{0, 7}, 112},
                                              {{0, 8}, 48}, {{1, 0}, 240}, {{1, 2}, 288}};
  std::size_t fixed_count = 0;
  std::size_t scratch_count = 0;
  for (const PlanEntry& buffer : recorder.plan()) {
    if (buffer.tensor < 0) ++scratch_count;
    const auto found = buffer.tensor < 0 ? fixed.end() : fixed.find({buffer.subgraph, buffer.tensor});
    if (found == fixed.end()) continue;
    ++fixed_count;
    EXPECT_EQ(buffer.offset, found->second) << "tensor " << buffer.tensor << " of subgraph " << buffer.subgraph;
  }
  EXPECT_EQ(fixed_count, fixed.size());
  EXPECT_EQ(scratch_count, 1u);
  EXPECT_EQ(recorder.plan().size(), fixed.size() + scratch_count + 6) << "planned at run time";
  std::size_t offset = 0;
  ASSERT_EQ(interpreter.TensorOffset(4, &offset), Ok()) << "the variable lies in the head";
  EXPECT_EQ(offset, 160u);
}

}  // namespace
}  // namespace arenaproof::testing
