// Faults of one trap after the other: each notes its own, in their order and as many as it can, and leaves the signal
// as it found it.
#include "sanitizers/instrument/guard/fault_trap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>
#include <memory>

namespace arenaproof::testing {
namespace {

class FaultTraps : public ::testing::Test {
 protected:
  static constexpr std::size_t kPages = FaultTrap::kMostFaults + 8;

  void SetUp() override {
    if (!FaultTrap::Available()) GTEST_SKIP() << "no faults are told apart on this machine";
    void* const mapped = mmap(nullptr, kPages * kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    pages_ = static_cast<volatile unsigned char*>(mapped);
  }
  void TearDown() override {
    if (pages_ != nullptr) munmap(Pages(), kPages * kPageBytes);
  }
  void* Pages() const { return const_cast<unsigned char*>(pages_); }
  void CloseAll() const { mprotect(Pages(), kPages * kPageBytes, PROT_NONE); }
  std::uintptr_t AddressAt(std::size_t offset) const { return reinterpret_cast<std::uintptr_t>(pages_) + offset; }

  volatile unsigned char* pages_ = nullptr;
  unsigned sum_ = 0;
};

TEST_F(FaultTraps, TellReadsFromWritesPageByPageInTheirOrder) {
  const MemoryRegion mappings[] = {{static_cast<std::byte*>(Pages()) + 2 * kPageBytes, kPageBytes},
                                   {static_cast<std::byte*>(Pages()), 2 * kPageBytes}};
  const FaultTrap trap(mappings);
  sum_ += pages_[3 * kPageBytes - 1];
  pages_[kPageBytes - 1] = 1;
  pages_[7] = 1;  // this page is open
  sum_ += pages_[kPageBytes];
  ASSERT_EQ(trap.faults().size(), 3u);
  const std::size_t offsets[] = {3 * kPageBytes - 1, kPageBytes - 1, kPageBytes};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(trap.faults()[i].address, AddressAt(offsets[i]));
    EXPECT_EQ(trap.faults()[i].write, i == 1);
  }
}

// The same byte once more, in a page that was closed again: no fault that comes for ever.
TEST_F(FaultTraps, NoteTheSameByteEachAndNothingOfTheOneBefore) {
  const MemoryRegion mappings[] = {{static_cast<std::byte*>(Pages()), kPages * kPageBytes}};
  for (int i = 0; i < 3; ++i) {
    CloseAll();
    const FaultTrap trap(mappings);
    EXPECT_EQ(trap.faults().size(), 0u);
    sum_ += pages_[5];
    ASSERT_EQ(trap.faults().size(), 1u);
    EXPECT_EQ(trap.faults()[0].address, AddressAt(5));
  }
}

TEST_F(FaultTraps, NoteNoMoreThanTheyCan) {
  const MemoryRegion mappings[] = {{static_cast<std::byte*>(Pages()), kPages * kPageBytes}};
  const FaultTrap trap(mappings);
  for (std::size_t page = 0; page < kPages; ++page) pages_[page * kPageBytes] = 1;
  ASSERT_EQ(trap.faults().size(), FaultTrap::kMostFaults);
  EXPECT_EQ(trap.faults().back().address, AddressAt((FaultTrap::kMostFaults - 1) * kPageBytes));
}

TEST_F(FaultTraps, LeaveHandlerAndStackAsTheyWere) {
  struct sigaction before = {}, after = {};
  static char own_stack[1 << 16];
  const stack_t own = {.ss_sp = own_stack, .ss_flags = 0, .ss_size = sizeof own_stack};
  stack_t stack_before = {}, stack_after = {};
  sigaction(SIGSEGV, nullptr, &before);
  sigaltstack(&own, &stack_before);
  for (int i = 0; i < 2; ++i) {
    const MemoryRegion mappings[] = {{static_cast<std::byte*>(Pages()), kPageBytes}};
    const FaultTrap trap(mappings);
    sigaction(SIGSEGV, nullptr, &after);
    EXPECT_NE(before.sa_sigaction, after.sa_sigaction);
  }
  sigaction(SIGSEGV, nullptr, &after);
  sigaltstack(&stack_before, &stack_after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
  EXPECT_EQ(before.sa_flags, after.sa_flags);
  EXPECT_EQ(stack_after.ss_sp, own_stack);
}

using FaultTrapsDeathTest = FaultTraps;
TEST_F(FaultTrapsDeathTest, EndWithTheirMappings) {
  const MemoryRegion mappings[] = {{static_cast<std::byte*>(Pages()) + kPageBytes, kPageBytes}};
  for (const std::size_t beside : {kPageBytes - 1, 2 * kPageBytes}) {
    EXPECT_DEATH(
        {
          const FaultTrap trap(mappings);
          sum_ += pages_[beside];
        },
        "");
  }
  EXPECT_DEATH(
      {
        {
          const FaultTrap trap(mappings);
        }
        sum_ += pages_[kPageBytes];
      },
      "");
  EXPECT_DEATH(
      {
        const FaultTrap trap(mappings);
        const auto second = std::make_unique<FaultTrap>(mappings);
      },
      "");
}

}  // namespace
}  // namespace arenaproof::testing
