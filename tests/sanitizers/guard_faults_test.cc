// Faults in a guarded kernel: of a process that dies in it they are told, once, and inside of a copy they are charged
// to the operand that holds the byte.
#include <gtest/gtest.h>

#include <tuple>

#include "sanitizers/instrument/guard/guard_instrument.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

AccessInstrument* dying = nullptr;
std::size_t told_count = 0;

// The report of a crash detaches the instrument while the kernel runs.
Status TouchAndDie(const InvokeContext& context) {
  Load<std::uint8_t>(context.inputs[0].data + 32);
  Store<std::uint8_t>(context.inputs[1].data + 32);
  dying->OnDetach();
  told_count = dying->log().groups().size();
  return Ok();
}

class GuardFaults : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, GuardFaults, ::testing::Values("guard"),
                         [](const auto& instance) { return instance.param; });

TEST_P(GuardFaults, AreToldWhenTheProcessDies) {
  const Kernel kernels[] = {{.op = BuiltinOperator::kRelu, .name = "mock", .invoke = TouchAndDie}};
  const KernelSet set{.name = "mock", .kernels = kernels};
  const KernelSet& wrapped = instrument_->Wrap(set);
  dying = instrument_.get();
  Operand operands[2];
  operands[0].data = arena(256);
  operands[1].data = arena(512);
  for (Operand& operand : operands) operand.bytes = 32;
  InvokeContext context;
  context.inputs = operands;
  Run(
      {Input(arena(256), 32, 4), Input(arena(512), 32, 5)},
      [&] { EXPECT_EQ(wrapped.kernels[0].invoke(context), Ok()); }, 7);
  EXPECT_EQ(told_count, 2U);
  ASSERT_EQ(groups().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(groups()[i].op.index, 7);
    EXPECT_EQ(groups()[i].operand.index, static_cast<std::int32_t>(4 + i));
    EXPECT_EQ(groups()[i].side, ViolationSide::kAfter);
    EXPECT_EQ(groups()[i].distance_bytes, 1U);
    EXPECT_EQ(groups()[i].write, i == 1);
    EXPECT_EQ(groups()[i].count, 1U);
  }
  EXPECT_TRUE(instrument_->log().capped());
}

std::ptrdiff_t written_at = 0;

Status WriteAByte(const InvokeContext& context) {
  Store<std::uint8_t>(context.inputs[0].data + written_at);
  return Ok();
}

// Inputs that share bytes lie in one copy; what is written there is charged to the first that holds it.
TEST_P(GuardFaults, InsideOfACopyAreChargedToTheInputThatHoldsThem) {
  const Kernel kernels[] = {{.op = BuiltinOperator::kRelu, .name = "mock", .invoke = WriteAByte}};
  const KernelSet set{.name = "mock", .kernels = kernels};
  const KernelSet& wrapped = instrument_->Wrap(set);
  Operand operands[2];
  operands[0].data = arena(256);
  operands[1].data = arena(272);
  for (Operand& operand : operands) operand.bytes = 32;
  InvokeContext context;
  context.inputs = operands;
  std::int32_t index = 0;
  for (const auto& [at, holder, place] : {std::tuple{0, 4, 0}, std::tuple{16, 4, 16}, std::tuple{31, 4, 31},
                                          std::tuple{32, 5, 16}, std::tuple{47, 5, 31}}) {
    written_at = at;
    Run(
        {Input(arena(256), 32, 4), Input(arena(272), 32, 5)},
        [&] { EXPECT_TRUE(wrapped.kernels[0].invoke(context).ok()); }, index++);
    ASSERT_EQ(groups().size(), static_cast<std::size_t>(index));
    EXPECT_EQ(groups().back().side, ViolationSide::kInside) << at;
    EXPECT_EQ(groups().back().operand.index, holder) << at;
    EXPECT_EQ(groups().back().lowest_touched, place) << at;
    EXPECT_EQ(groups().back().distance_bytes, 0U) << at;
    EXPECT_TRUE(groups().back().write);
  }
}

}  // namespace
}  // namespace arenaproof::testing
