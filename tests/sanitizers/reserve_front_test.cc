// Bytes reserved in front of the head for kernels that read ahead of a vector: they stay closed, an access there
// remains a violation, and the report says whether it stayed in the reserve.
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>

#include "corpus/network_builder.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "sanitizers/report/byte_registry.h"
#include "sanitizers/self_test/free_self_test.h"
#include "tests/sanitizers/checked_model.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;

// 16 values, fully connected to 20, those to 4: the 20 are the largest tensor, so the second operator's vector lies at
// the head's start, and the rows of its filter, of 20 bytes, are stepped back by up to 12.
std::vector<std::byte> VectorAtTheHeadsStart() {
  NetworkBuilder network("a vector at the head's start", 7, NetworkBuilder::Arithmetic::kInt8);
  const Flow input = network.Input({1, 16});
  return network.Finish(network.FullyConnected(network.FullyConnected(input, 20, true), 4, false));
}

std::vector<Violation> Underreads(const char* kernels, std::size_t reserve_bytes) {
  CheckedModel checked(OwnInstrument(), Layout::kFaithful, reserve_bytes);
  EXPECT_EQ(checked.Run(VectorAtTheHeadsStart(), kernels), Ok());
  return checked.groups();
}

// What is said of the steps before and after the vector, of each of which there is one violation.
std::map<ViolationSide, ReserveVerdict> VerdictsBySide(std::size_t reserve_bytes, Layout layout) {
  CheckedModel checked(OwnInstrument(), layout, reserve_bytes);
  EXPECT_EQ(checked.Run(VectorAtTheHeadsStart(), "aligned-faulty"), Ok());
  std::map<ViolationSide, ReserveVerdict> verdicts;
  for (const Violation& violation : checked.groups()) {
    if (violation.operand.kind != OperandKind::kInput) continue;
    EXPECT_TRUE(verdicts.emplace(violation.side, violation.reserve).second);
  }
  return verdicts;
}

class ReserveInFront : public ::testing::Test {
 protected:
  void SetUp() override {
    if (OwnInstrument().empty()) GTEST_SKIP() << "no instrument sees accesses in this build";
  }
};

TEST_F(ReserveInFront, ReadsAheadOfAVectorAtTheHeadsStartStayInItAndRemainViolations) {
  const std::vector<Violation> with_reserve = Underreads("aligned-underread", 16);
  std::size_t contained_count = 0;
  for (const Violation& violation : with_reserve) {
    EXPECT_FALSE(violation.write);
    if (violation.reserve != ReserveVerdict::kContained) continue;
    ++contained_count;
    EXPECT_EQ(violation.side, ViolationSide::kBefore);
    EXPECT_EQ(violation.state_kind, ByteState::kReserve);
    EXPECT_THAT(violation.state, HasSubstr("the 16 bytes reserved in front of the head"));
  }
  EXPECT_GE(contained_count, 1u);
}

TEST_F(ReserveInFront, OfTooFewBytesIsLeft) {
  bool left = false;
  for (const Violation& violation : Underreads("aligned-underread", 4)) {
    EXPECT_NE(violation.reserve, ReserveVerdict::kContained);
    left = left || violation.reserve == ReserveVerdict::kLeavesAllocation;
  }
  EXPECT_TRUE(left);
}

// The kernel reads up to 12 bytes before the vector, which lies at the head's start, and as many after it.
TEST_F(ReserveInFront, ContainsWhatIsAheadOfTheHeadAndNotWhatReachesOtherBytesOfTheArena) {
  using Verdicts = std::map<ViolationSide, ReserveVerdict>;
  for (const std::size_t large_enough : {12u, 16u, 4096u}) {
    EXPECT_EQ(VerdictsBySide(large_enough, Layout::kFaithful),
              (Verdicts{{ViolationSide::kBefore, ReserveVerdict::kContained},
                        {ViolationSide::kAfter, ReserveVerdict::kReachesObject}}))
        << large_enough;
  }
  for (const std::size_t too_small : {1u, 11u}) {
    EXPECT_EQ(VerdictsBySide(too_small, Layout::kFaithful),
              (Verdicts{{ViolationSide::kBefore, ReserveVerdict::kLeavesAllocation},
                        {ViolationSide::kAfter, ReserveVerdict::kReachesObject}}))
        << too_small;
  }
}

TEST_F(ReserveInFront, IsNotCheckedInTheDilatedLayoutWhoseTensorsLieElsewhere) {
  const auto verdicts = VerdictsBySide(16, Layout::kDilated);
  EXPECT_EQ(verdicts.size(), 2u);
  for (const auto& [side, verdict] : verdicts) EXPECT_EQ(verdict, ReserveVerdict::kNotChecked);
}

