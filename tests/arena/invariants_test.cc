// The invariants that a single step cannot show (contents, equal runs), and that the shared oracle can say no.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/arena/step.h"
#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

using ::testing::HasSubstr;

using State = ArenaState<std::uint32_t>;

TEST(OperationTable, NamesEveryOperationOnceInTheOrderOfTheEnumeration) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < kOperationTable.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kOperationTable[i].operation), i);
    EXPECT_EQ(&Describe(kOperationTable[i].operation), &kOperationTable[i]);
    names.insert(kOperationTable[i].name);
  }
  EXPECT_EQ(names.size(), kOperationTable.size());
}

// A few random calls that mean something in an arena of some hundred bytes; the same for the same seed.
struct Call {
  Operation operation;
  std::size_t size;
  std::size_t alignment;
  std::size_t which;  // of the addresses seen so far
};

std::vector<Call> SomeCalls(unsigned seed) {
  std::minstd_rand random(seed);
  std::vector<Call> calls;
  constexpr std::size_t kAlignments[] = {1, 2, 4, 8, 12, 16};
  for (int i = 0; i < 200; ++i) {
    calls.push_back({kOperationTable[random() % kOperationTable.size()].operation, random() % 70,
                     kAlignments[random() % 6], random()});
  }
  return calls;
}

// Makes the calls on an arena and returns what each came to: refusal code, or offset of the result.
std::vector<std::int64_t> Make(SingleArena& arena, const std::vector<Call>& calls) {
  std::vector<std::int64_t> results;
  std::vector<std::byte*> seen = {arena.OverlayAddress()};
  for (const Call& call : calls) {
    std::byte* block = nullptr;
    std::byte* address = seen[call.which % seen.size()];
    Status status;
    std::size_t value = 0;
    switch (call.operation) {
      case Operation::kAllocateResizable:
        status = arena.AllocateResizable(call.size, call.alignment, &block);
        break;
      case Operation::kResizeHead:
        status = arena.ResizeHead(address, call.size, call.alignment);
        break;
      case Operation::kDeallocateResizable:
        status = arena.DeallocateResizable(address);
        break;
      case Operation::kReserveOverlay:
        status = arena.ReserveOverlay(call.size, call.alignment);
        break;
      case Operation::kAllocateTemporary:
        status = arena.AllocateTemporary(call.size, call.alignment, &block);
        break;
      case Operation::kDeallocateTemporary:
        status = arena.DeallocateTemporary(address);
        break;
      case Operation::kResetTemporaries:
        status = arena.ResetTemporaries();
        break;
      case Operation::kAllocatePersistent:
        status = arena.AllocatePersistent(call.size, call.alignment, &block);
        break;
      case Operation::kMarkTail:
        status = arena.MarkTail(&block);
        break;
      case Operation::kRewindTail:
        status = arena.RewindTail(address);
        break;
      case Operation::kKeepTail:
        status = arena.KeepTail();
        break;
      case Operation::kAllTemporariesDeallocated:
        value = arena.AllTemporariesDeallocated() ? 1 : 0;
        break;
      case Operation::kNonPersistentUsedBytes:
        value = arena.NonPersistentUsedBytes();
        break;
      case Operation::kPersistentUsedBytes:
        value = arena.PersistentUsedBytes();
        break;
      case Operation::kUsedBytes:
        value = arena.UsedBytes();
        break;
      case Operation::kAvailableBytes:
        value = arena.AvailableBytes(call.alignment);
        break;
    }
    if (block != nullptr) seen.push_back(block);
    results.push_back(static_cast<std::int64_t>(status.code));
    results.push_back(block != nullptr ? block - arena.OverlayAddress() : static_cast<std::int64_t>(value));
  }
  return results;
}

TEST(SingleArenaInvariants, I15NoCallWritesAManagedByte) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ArenaUnderTest<512, 7> arena;
    std::memset(arena.start(), 0x5A, 512);
    Make(arena, SomeCalls(seed));
    for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(arena.start()[i], std::byte{0x5A}) << "byte " << i;
  }
}

TEST(SingleArenaInvariants, I16EqualCallsGiveEqualOffsets) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    // 48 is the least common multiple of the alignments: equal bases modulo 48, different buffers.
    AlignedBuffer<1024> first_buffer;
    AlignedBuffer<1024> second_buffer;
    const auto residue = [](const std::byte* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 48; };
    SingleArena first;
    SingleArena second;
    ASSERT_TRUE(first.Init(first_buffer.data() + (48 - residue(first_buffer.data())) + 5, 500).ok());
    ASSERT_TRUE(second.Init(second_buffer.data() + (48 - residue(second_buffer.data())) + 96 + 5, 500).ok());
    EXPECT_EQ(Make(first, SomeCalls(seed)), Make(second, SomeCalls(seed)));
  }
}

