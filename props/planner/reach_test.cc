// What the generators of planning problems reach, however few cases a run has.
#include <gtest/gtest.h>

#include "engine/generators/reach_tally.h"
#include "props/planner/planner_generators.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

TEST(PlannerGenerators, DrawSizesAndOffsetsOfEveryPowerOfTwo) {
  ReachTally tally;
  for (unsigned i = 0; i < 300; ++i) {
    for (const BufferRequest& request : MixedRequests()(rc::Random(i), rc::kNominalSize).value()) {
      tally.Count("sizes", request.bytes);
      if (request.offline_offset > 0) tally.Count("offsets", static_cast<std::size_t>(request.offline_offset));
    }
  }
  EXPECT_EQ(tally.dimension_count(), 2u);
  EXPECT_TRUE(tally.Missing().empty()) << tally.Lines();
}

}  // namespace
}  // namespace arenaproof::testing