// Byte by byte, without an instrument.
TEST(ReserveVerdicts, EachHasItsOwnBytesAndTheWorstCounts) {
  std::vector<std::byte> memory(256);
  std::byte* const start = memory.data();
  ByteRegistry registry;
  registry.SetArena({start + 64, 64});
  registry.SetModel({start + 192, 32});
  const auto verdict = [&](std::size_t begin, std::size_t end) {
    const auto base = reinterpret_cast<std::uintptr_t>(start);
    return registry.CheckReserve(base + begin, base + end, {});
  };
  EXPECT_EQ(verdict(60, 64), ReserveVerdict::kNoReserve);
  registry.SetReserve({start + 48, 16});
  EXPECT_EQ(verdict(48, 64), ReserveVerdict::kContained);
  EXPECT_EQ(verdict(63, 65), ReserveVerdict::kReachesObject);     // the arena
  EXPECT_EQ(verdict(100, 101), ReserveVerdict::kReachesObject);   // a gap of it
  EXPECT_EQ(verdict(200, 204), ReserveVerdict::kReachesObject);   // the model
  EXPECT_EQ(verdict(47, 49), ReserveVerdict::kLeavesAllocation);  // before the reserve
  EXPECT_EQ(verdict(127, 129), ReserveVerdict::kLeavesAllocation);
  EXPECT_EQ(verdict(40, 70), ReserveVerdict::kLeavesAllocation);  // all three
  registry.SetReserve({start + 48, 16}, false);
  EXPECT_EQ(verdict(48, 64), ReserveVerdict::kNotChecked);
}

TEST_F(ReserveInFront, ChangesNeitherWhatIsFoundNorWhatSoundKernelsDo) {
  EXPECT_TRUE(Underreads("aligned", 16).empty());
  const std::vector<Violation> without = Underreads("aligned-underread", 0), with = Underreads("aligned-underread", 16);
  ASSERT_EQ(without.size(), with.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(without[i].reserve, ReserveVerdict::kNoReserve);
    EXPECT_EQ(without[i].distance_bytes, with[i].distance_bytes);
    EXPECT_EQ(without[i].count, with[i].count);
  }
}

TEST(ReservedMemory, KeepsTheUsableAddressModulo64AndIsClosedOnAllSides) {
  for (const std::size_t reserve_bytes : {0u, 1u, 16u, 63u, 64u, 100u}) {
    const CheckedMemory memory(1000, 0, reserve_bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0u);
    EXPECT_EQ(memory.allocation() + reserve_bytes, memory.data());
    EXPECT_EQ(memory.reserve().bytes, reserve_bytes);
    const WatchedRegion region = memory.region();
    EXPECT_EQ(region.usable.data, memory.data());
    EXPECT_GE(memory.allocation() - region.whole.data, static_cast<std::ptrdiff_t>(CheckedMemory::kGuardBytes));
    EXPECT_GE(region.whole.data + region.whole.bytes - (memory.data() + memory.bytes()),
              static_cast<std::ptrdiff_t>(CheckedMemory::kGuardBytes));
  }
}

TEST(ReservedMemory, FreeingTheOriginalPointerGivesAllOfItBackFreeingTheAdvancedOneIsRefused) {
  CheckedMemory memory(1000, 0, 16);
  std::byte* const start = memory.allocation();
  EXPECT_EQ(memory.Free(memory.data()),
            "the freed pointer lies 16 bytes behind the start of its allocation, where the memory behind the reserve "
            "begins; only the original pointer can be freed");
  EXPECT_EQ(memory.Free(start + 1),
            "the freed pointer lies 1 byte behind the start of its allocation; only the original pointer can be "
            "freed");
  EXPECT_EQ(memory.Free(start - 1), "the freed pointer is none of this allocation");
  EXPECT_NE(memory.data(), nullptr);
  memory.data()[999] = std::byte{1};  // still there
  const WatchedRegion region = memory.region();
  EXPECT_EQ(memory.Free(start), "");
  EXPECT_EQ(memory.Free(start), "memory is freed that is not allocated");
  EXPECT_EQ(memory.data(), nullptr);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first_page = reinterpret_cast<std::uintptr_t>(region.whole.data) / page * page;
  // No page of it is mapped any more: nothing leaked.
  EXPECT_NE(msync(reinterpret_cast<void*>(first_page), page, MS_ASYNC), 0);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(ReservedMemory, FreeingHasASelfTest) {
  for (const std::size_t reserve_bytes : {0u, 1u, 16u, 65536u}) {
    const SelfTestResult result = RunFreeSelfTest(reserve_bytes);
    EXPECT_TRUE(result.ran);
    EXPECT_TRUE(result.missed.empty()) << result.missed.front();
    EXPECT_TRUE(result.legal_reported.empty());
    EXPECT_EQ(result.seen.size(), reserve_bytes == 0 ? 3u : 4u);
  }
}

#if defined(ARENAPROOF_ASAN)
// The same with an application's own malloc: AddressSanitizer names the pointer that was moved.
TEST(ReservedMemoryDeathTest, FreeingTheAdvancedPointerOfAHeapBlockIsReported) {
  constexpr std::size_t kReserve = 16;
  auto* const original = static_cast<std::byte*>(std::malloc(kReserve + 64));
  std::byte* volatile advanced = original + kReserve;
  EXPECT_DEATH(std::free(advanced), "attempting free on address which was not malloc\\(\\)-ed");
  std::free(original);  // and this is all that has to be freed: the leak checker agrees at the end
}
#endif

}  // namespace
}  // namespace arenaproof::testing