TEST(SingleArenaInvariants, I13ResizingKeepsTheContents) {
  ArenaUnderTest<256> arena;
  std::byte* head = arena.Resizable(32, 16);
  std::memset(head, 0x3C, 32);
  EXPECT_TRUE(arena.ResizeHead(head, 200, 16).ok());
  EXPECT_TRUE(arena.ResizeHead(head, 16, 16).ok());
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(head[i], std::byte{0x3C});
}

TEST(SingleArenaInvariants, I3PersistentBlocksDescendAndAreDisjoint) {
  ArenaUnderTest<512, 3> arena;
  std::byte* lowest = arena.start() + 512;
  for (const std::size_t size : {1u, 16u, 0u, 33u, 8u, 0u, 40u}) {
    std::byte* block = arena.Persistent(size, 8);
    EXPECT_LE(block + size, lowest);
    lowest = block;
  }
}

// ---- the oracle itself: hand it steps that no sound arena makes

Transition<std::uint32_t> TemporaryStep() {
  const State before{16, 20, 20, 64, 80, 0, 0};
  return Step<std::uint32_t>(before, Operation::kAllocateTemporary, {8, 8, 0});
}

TEST(ArenaOracle, AcceptsASoundStep) {
  EXPECT_EQ(FirstBroken(TemporaryStep()), nullptr);
  EXPECT_EQ(TemporaryStep().outcome.result, 24u);
}

TEST(ArenaOracle, SeesCursorsOutOfOrder) {
  EXPECT_THAT(FirstBroken(State{16, 20, 70, 64, 80, 0, 0}), HasSubstr("I1 order"));
  EXPECT_EQ(FirstBroken(State{16, 16, 16, 16, 16, 0, 0}), nullptr);
}

TEST(ArenaOracle, SeesAMisplacedBlock) {
  auto step = TemporaryStep();
  step.outcome.result = 28;
  EXPECT_THAT(FirstBroken(step), HasSubstr("the result is what it has to be"));
}

TEST(ArenaOracle, SeesAFrameThatMoved) {
  auto step = TemporaryStep();
  step.after.tail_begin -= 1;
  EXPECT_THAT(FirstBroken(step), HasSubstr("tail_begin"));
  step = TemporaryStep();
  step.after.begin -= 1;
  EXPECT_THAT(FirstBroken(step), HasSubstr("frame"));
}

TEST(ArenaOracle, SeesATemporaryThatIsNotCounted) {
  auto step = TemporaryStep();
  step.after.temporary_count = 0;
  EXPECT_THAT(FirstBroken(step), HasSubstr("temporary_count"));
  step = TemporaryStep();
  step.after.temporary_checksum = 0;
  EXPECT_THAT(FirstBroken(step), HasSubstr("I12"));
}

TEST(ArenaOracle, SeesARefusalThatLeavesATraceOrLies) {
  const State before{16, 20, 20, 64, 80, 0, 0};
  auto refused = Step<std::uint32_t>(before, Operation::kAllocatePersistent, {100, 8, 0});
  ASSERT_EQ(refused.outcome.refusal, Refusal::kDoesNotFit);
  EXPECT_EQ(FirstBroken(refused), nullptr);
  refused.after.tail_begin -= 4;
  EXPECT_THAT(FirstBroken(refused), HasSubstr("I8"));

  const Transition<std::uint32_t> without_need{
      before, Operation::kAllocatePersistent, {8, 8, 0}, {Refusal::kDoesNotFit, 0}, before};
  EXPECT_THAT(FirstBroken(without_need), HasSubstr("honest refusal"));
  const Transition<std::uint32_t> wrong_reason{
      before, Operation::kAllocatePersistent, {100, 8, 0}, {Refusal::kZeroAlignment, 0}, before};
  EXPECT_THAT(FirstBroken(wrong_reason), HasSubstr("honest reason"));
}

TEST(ArenaOracle, SeesAnAnswerThatPromisesTooMuch) {
  const State before{16, 20, 20, 64, 80, 0, 0};
  auto asked = Step<std::uint32_t>(before, Operation::kAvailableBytes, {0, 8, 0});
  ASSERT_EQ(asked.outcome.result, 40u);
  EXPECT_EQ(FirstBroken(asked), nullptr);
  asked.outcome.result = 48;
  EXPECT_NE(FirstBroken(asked), nullptr);
}

}  // namespace
}  // namespace arenaproof
