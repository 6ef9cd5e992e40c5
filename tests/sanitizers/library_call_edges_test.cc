// Where AddressSanitizer's library calls are looked at: from the first watched byte to the last, also where a call
// begins in front of them, and while it is attached.
#include <gtest/gtest.h>

#include "sanitizers/hooks/range_check.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class LibraryCallEdges : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, LibraryCallEdges, ::testing::Values("asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(LibraryCallEdges, EncloseEveryWatchedRegion) {
  CheckedMemory others[] = {CheckedMemory(16), CheckedMemory(16)};
  for (const CheckedMemory& other : others) instrument_->Watch(other.region());
  instrument_->OnDetach();
  EXPECT_EQ(hooks::check_range, nullptr);
  instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
  ASSERT_NE(hooks::check_range, nullptr);
  for (const CheckedMemory* const memory : {&arena_, &model_, &others[0], &others[1]}) {
    const MemoryRegion whole = memory->region().whole;
    const auto begin = reinterpret_cast<std::uintptr_t>(whole.data);
    EXPECT_LE(hooks::first_checked, begin);
    EXPECT_GE(hooks::behind_checked, begin + whole.bytes);
    Run({Input(arena(128), 16)}, [&] {
      EXPECT_FALSE(hooks::check_range(whole.data, 1, false));
      EXPECT_FALSE(hooks::check_range(whole.data + whole.bytes - 1, 1, true));
    });
  }
}

// The arena alone is watched, without closed bytes around it.
TEST_P(LibraryCallEdges, AreLookedAtFromBothSides) {
  alignas(64) static std::byte memory[256];
  instrument_->OnDetach();
  const auto alone = MakeInstrument(GetParam());
  std::byte* const begin = memory + 64;
  alone->OnAttach({begin, 128}, {});
  ASSERT_TRUE(alone->self_test().status().ok());
  const OperandRange own = Scratch(begin + 32, 64);
  OperatorScope scope;
  scope.operands = {&own, 1};
  alone->OnOperatorBegins(scope);
  EXPECT_TRUE(hooks::check_range(begin + 32, 64, true));
  EXPECT_TRUE(hooks::check_range(begin - 8, 8, false));
  EXPECT_TRUE(hooks::check_range(begin + 128, 8, true));
  EXPECT_TRUE(hooks::check_range(begin, 0, true));
  EXPECT_EQ(alone->log().access_count(), 0U);
  EXPECT_FALSE(hooks::check_range(begin - 4, 5, false));
  EXPECT_FALSE(hooks::check_range(begin + 127, 5, true));
  alone->OnRuntimeEnters();
  EXPECT_TRUE(hooks::check_range(begin, 8, true)) << "the runtime's";
  alone->OnRuntimeLeaves();
  alone->OnOperatorEnds();
  const std::vector<Violation>& found = alone->log().groups();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].side, ViolationSide::kBefore);
  EXPECT_EQ(found[0].distance_bytes, 36U);
  EXPECT_EQ(found[0].max_width_bytes, 5U);
  EXPECT_EQ(found[1].side, ViolationSide::kAfter);
  EXPECT_EQ(found[1].distance_bytes, 36U);
  EXPECT_TRUE(found[1].write);
  alone->OnDetach();
}

}  // namespace
}  // namespace arenaproof::testing
