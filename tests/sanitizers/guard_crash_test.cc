// A process that dies in a guarded kernel: what the kernel did before is told, once, and nothing is guarded any more.
#include <gtest/gtest.h>

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

class GuardCrash : public MockOperators {};
INSTANTIATE_TEST_SUITE_P(By, GuardCrash, ::testing::Values("guard"),
                         [](const auto& instance) { return instance.param; });

TEST_P(GuardCrash, IsToldWithWhatCameBefore) {
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

}  // namespace
}  // namespace arenaproof::testing
