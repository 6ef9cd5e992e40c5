// AddressSanitizer's reports one by one: which of them are of one access, and that nothing stays closed behind the
// last.
#include <gtest/gtest.h>

#ifdef ARENAPROOF_ASAN
#include <sanitizer/asan_interface.h>
#endif

#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class AsanReports : public MockOperators {
 protected:
  // One test: the compiler relies on the alignment.
  void LoadAligned(std::size_t offset) {
    access_sink = *reinterpret_cast<const volatile std::uint16_t*>(arena(offset));
  }
};
INSTANTIATE_TEST_SUITE_P(By, AsanReports, ::testing::Values("asan"),
                         [](const auto& instance) { return instance.param; });

// The second access begins with the last byte of the first, as the second of two tests would; it is made of two.
TEST_P(AsanReports, OfAnAlignedAccessAreNoPartOfTheNextOne) {
  const std::vector<OperandRange> operands = {Scratch(arena(128), 16)};
  Run(operands, [&] { LoadAligned(144); });
  Run(operands, [&] { Load<std::uint16_t>(arena(145)); }, 1);
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].distance_bytes, 2U);
  EXPECT_EQ(groups()[0].count, 1U);
  EXPECT_EQ(groups()[1].distance_bytes, 3U);
  EXPECT_EQ(groups()[1].count, 1U);
  Run(
      operands,
      [&] {
        LoadAligned(144);
        Load<std::uint16_t>(arena(145));
      },
      2);
  Run(
      operands,
      [&] {
        LoadAligned(144);
        Store<std::uint16_t>(arena(145));
      },
      3);
  ASSERT_EQ(groups().size(), 5U);
  EXPECT_EQ(groups()[2].distance_bytes, 3U);
  EXPECT_EQ(groups()[2].count, 2U);
  EXPECT_EQ(groups()[3].distance_bytes, 2U);
  EXPECT_TRUE(groups()[4].write);
  EXPECT_EQ(groups()[4].distance_bytes, 3U);
  EXPECT_EQ(groups()[4].count, 1U);
}

// Of the second access the first byte alone is closed, and both readings of that begin or end in an operand: which of
// the two tests it is follows from the first access, both of whose bytes are closed.
TEST_P(AsanReports, AreUnderstoodByThoseOfTheSamePlace) {
  Run({Input(arena(96), 20), Input(arena(128), 20, 1)}, [&] {
    for (const std::size_t at : {std::size_t{512}, std::size_t{116}}) Load<Vector16>(arena(at));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[1].operand.index, 1);
  EXPECT_EQ(groups()[1].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[1].distance_bytes, 12U);
  EXPECT_EQ(groups()[1].max_width_bytes, 16U);
}

#ifdef ARENAPROOF_ASAN
TEST_P(AsanReports, EndWithTheDetachInEveryRegion) {
  CheckedMemory other(64);
  instrument_->Watch(other.region());
  for (const bool attached : {true, false}) {
    instrument_->OnDetach();
    if (attached) instrument_->OnAttach({arena_.data(), arena_.bytes()}, {model_.data(), model_.bytes()});
    for (CheckedMemory* const memory : {&arena_, &model_, &other}) {
      const MemoryRegion whole = memory->region().whole;
      EXPECT_EQ(__asan_address_is_poisoned(whole.data) != 0, attached);
      EXPECT_EQ(__asan_address_is_poisoned(whole.data + whole.bytes - 1) != 0, attached);
      EXPECT_EQ(__asan_region_is_poisoned(memory->data(), memory->bytes()), nullptr);
    }
  }
}
#endif

}  // namespace
}  // namespace arenaproof::testing
