// The reference's tests of its allocation records, restated: the lifetime of each tensor, subgraph by subgraph. There
// the records lie in an arena of 1024 bytes; here lifetimes are computed wherever the caller wants them, and once more
// in an arena with room for our structures.
#include <gtest/gtest.h>

#include "core/model/lifetimes.h"
#include "engine/harness/event_log.h"
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

  // The plan that an allocator commits has these records.
  EventLog log;
  AllocatorIn allocator(4096, {.observer = &log});
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(model, &allocation), Ok());
  EXPECT_FALSE(log.plan.empty());
  for (const PlanEntry& buffer : log.plan) {
    const std::size_t i = model.view().first_tensor_of(static_cast<std::size_t>(buffer.subgraph)) +
                          static_cast<std::size_t>(buffer.tensor);
    EXPECT_EQ(buffer.first, expected[i].first) << "record " << i;
    EXPECT_EQ(buffer.last, expected[i].last) << "record " << i;
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
