// The reference's tests of its allocation records, restated: the lifetime of each tensor, subgraph by subgraph.
#include <gtest/gtest.h>

#include "core/model/lifetimes.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

void ExpectLifetimes(const UpstreamModel& model, const std::vector<Lifetime>& expected) {
  std::vector<Lifetime> found(model.view().total_tensor_count());
  ASSERT_EQ(ComputeLifetimes(model.view(), found, {}, {}), Ok());
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].first, expected[i].first) << "record " << i;
    EXPECT_EQ(found[i].last, expected[i].last) << "record " << i;
  }
}

TEST(UpstreamAllocationRecords, OfTheSimpleModel) {
  ExpectLifetimes(*SimpleModel(), {{0, 2}, {-1, 2}, {1, 2}, {2, 2}});
}

TEST(UpstreamAllocationRecords, OfIf) {
  ExpectLifetimes(*IfModel(), {{0, 5}, {0, 5}, {0, 5}, {1, 5}, {2, 3}, {2, 3}, {3, 3}, {4, 5}, {4, 5}, {5, 5}});
}

TEST(UpstreamAllocationRecords, OfIfWhoseInputsAreReadAgainLater) {
  ExpectLifetimes(*IfWithInputOverlapModel(),
                  {{0, 5}, {0, 5}, {0, 6}, {1, 6}, {6, 6}, {2, 3}, {2, 3}, {3, 3}, {4, 5}, {4, 5}, {5, 5}});
}

}  // namespace
}  // namespace arenaproof::testing
