// The runtime's way to the tail and to temporaries, alone: blocks with closed bytes around them, the head that they
// stay above, and who is told of what.
#include "core/runtime/storage/tail.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/temporary_blocks.h"
#include "test_arena_support.h"
#include "two_logs_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kTailArenaBytes = 1024;

// One arena, or the two of a pair, with a temporary of some bytes.
struct FreshArena {
  FreshArena(bool pair, std::size_t temporary_bytes, ArenaObserver* observer = nullptr)
      : memory(kTailArenaBytes), other(kTailArenaBytes) {
    const Status created =
        pair ? TensorArena::CreatePair({memory.start(), memory.bytes(), other.start(), other.bytes()}, observer, &arena)
             : TensorArena::CreateSingle(memory.start(), memory.bytes(), observer, &arena);
    EXPECT_TRUE(created.ok());
    std::byte* block = nullptr;
    if (temporary_bytes > 0) EXPECT_TRUE(arena.AllocateTemporary(temporary_bytes, 1, &block).ok());
  }
  std::uintptr_t tail_begin() const { return arena.persistent().state().tail_begin; }

  TestArena memory, other;
  TensorArena arena;
};

std::uintptr_t Number(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Whether a 16-aligned block of `bytes` with `spacing` on both sides fits above `limit`, and where it lies then.
bool FitsAbove(std::uintptr_t limit, std::uintptr_t tail_begin, std::size_t bytes, std::size_t spacing,
               std::uintptr_t* block) {
  const std::size_t room = tail_begin - limit;
  if (spacing > room || bytes > room - spacing) return false;
  *block = (tail_begin - spacing - bytes) / 16 * 16;
  return *block >= limit && *block - limit >= spacing;
}

TEST(SpacedBlocks, FitWhereTheyAndTheirSpacingDoAndARefusalTakesNothing) {
  std::size_t granted_count = 0, refused_count = 0;
  for (const bool pair : {false, true}) {
    for (const std::size_t spacing : {std::size_t{0}, std::size_t{64}, std::size_t{128}}) {
      for (const auto& [temporary_bytes, floor_bytes] :
           {std::pair<std::size_t, std::size_t>{0, 0}, {100, 0}, {100, 200}, {300, 200}, {0, 200}}) {
        const FreshArena measured(pair, temporary_bytes);
        const std::size_t room = measured.tail_begin() - measured.arena.persistent().state().begin;
        std::vector<std::size_t> sizes{SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 128};
        for (std::size_t bytes = 0; bytes <= room + 16; bytes += bytes < 40 || bytes + 600 > room ? 1 : 17) {
          sizes.push_back(bytes);
        }
        for (const std::size_t bytes : sizes) {
          FreshArena fresh(pair, temporary_bytes);
          Tail tail(fresh.arena);
          tail.set_head_floor_bytes(floor_bytes);
          const TensorArena::State before = fresh.arena.state();
          const std::uintptr_t begin = before.persistent.begin;
          const std::uintptr_t temporaries = pair ? begin : before.persistent.temporary_end;
          const std::uintptr_t head = begin + (pair ? 0 : floor_bytes);
          std::uintptr_t expected = 0;
          const bool fits = FitsAbove(std::max(temporaries, head), fresh.tail_begin(), bytes, spacing, &expected);
          std::byte* block = nullptr;
          const Status status = tail.AllocateSpaced(bytes, spacing, &block);
          ASSERT_EQ(status.ok(), fits) << bytes << " bytes, spacing " << spacing << ", pair " << pair << ", floor "
                                       << floor_bytes << ", temporary " << temporary_bytes;
          if (fits) {
            ++granted_count;
            EXPECT_EQ(Number(block), expected);
            EXPECT_EQ(fresh.tail_begin(), expected - spacing);
            continue;
          }
          ++refused_count;
          EXPECT_EQ(fresh.arena.state(), before);
          std::uintptr_t ignored = 0;
          const bool crosses =
              !pair && floor_bytes > 0 && !FitsAbove(head, before.persistent.tail_begin, bytes, spacing, &ignored);
          EXPECT_EQ(status.code, crosses ? StatusCode::kTailWouldCrossHead : StatusCode::kArenaPersistentDoesNotFit);
        }
      }
    }
  }
  EXPECT_GT(granted_count, 1000U);
  EXPECT_GT(refused_count, 1000U);
}

TEST(TailBlocks, StayAboveTheHeadOfEveryModelByTheirAlignmentToo) {
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
    for (std::size_t less = 0; less < 130; ++less) {
      FreshArena fresh(false, 0);
      Tail tail(fresh.arena);
      tail.set_head_floor_bytes(256);
      const std::size_t above_head = fresh.tail_begin() - fresh.arena.persistent().state().begin - 256;
      const std::size_t bytes = above_head + 1 - less;
      const bool fits = less > 0 && (fresh.tail_begin() - bytes) / alignment * alignment >=
                                        fresh.arena.persistent().state().begin + 256;
      std::byte* block = nullptr;
      const Status status = tail.Allocate(bytes, alignment, &block);
      EXPECT_EQ(status, fits ? Ok() : Failure(StatusCode::kTailWouldCrossHead, bytes, alignment, above_head));
    }
  }
  FreshArena fresh(false, 0);
  Tail tail(fresh.arena);
  tail.set_head_floor_bytes(256);
  std::byte* block = nullptr;
  EXPECT_EQ(tail.Allocate(8, 0, &block).code, StatusCode::kArenaZeroAlignment);
  std::size_t* words = nullptr;
  const volatile std::size_t too_many = SIZE_MAX / 2;  // of a constant GCC would warn, for 32 bits
  EXPECT_EQ(tail.AllocateArray(too_many, &words).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(tail.AllocateArray(0, &words), Ok());
  EXPECT_EQ(words, nullptr);
}

TEST(Bookkeeping, IsToldToThoseWhoAskForItOnly) {
  const std::string link = "temporary " + std::to_string(2 * sizeof(void*));
  for (const bool asks : {false, true}) {
    EventLog bookkeeping;
    TwoLogs log(asks ? &bookkeeping : nullptr);
    FreshArena fresh(false, 0, &log);
    Tail tail(fresh.arena);
    log.lines.clear();
    std::byte* block = nullptr;
    ASSERT_TRUE(tail.AllocateSpaced(10, 64, &block).ok());
    EXPECT_THAT(log.Take(), ElementsAre("tail"));
    EXPECT_EQ(bookkeeping.Take().size(), asks ? 2U : 0U);
    EXPECT_EQ(log.tail_blocks.back().data, block);
    EXPECT_FALSE(tail.AllocateSpaced(SIZE_MAX, 64, &block).ok());
    EXPECT_EQ(fresh.arena.observer(), &log);

    TemporaryBlocks temporaries;
    std::byte* first = nullptr;
    std::byte* second = nullptr;
    ASSERT_TRUE(temporaries.Allocate(fresh.arena, 20, 4, &first).ok());
    ASSERT_TRUE(temporaries.Allocate(fresh.arena, 24, 4, &second).ok());
    EXPECT_THAT(log.Take(), ElementsAre("temporary 20", "temporary 24"));
    EXPECT_EQ(bookkeeping.Take(), std::vector<std::string>(asks ? 2 : 0, link));
    EXPECT_EQ(temporaries.outstanding_count(), 2U);
    EXPECT_FALSE(temporaries.Allocate(fresh.arena, SIZE_MAX, 4, &block).ok());
    EXPECT_EQ(temporaries.outstanding_count(), 2U);
    EXPECT_EQ(bookkeeping.Take(), (asks ? std::vector<std::string>{link, "free"} : std::vector<std::string>{}))
        << "what a refused one had of it goes back";
    EXPECT_THAT(log.Take(), IsEmpty());
    ASSERT_TRUE(temporaries.Free(fresh.arena, first).ok());
    EXPECT_FALSE(temporaries.Free(fresh.arena, first).ok());
    EXPECT_EQ(temporaries.outstanding_count(), 1U);
    EXPECT_THAT(log.Take(), ElementsAre("free"));
    EXPECT_EQ(bookkeeping.Take().size(), asks ? 1U : 0U);
    EXPECT_FALSE(fresh.arena.AllTemporariesDeallocated());
    temporaries.FreeAll(fresh.arena);
    EXPECT_EQ(temporaries.outstanding_count(), 0U);
    EXPECT_THAT(log.Take(), ElementsAre("free"));
    EXPECT_TRUE(fresh.arena.AllTemporariesDeallocated());
    EXPECT_TRUE(fresh.arena.ResetTemporaries().ok());
    EXPECT_EQ(fresh.arena.observer(), &log);
  }
}

// The arena is the allocator's: it is neither attached nor detached by those who share it, whatever they name.
TEST(SharedObserver, IsTheAllocatorsForEveryInterpreter) {
  const MockScope mock;
  const SmallModel model(Chain(1, 16));
  const TestArena arena(8192);
  EventLog log, other;
  ModelAllocator* allocator = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(arena.start(), arena.bytes(), {.observer = &log}, &allocator).ok());
  for (int i = 0; i < 2; ++i) {
    log.lines.clear();
    Interpreter interpreter(model.view(), MockKernels(), *allocator, {.observer = &other});
    ASSERT_TRUE(interpreter.Invoke().ok());
    EXPECT_EQ(std::ranges::count(log.lines, "plan 2"), 1);
    EXPECT_EQ(std::ranges::count(log.lines, "begin invoke 0"), 1);
    EXPECT_EQ(std::ranges::count(log.lines, "end"), 3);
  }
  EXPECT_EQ(std::ranges::count(log.lines, "attach"), 0);
  EXPECT_EQ(std::ranges::count(log.lines, "detach"), 0);
  EXPECT_THAT(other.lines, IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
