// The events that an arena sends: one for each success, with the visible bytes, none for a refusal or a question.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Writes every event down as a line; addresses as distances from `origin`.
class EventLog final : public ArenaObserver {
 public:
  explicit EventLog(const std::byte* origin) : origin_(origin) {}

  void OnAttach(const AttachedArena&, MemoryRegion) override { lines.emplace_back("attach"); }
  void OnHeadResized(MemoryRegion head) override { lines.push_back("head " + Text(head)); }
  void OnTemporaryAllocated(MemoryRegion block) override { lines.push_back("temporary " + Text(block)); }
  void OnTemporaryFreed(const std::byte* address) override {
    lines.push_back("free " + std::to_string(address - origin_));
  }
  void OnTemporariesReset() override { lines.emplace_back("reset"); }
  void OnTailAllocated(MemoryRegion block) override { lines.push_back("tail " + Text(block)); }
  void OnTailRewound(const std::byte* tail_begin) override {
    lines.push_back("rewind " + std::to_string(tail_begin - origin_));
  }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override { lines.emplace_back("plan"); }
  void OnOperatorBegins(const OperatorScope&) override { lines.emplace_back("begins"); }
  void OnOperatorEnds() override { lines.emplace_back("ends"); }
  void OnRuntimeEnters() override { lines.emplace_back("enters"); }
  void OnRuntimeLeaves() override { lines.emplace_back("leaves"); }
  void OnDetach() override { lines.emplace_back("detach"); }

  std::vector<std::string> lines;

 private:
  std::string Text(MemoryRegion region) const {
    return std::to_string(region.data - origin_) + "+" + std::to_string(region.bytes);
  }
  const std::byte* origin_;
};

TEST(SingleArenaObserver, HearsEverySuccessWithItsVisibleBytes) {
  ArenaUnderTest<256> arena;
  EventLog log(arena.start());
  arena.set_observer(&log);
  EXPECT_TRUE(arena.ReserveOverlay(40, 16).ok());
  std::byte* block = arena.Temporary(5, 16);
  EXPECT_TRUE(arena.DeallocateTemporary(block).ok());
  EXPECT_TRUE(arena.ResetTemporaries().ok());
  arena.Persistent(10, 16);
  EXPECT_TRUE(arena.ResizeHead(arena.start(), 8, 1).ok());
  EXPECT_TRUE(arena.DeallocateResizable(arena.start()).ok());
  arena.Resizable(3, 1);
  EXPECT_THAT(log.lines, ElementsAre("head 0+40", "temporary 48+5", "free 48", "reset", "tail 240+10", "head 0+8",
                                     "head 0+0", "head 0+3"));
}

TEST(SingleArenaObserver, HearsNothingOfRefusalsAndQuestions) {
  ArenaUnderTest<256> arena;
  EventLog log(arena.start());
  std::byte* block = arena.Temporary(8, 1);
  arena.set_observer(&log);
  EXPECT_FALSE(arena.AllocateTemporary(1000, 1, &block).ok());
  EXPECT_FALSE(arena.AllocatePersistent(1000, 1, &block).ok());
  EXPECT_FALSE(arena.AllocateResizable(1, 1, &block).ok());
  EXPECT_FALSE(arena.ResizeHead(arena.start(), 1, 1).ok());
  EXPECT_FALSE(arena.DeallocateResizable(arena.start()).ok());
  EXPECT_FALSE(arena.ReserveOverlay(1, 1).ok());
  EXPECT_FALSE(arena.DeallocateTemporary(arena.start() + 100).ok());
  EXPECT_FALSE(arena.ResetTemporaries().ok());
  EXPECT_FALSE(arena.AllTemporariesDeallocated());
  EXPECT_EQ(arena.AvailableBytes(1) + arena.UsedBytes(), 256u);
  EXPECT_THAT(log.lines, IsEmpty());
}

TEST(SingleArenaObserver, HearsOfTheArenaItselfFirst) {
  AlignedBuffer<256> buffer;
  EventLog log(buffer.data());
  SingleArena* arena = nullptr;
  ASSERT_TRUE(SingleArena::Create(buffer.data(), 256, &log, &arena).ok());
  EXPECT_EQ(arena->observer(), &log);
  EXPECT_THAT(log.lines, ElementsAre("tail " + std::to_string(256 - sizeof(SingleArena)) + "+" +
                                     std::to_string(sizeof(SingleArena))));
}

}  // namespace
}  // namespace arenaproof
