// Operators that begin while another one has called the runtime: each sees its own operands only, and the caller sees
// its own again when they have ended.
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

class NestedOperators : public MockOperators {
 protected:
  // The running operator calls the runtime, which does `work`.
  template <typename Work>
  void InTheRuntime(Work work) {
    instrument_->OnRuntimeEnters();
    work();
    instrument_->OnRuntimeLeaves();
  }

  const std::vector<OperandRange> caller_ = {Input(arena(128), 16), Output(arena(256), 16)};
  const std::vector<OperandRange> callee_ = {Input(arena(512), 16), Output(arena(640), 16)};
};
INSTANTIATE_TEST_SUITE_P(By, NestedOperators, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(NestedOperators, SeeTheirOwnOperandsInTurn) {
  RunIn(0, 0, caller_, [&] {
    Load<std::uint64_t>(arena(128));
    InTheRuntime([&] {
      Store<std::uint64_t>(arena(512));  // the runtime copies
      for (std::int32_t index = 0; index < 2; ++index) {
        RunIn(1, index, callee_, [&] {
          Load<std::uint64_t>(arena(512));
          Store<std::uint64_t>(arena(640));
        });
        Load<std::uint64_t>(arena(640));
      }
      Store<std::uint64_t>(arena(256));
    });
    Load<std::uint64_t>(arena(128 + 8));
    Store<std::uint64_t>(arena(256 + 8));
  });
  EXPECT_EQ(instrument_->log().access_count(), 0U);
}

TEST_P(NestedOperators, AreChargedWithTheCallersOperands) {
  RunIn(0, 7, caller_, [&] { InTheRuntime([&] { RunIn(2, 3, callee_, [&] { Load<std::uint64_t>(arena(128)); }); }); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.subgraph, 2);
  EXPECT_EQ(groups()[0].op.index, 3);
}

TEST_P(NestedOperators, LeaveTheirOperandsClosedToTheCaller) {
  RunIn(0, 7, caller_, [&] {
    InTheRuntime([&] { RunIn(2, 3, callee_, [] {}); });
    Load<std::uint64_t>(arena(512));
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.subgraph, 0);
  EXPECT_EQ(groups()[0].op.index, 7);
  EXPECT_EQ(groups()[0].operand.data, arena(256)) << "the nearest of the caller's own";
}

TEST_P(NestedOperators, GoAsDeepAsCallsDo) {
  const auto operands = [&](std::int32_t depth) {
    return std::vector<OperandRange>{Scratch(arena(static_cast<std::size_t>(depth) * 128 + 64), 32)};
  };
  const auto at = [&](std::int32_t depth) { return arena(static_cast<std::size_t>(depth) * 128 + 64); };
  const auto descend = [&](auto&& self, std::int32_t depth) -> void {
    if (depth == 16) return;
    RunIn(depth, 0, operands(depth), [&] {
      Store<std::uint64_t>(at(depth));
      InTheRuntime([&] { self(self, depth + 1); });
      Load<std::uint64_t>(at(depth) + 24);
      if (depth == 5) Load<std::uint64_t>(at(6));
    });
  };
  descend(descend, 0);
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.subgraph, 5);
  // The runtime's own business again.
  Store<std::uint64_t>(arena(0));
  EXPECT_EQ(groups().size(), 1U);
}

TEST_P(NestedOperators, DoNotCountTheirPersistentBlocksAsTheCallers) {
  RunIn(0, 0, caller_, [&] {
    InTheRuntime([&] {
      RunIn(1, 0, callee_, [&] {
        InTheRuntime([&] { instrument_->OnTailAllocated({arena(2048), 16}); });
        Store<std::uint64_t>(arena(2048));
      });
    });
    Store<std::uint64_t>(arena(2048));
  });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.subgraph, 0);
}

}  // namespace
}  // namespace arenaproof::testing
