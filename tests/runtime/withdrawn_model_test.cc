// A model that was finished and could not be completed leaves the head of the models before it, and their tail.
#include <gtest/gtest.h>

#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

TEST(WithdrawnModel, LeavesTheFloorOfEarlierHeads) {
  const auto small = SimpleModel(), large = UnusedInputsModel();
  AllocatorIn allocator(8192);
  ModelAllocation first, second;
  ASSERT_EQ(allocator.Allocate(*small, &first), Ok());
  allocator->KeepModelAllocation();
  const auto before = allocator->arena().state();
  const std::size_t floor_bytes = allocator->tail().head_floor_bytes();
  EXPECT_EQ(floor_bytes, 48U);
  ASSERT_EQ(allocator.Allocate(*large, &second), Ok());
  EXPECT_EQ(allocator->tail().head_floor_bytes(), 128U);
  allocator->WithdrawModelAllocation();
  EXPECT_EQ(allocator->tail().head_floor_bytes(), floor_bytes);
  EXPECT_EQ(allocator->arena().state(), before);
  EXPECT_EQ(allocator->lost_tail_bytes(), 0U);
  ASSERT_EQ(allocator.Allocate(*large, &second), Ok());
  allocator->KeepModelAllocation();
  allocator->WithdrawModelAllocation();
  EXPECT_EQ(allocator->tail().head_floor_bytes(), 128U) << "it was kept";
}

}  // namespace
}  // namespace arenaproof::testing
