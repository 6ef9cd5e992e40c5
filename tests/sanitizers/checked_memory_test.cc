// Memory with closed bytes around it: sizes that no system has, addresses that are asked for, and who gives it back.
#include "sanitizers/instrument/checked_memory.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "sanitizers/instrument/instrument_factory.h"

namespace arenaproof::testing {
namespace {

bool IsStillMapped(const std::byte* address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return msync(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) / page * page), page, MS_ASYNC) == 0;
}

TEST(CheckedMemory, OfASizeThatWrapsIsNone) {
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 200, SIZE_MAX / 2 + 1, SIZE_MAX / 2, SIZE_MAX / 2 - 400}) {
    EXPECT_EQ(CheckedMemory(bytes).data(), nullptr) << bytes;
    EXPECT_EQ(CheckedMemory(64, 0, bytes).data(), nullptr) << bytes;
    EXPECT_EQ(CheckedMemory(bytes, 0, bytes).allocation(), nullptr) << bytes;
  }
  CheckedMemory none(SIZE_MAX);
  EXPECT_EQ(none.bytes(), 0u);
  EXPECT_EQ(none.region().whole.data, nullptr);
  EXPECT_EQ(none.Free(nullptr), "memory is freed that is not allocated");
}

TEST(CheckedMemory, LiesWhereItIsAskedForBetweenItsGuards) {
  for (const std::size_t misalignment : {0u, 1u, 16u, 63u, 64u, 127u}) {
    for (const std::size_t reserve : {0u, 1u, 100u}) {
      for (const std::size_t bytes : {0u, 1u, 1000u}) {
        const CheckedMemory memory(bytes, misalignment, reserve);
        ASSERT_NE(memory.data(), nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, misalignment % 64);
        const MemoryRegion whole = memory.region().whole;
        const auto guard = static_cast<std::ptrdiff_t>(CheckedMemory::kGuardBytes);
        EXPECT_GE(memory.allocation() - whole.data, guard);
        EXPECT_GE(whole.data + whole.bytes - (memory.data() + bytes), guard);
        EXPECT_EQ(memory.region().usable.bytes, bytes);
        for (const std::byte byte : memory.span()) ASSERT_EQ(byte, std::byte{0});
      }
    }
  }
}

TEST(CheckedMemory, IsGivenBackByItsOwnStartAlone) {
  CheckedMemory memory(1000, 0, 16);
  std::byte* const start = memory.allocation();
  EXPECT_THAT(memory.Free(start + 1015), ::testing::StartsWith("the freed pointer lies 1015 bytes behind the start"));
  EXPECT_EQ(memory.Free(start + 1016), "the freed pointer is none of this allocation");
  EXPECT_EQ(memory.Free(nullptr), "the freed pointer is none of this allocation");
  EXPECT_TRUE(IsStillMapped(start));
}

TEST(CheckedMemory, MovesWithAllThatBelongsToIt) {
  CheckedMemory first(1000, 0, 16), second(2000);
  const std::byte *const of_first = first.data(), *const of_second = second.data();
  second = std::move(first);
  EXPECT_EQ(second.data(), of_first);
  EXPECT_EQ(second.bytes(), 1000u);
  EXPECT_EQ(second.reserve().bytes, 16u);
  EXPECT_LT(second.region().whole.data, of_first);
  EXPECT_GT(second.region().whole.data + second.region().whole.bytes, of_first + 1000);
  CheckedMemory third(std::move(second));
  EXPECT_EQ(third.reserve().data, of_first - 16);
  EXPECT_EQ(second.data(), nullptr);  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQ(second.bytes(), 0u);
  third = CheckedMemory(16);
  EXPECT_FALSE(IsStillMapped(of_first));
  {
    const CheckedMemory last(std::move(first));
  }  // what was swapped with it
  EXPECT_FALSE(IsStillMapped(of_second));
}

TEST(InstrumentFactory, HasEachInstrumentUnderItsName) {
  std::string names;
  for (const char* const name : {"shadow", "asan", "guard", "canary", "twofill", "valgrind"}) {
    const auto instrument = MakeInstrument(name);
    ASSERT_NE(instrument, nullptr) << name;
    EXPECT_STREQ(instrument->name(), name);
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  EXPECT_EQ(names, kInstrumentNames);
  for (const char* const name : {"", "none", "shadows", "Shadow"}) EXPECT_EQ(MakeInstrument(name), nullptr) << name;
}

}  // namespace
}  // namespace arenaproof::testing
