// The guard on kernels of a set that it wraps: operands that share bytes have one copy, results come back to the arena,
// and what is no access to its pages is none of its business.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>

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
  void Invoke(std::byte* input, std::byte* output, OperandKind kind = OperandKind::kInput) {
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
    OperandRange read = Input(input, 20);
    read.kind = kind;
    Run({read, Output(output, 20)}, [&] { EXPECT_EQ(wrapped.kernels[0].invoke(context), Ok()); });
  }
};
INSTANTIATE_TEST_SUITE_P(By, Guard, ::testing::Values("guard"), [](const auto& instance) { return instance.param; });

TEST_P(Guard, LaysVariablesBetweenItsPagesToo) {
  Invoke(arena(128), arena(256), OperandKind::kVariable);
  EXPECT_NE(input_copy, arena(128));
}

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

bool EndsBeforeTheAlarm(int status) { return !WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM; }

// An open page is none that may be executed: the trap would open it for ever.
TEST(FaultTrapDeathTest, LetsJumpsIntoItsPagesCrash) {
  if (!FaultTrap::Available()) GTEST_SKIP() << "no faults are told apart on this machine";
  GuardedBlock block({reinterpret_cast<const std::byte*>(&block), 8}, {}, FlushTo::kEnd, Fill::kFirst);
  block.Lay(true, true);
  const MemoryRegion mappings[] = {block.mapping()};
  for (const std::byte* const target : {block.data(), block.data() - kPageBytes}) {
    EXPECT_EXIT(
        {
          alarm(10);
          const FaultTrap trap(mappings);
          reinterpret_cast<void (*)()>(const_cast<std::byte*>(target))();
        },
        EndsBeforeTheAlarm, "");
  }
}

// Then the signal is the other handler's again, for this page too.
TEST(FaultTrapDeathTest, GivesUpOnAFaultThatComesAgainAtOnce) {
  if (!FaultTrap::Available()) GTEST_SKIP() << "no faults are told apart on this machine";
  void* const page = mmap(nullptr, kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const MemoryRegion mappings[] = {{static_cast<std::byte*>(page), kPageBytes}};
  EXPECT_DEATH(
      {
        const FaultTrap trap(mappings);
        siginfo_t info = {};
        info.si_addr = page;
        ucontext_t context = {};
        struct sigaction action = {};
        sigaction(SIGSEGV, nullptr, &action);
        for (int i = 0; i < 2; ++i) action.sa_sigaction(SIGSEGV, &info, &context);
        mprotect(page, kPageBytes, PROT_NONE);
        access_sink = *static_cast<volatile unsigned char*>(page);
      },
      "");
  munmap(page, kPageBytes);
}

}  // namespace
}  // namespace arenaproof::testing
