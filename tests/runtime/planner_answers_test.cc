// What a planner may answer about buffers whose place is fixed, and whose fault it is when it has no room for more.
#include <gtest/gtest.h>

#include "core/planner/greedy_planner.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

// Plans like the greedy planner, and answers one offset by so many bytes wrong, or no room.
class AnsweringPlanner final : public MemoryPlanner {
 public:
  Status Init(std::span<std::byte> workspace) override {
    offline_offsets.clear();
    return greedy_.Init(workspace);
  }
  std::size_t WorkspaceBytes(std::size_t count) const override {
    return needs_much ? SIZE_MAX : greedy_.WorkspaceBytes(count);
  }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offset) override {
    if (has_no_room) return Failure(StatusCode::kPlannerTooManyBuffers, 7);
    offline_offsets.push_back(offset);
    return greedy_.AddBuffer(bytes, first, last, offset);
  }
  std::size_t BufferCount() const override { return greedy_.BufferCount(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    const Status status = greedy_.MaximumBytes(maximum_bytes);
    *maximum_bytes += 256;
    return status;
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    const Status status = greedy_.OffsetOf(index, offset);
    if (index == moved_index) *offset = moved_to;
    return status;
  }
  const char* name() const override { return "answering"; }
  bool supports_offline() const override { return true; }
  bool moves_fixed_offsets() const override { return moves; }
  bool preserves_all_tensors() const override { return preserves; }

  std::size_t moved_index = SIZE_MAX, moved_to = 0;
  bool moves = false, preserves = false, has_no_room = false, needs_much = false;
  std::vector<std::int64_t> offline_offsets;

 private:
  GreedyPlanner greedy_;
};

class PlannerAnswers : public ::testing::Test {
 protected:
  // Tensors 0 and 1 are fixed, 2 is not.
  Status Allocate(ModelAllocation* allocation = nullptr) {
    const auto model = OfflineModel(3, {1, 0, 3, 64, 192, -1}, {{{0}, {1}}, {{1}, {2}}});
    AllocatorIn allocator(4096, {.planner = &planner_});
    ModelAllocation any;
    return allocator.Allocate(*model, allocation == nullptr ? &any : allocation);
  }

  AnsweringPlanner planner_;
};

TEST_F(PlannerAnswers, AreAskedForWithTheFixedOffsets) {
  ASSERT_EQ(Allocate(), Ok());
  EXPECT_EQ(planner_.offline_offsets, (std::vector<std::int64_t>{64, 192, kOnline}));
}

TEST_F(PlannerAnswers, LeaveFixedBuffersWhereTheyAre) {
  for (const std::size_t to : {std::size_t{176}, std::size_t{208}}) {
    planner_.moved_index = 1;
    planner_.moved_to = to;
    planner_.moves = false;
    EXPECT_EQ(Allocate(), Failure(StatusCode::kPlanFixedMoved, 1, 192, to));
    planner_.moves = true;
    EXPECT_EQ(Allocate(), Ok()) << "it says that it does";
  }
  planner_.moves = false;
  planner_.moved_index = 2;
  planner_.moved_to = 304;
  EXPECT_EQ(Allocate(), Ok()) << "its own to place";
}

// What a trusted plan lays on each other the application answers for, and for nothing else.
TEST_F(PlannerAnswers, PreserveWhatNoTrustedPlanLaysOnEachOther) {
  planner_.preserves = true;
  for (const std::int32_t last : {-1, 64}) {
    const auto model = OfflineModel(4, {1, 0, 4, 0, 0, 48, last}, {{{0}, {1}}, {{1}, {2}}, {{2}, {3}}});
    AllocatorIn allocator(4096, {.planner = &planner_});
    ModelAllocation allocation;
    planner_.moved_index = 3;
    planner_.moved_to = 96;
    planner_.moves = true;
    EXPECT_EQ(allocator.Allocate(*model, &allocation, {.trust = true}), Ok());
    planner_.moved_to = 0;
    AllocatorIn other(4096, {.planner = &planner_});
    EXPECT_EQ(other.Allocate(*model, &allocation, {.trust = true}),
              last < 0 ? Failure(StatusCode::kPlanSharedBytes, 0, 0, 3, 0) : Ok());
  }
}

// The arena was too small where the workspace was; what else a planner lacks is its own affair.
TEST_F(PlannerAnswers, OfNoRoomAreTheArenasWhereTheWorkspaceWasTooSmall) {
  planner_.has_no_room = true;
  EXPECT_EQ(Allocate(), Failure(StatusCode::kPlannerTooManyBuffers, 7));
  planner_.needs_much = true;
  const Status status = Allocate();
  EXPECT_EQ(status.code, StatusCode::kPlanMemoryDoesNotFit);
  EXPECT_EQ(status.detail[0], static_cast<std::uint64_t>(SIZE_MAX));
}

}  // namespace
}  // namespace arenaproof::testing
