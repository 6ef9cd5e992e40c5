// Bytes beside an operand that one operator declares to read are open to it alone, also where they lie in a guard.
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class ReadAllowance : public MockOperators {
 protected:
  // An operator with the arena's first bytes as its input, and 16 bytes in front of them that it may read.
  template <typename Body>
  void RunAllowed(Body body) {
    const std::vector<OperandRange> operands = {Input(arena(0), 16), Output(arena(64), 16)};
    const OperandRange allowed{arena(0) - 16, 16, AccessRight::kRead, OperandKind::kInput, 0};
    OperatorScope scope;
    scope.operator_name = "MOCK";
    scope.kernel_name = "mock";
    scope.operands = operands;
    scope.read_allowances = {&allowed, 1};
    instrument_->OnOperatorBegins(scope);
    body();
    instrument_->OnOperatorEnds();
  }
};
INSTANTIATE_TEST_SUITE_P(By, ReadAllowance, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(ReadAllowance, InAGuardIsOpenToTheOperatorThatHasIt) {
  RunAllowed([&] {
    Load<std::uint64_t>(arena(0) - 16);
    Load<std::uint64_t>(arena(0) - 8);
  });
  EXPECT_EQ(groups().size(), 0U);
  RunAllowed([&] { Load<std::uint64_t>(arena(0) - 24); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 24U);
}

TEST_P(ReadAllowance, EndsWithItsOperator) {
  RunAllowed([&] { Load<std::uint64_t>(arena(0) - 16); });
  Run({Input(arena(0), 16), Output(arena(64), 16)}, [&] { Load<std::uint64_t>(arena(0) - 16); }, 1);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.index, 1);
  EXPECT_EQ(groups()[0].distance_bytes, 16U);
}

// asan, whose memory has one right for reads and writes, sees it by the byte that is left behind.
TEST_P(ReadAllowance, IsNoneToWrite) {
  const auto write = [&](std::ptrdiff_t at) {
    RunAllowed([&] {
      Load<std::uint8_t>(arena(0) + at);
      access_sink = access_sink ^ 0xffU;
      Store<std::uint8_t>(arena(0) + at);
    });
  };
  write(-16);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_TRUE(groups()[0].write);
  EXPECT_EQ(groups()[0].side, ViolationSide::kBefore);
  EXPECT_EQ(groups()[0].distance_bytes, 16U);
  write(-1);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].count, 2U);
  EXPECT_EQ(groups()[0].lowest_touched, -16);
  EXPECT_EQ(groups()[0].highest_touched, -1);
}

}  // namespace
}  // namespace arenaproof::testing
