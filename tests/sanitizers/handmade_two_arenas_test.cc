// Both arenas of a pair are closed to an operator but for what it may touch, and a report says which one was hit.
#include <algorithm>

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class TwoArenasWatched : public MockOperators {
 protected:
  void SetUp() override {
    MockOperators::SetUp();
    if (IsSkipped()) return;
    instrument_->OnDetach();
    instrument_->Watch(persistent_.region());
    instrument_->OnAttach(
        {MemoryRegion{arena_.data(), arena_.bytes()}, MemoryRegion{persistent_.data(), persistent_.bytes()}},
        {model_.data(), model_.bytes()});
    ASSERT_TRUE(instrument_->self_test().status().ok());
  }
  std::byte* persistent(std::size_t offset) { return persistent_.data() + offset; }

  CheckedMemory persistent_{2048};
};
INSTANTIATE_TEST_SUITE_P(By, TwoArenasWatched, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(TwoArenasWatched, AnOperatorsOwnBlockInThePersistentOneIsOpen) {
  const OperandRange own{persistent(1024), 64, AccessRight::kReadWrite, OperandKind::kPersistent, 0};
  Run({Input(arena(64), 16), own}, [&] {
    Load<Vector16>(arena(64));
    Store<Vector16>(persistent(1024));
    Load<Vector16>(persistent(1024 + 48));
  });
  EXPECT_EQ(instrument_->log().access_count(), 0U);
}

TEST_P(TwoArenasWatched, AnothersBlockAndTheGapOfThePersistentOneAreClosedAndNamed) {
  instrument_->OnTailAllocated({persistent(1024), 64});
  Run({Input(arena(64), 16)}, [&] { Load<std::uint64_t>(persistent(1024)); }, 3);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].state_kind, ByteState::kTail);
  EXPECT_EQ(instrument_->registry().Place(persistent(1024)), "persistent+0x0400");
  EXPECT_EQ(instrument_->registry().Place(arena(64)), "arena+0x0040");

  Run({Output(arena(256), 16)}, [&] { Store<std::uint64_t>(persistent(8)); }, 4);
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[1].state_kind, ByteState::kGap);
}

TEST_P(TwoArenasWatched, ARewoundTailIsAGapAgain) {
  instrument_->OnTailAllocated({persistent(1024), 64});
  instrument_->OnTailAllocated({persistent(512), 64});
  instrument_->OnTailRewound(persistent(1024));
  Run({Input(arena(64), 16)}, [&] {
    Load<std::uint64_t>(persistent(512));
    Load<std::uint64_t>(persistent(1024));
  });
  ASSERT_FALSE(groups().empty());
  const RunningOperator nobody;
  EXPECT_EQ(instrument_->registry().OwnerOf(persistent(512), nobody).state, ByteState::kGap);
  EXPECT_EQ(instrument_->registry().OwnerOf(persistent(1024), nobody).state, ByteState::kTail);
}

}  // namespace
}  // namespace arenaproof::testing
