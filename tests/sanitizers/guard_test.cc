// The guard on kernels of a set that it wraps: operands that share bytes have one copy, results come back to the arena,
// and what is no access to its pages is none of its business.
#include <gmock/gmock.h>

#include "sanitizers/instrument/guard/guard_instrument.h"
#include "tests/sanitizers/mock_operator.h"

namespace arenaproof::testing {
namespace {

std::byte* input_copy = nullptr;
std::byte* output_copy = nullptr;

Status AddOne(const InvokeContext& context) {
  input_copy = context.inputs[0].data;
  output_copy = context.outputs[0].data;
  for (std::size_t i = 0; i < 20; ++i) {
    output_copy[i] = static_cast<std::byte>(std::to_integer<unsigned>(input_copy[i]) + 1U);
  }
  return Ok();
}

class Guard : public MockOperators {
 protected:
  void Invoke(std::byte* input, std::byte* output) {
    Operand operands[2];
    operands[0].data = input;
    operands[1].data = output;
    for (Operand& operand : operands) operand.bytes = 20;
    InvokeContext context;
    context.inputs = {operands, 1};
    context.outputs = {operands + 1, 1};
    const Kernel kernels[] = {{.op = BuiltinOperator::kRelu, .name = "mock", .invoke = AddOne}};
    const KernelSet set{.name = "mock", .kernels = kernels};
    const KernelSet& wrapped = instrument_->Wrap(set);
    Run({Input(input, 20), Output(output, 20)}, [&] { EXPECT_EQ(wrapped.kernels[0].invoke(context), Ok()); });
  }
};
INSTANTIATE_TEST_SUITE_P(By, Guard, ::testing::Values("guard"), [](const auto& instance) { return instance.param; });

TEST_P(Guard, BringsResultsBackToTheArena) {
  std::memset(arena(128), 7, 20);
  Invoke(arena(128), arena(256));
  EXPECT_NE(input_copy, arena(128));
  EXPECT_EQ((reinterpret_cast<std::uintptr_t>(output_copy) + 20 + 12) % kPageBytes, 0U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(*arena(256 + i), std::byte{8});
  EXPECT_EQ(*arena(276), std::byte{0});
  EXPECT_TRUE(groups().empty());
}

TEST_P(Guard, HasOneCopyOfOperandsThatShareBytes) {
  std::memset(arena(128), 7, 20);
  Invoke(arena(128), arena(128));
  EXPECT_EQ(input_copy, output_copy);
  EXPECT_EQ(*arena(128 + 19), std::byte{8});
  EXPECT_TRUE(groups().empty());
}

TEST(FaultTrapDeathTest, LeavesFaultsElsewhereToWhomTheyBelong) {
  if (!FaultTrap::Available()) GTEST_SKIP() << "no faults are told apart on this machine";
  GuardedBlock block({reinterpret_cast<const std::byte*>(&block), 8}, {}, FlushTo::kEnd, Fill::kFirst);
  block.Lay(true, true);
  const MemoryRegion mappings[] = {block.mapping()};
  {
    const FaultTrap trap(mappings);
    *const_cast<volatile std::byte*>(block.data() - kPageBytes) = std::byte{1};
    ASSERT_EQ(trap.faults().size(), 1U);
    EXPECT_TRUE(trap.faults()[0].write);
  }
  EXPECT_DEATH(
      {
        const FaultTrap trap(mappings);
        access_sink = *reinterpret_cast<volatile std::uint64_t*>(static_cast<std::uintptr_t>(access_sink) + 64);
      },
      "");
}

}  // namespace
}  // namespace arenaproof::testing
