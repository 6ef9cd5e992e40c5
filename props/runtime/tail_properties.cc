// What the tail grants: the highest place of the wanted alignment, if it lies above the largest head that any model has
// and above what the arena holds; else nothing, and who is in the way is named. Arenas at any address, of any size,
// with heads of any size, and whatever is asked for, around the room that is left.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/arena/separate_arenas.h"
#include "core/arena/single_arena.h"
#include "core/arena/tensor_arena.h"
#include "core/base/structure_bytes.h"
#include "core/runtime/storage/tail.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/text/sentences.h"

namespace arenaproof::testing {
namespace {

using Address = std::uintptr_t;

constexpr std::size_t kTailMemoryBytes = 4096;
alignas(64) std::byte tail_memory[kTailMemoryBytes];
alignas(64) std::byte head_memory[kTailMemoryBytes];

struct TailElement {
  std::uint32_t words[3] = {7, 8, 9};
};
ARENAPROOF_PIN_BYTES(TailElement, 12, 4, 12, 4);

// The answer to one allocation, by counting.
struct TailAnswer {
  Status status;
  Address block = 0;
};

class TailMachine {
 public:
  explicit TailMachine(bool pair) {
    const auto front = Below<std::size_t>(64);
    const auto bytes = 200 + Below<std::size_t>(kTailMemoryBytes - 264);
    if (pair) {
      RC_ASSERT(persistent_.Init(tail_memory + front, bytes).ok());
      RC_ASSERT(non_persistent_.Init(head_memory + Below(64), 100 + Below<std::size_t>(900)).ok());
      arena_ = TensorArena(persistent_, non_persistent_);
    } else {
      RC_ASSERT(single_.Init(tail_memory + front, bytes).ok());
      arena_ = TensorArena(single_);
    }
    begin_ = reinterpret_cast<Address>(tail_memory) + front;
    tail_begin_ = begin_ + bytes;
  }

  void Step() {
    switch (Below(8)) {
      case 0:
        return RaiseHead();
      case 1:
        return AllocateSpaced();
      case 2:
        return AllocateArray();
      default:
        return Allocate();
    }
  }

 private:
  std::size_t room() const { return tail_begin_ - LowestAllowed(); }
  // Of a pair, heads are elsewhere.
  Address LowestAllowed() const {
    const Address head_end = arena_.separate() ? begin_ : arena_.non_persistent().state().head_end;
    const Address floor = arena_.separate() ? begin_ : begin_ + floor_bytes_;
    return std::max(head_end, floor);
  }

  // A model that is set up: its head is there now, or was, while a smaller one follows.
  void RaiseHead() {
    const std::size_t most = arena_.separate() ? kTailMemoryBytes : room();
    floor_bytes_ = std::max(floor_bytes_, Below(1 + (OneIn(4) ? most : std::min<std::size_t>(most, 300))));
    tail_.set_head_floor_bytes(floor_bytes_);
    Require(tail_.head_floor_bytes() == floor_bytes_, "the tail has another floor than it was given");
    const std::size_t head_bytes = OneIn(2) ? floor_bytes_ : Below(1 + floor_bytes_);
    static_cast<void>(arena_.ReserveOverlay(head_bytes, 1));
  }

  // Around what is left, or a little; now and then more than there can be.
  std::size_t DrawSize() const {
    if (OneIn(16)) return SIZE_MAX - Below<std::size_t>(100);
    if (OneIn(2)) return Below<std::size_t>(70);
    const std::size_t near = room() + 12, less = Below<std::size_t>(90);
    return near > less ? near - less : 0;
  }
  static std::size_t DrawAlignment() {
    return std::array<std::size_t, 12>{1, 2, 4, 8, 16, 16, 16, 32, 64, 24, 3, 0}[Below<std::size_t>(12)];
  }

  TailAnswer Expect(std::size_t bytes, std::size_t alignment) const {
    const bool guarded = floor_bytes_ > 0 && alignment > 0 && !arena_.separate();
    const Address floor = begin_ + floor_bytes_;
    // Nothing that is larger than the whole arena ends above anything.
    const bool too_large = bytes > tail_begin_ - begin_;
    const Address place = too_large || alignment == 0 ? 0 : (tail_begin_ - bytes) / alignment * alignment;
    if (guarded && place < floor) {
      return {Failure(StatusCode::kTailWouldCrossHead, bytes, alignment, tail_begin_ - floor), 0};
    }
    if (alignment == 0) return {Failure(StatusCode::kArenaZeroAlignment), 0};
    if (place < LowestAllowed()) return {Failure(StatusCode::kArenaPersistentDoesNotFit), 0};
    return {Ok(), place};
  }

  // The next cursor, if it is granted.
  void Follow(const TailAnswer& expected) {
    if (expected.status.ok()) tail_begin_ = expected.block;
  }

  void RequireAnswer(const Status& status, const std::byte* block, const TailAnswer& expected) {
    const std::string what = std::string(StatusName(status.code)) + " instead of " +
                             std::string(StatusName(expected.status.code)) + " at floor " +
                             std::to_string(floor_bytes_);
    Require(status.code == expected.status.code, "tail: it answers " + what);
    if (status.code == StatusCode::kTailWouldCrossHead) {
      Require(status == expected.status, "tail: a refusal names other bytes than asked for and left");
    }
    if (status.ok()) Require(reinterpret_cast<Address>(block) == expected.block, "tail: a block lies elsewhere");
    Require(arena_.persistent().state().tail_begin == tail_begin_, "tail: its begin is elsewhere");
  }

  void Allocate() {
    const std::size_t bytes = DrawSize(), alignment = DrawAlignment();
    RC_LOG() << bytes << " bytes aligned to " << alignment << ", room " << room() << "\n";
    const TailAnswer expected = Expect(bytes, alignment);
    std::byte* block = nullptr;
    const Status status = tail_.Allocate(bytes, alignment, &block);
    Follow(expected);
    RequireAnswer(status, block, expected);
  }

  // Both spaces and the block, or none of them.
  void AllocateSpaced() {
    const std::size_t bytes = DrawSize(), spacing_bytes = 64 * Below<std::size_t>(3);
    RC_LOG() << bytes << " bytes between " << spacing_bytes << ", room " << room() << "\n";
    std::byte* block = nullptr;
    const Status status = tail_.AllocateSpaced(bytes, spacing_bytes, &block);
    const bool too_large = bytes > tail_begin_ - begin_ || 2 * spacing_bytes > tail_begin_ - begin_ - bytes;
    const Address place = too_large ? 0 : (tail_begin_ - spacing_bytes - bytes) / 16 * 16;
    const Address floor = begin_ + floor_bytes_;
    TailAnswer expected{Ok(), place};
    if (floor_bytes_ > 0 && !arena_.separate() && place < floor + spacing_bytes) {
      expected = {Failure(StatusCode::kTailWouldCrossHead, bytes, 16, tail_begin_ - floor), 0};
    } else if (place < LowestAllowed() + spacing_bytes) {
      expected = {Failure(StatusCode::kArenaPersistentDoesNotFit), 0};
    }
    if (expected.status.ok()) tail_begin_ = place - spacing_bytes;
    RequireAnswer(status, block, expected);
  }

  void AllocateArray() {
    const std::size_t count = OneIn(16) ? SIZE_MAX / 16 : DrawSize() / sizeof(TailElement);
    RC_LOG() << count << " elements, room " << room() << "\n";
    const bool overflows = count > SIZE_MAX / sizeof(TailElement);
    const TailAnswer expected = overflows    ? TailAnswer{Failure(StatusCode::kSizeOverflow), 0}
                                : count == 0 ? TailAnswer{Ok(), 0}
                                             : Expect(count * sizeof(TailElement), alignof(TailElement));
    TailElement* elements = nullptr;
    const Status status = tail_.AllocateArray(count, &elements);
    if (count > 0) Follow(expected);
    RequireAnswer(status, reinterpret_cast<const std::byte*>(elements), expected);
    for (std::size_t i = 0; status.ok() && i < count; ++i) {
      Require(elements[i].words[0] == 7 && elements[i].words[2] == 9, "tail: an array's element is not initialised");
    }
  }

  SingleArena single_;
  PersistentArena persistent_;
  NonPersistentArena non_persistent_;
  TensorArena arena_;
  Tail tail_{arena_};
  Address begin_ = 0;
  Address tail_begin_ = 0;
  std::size_t floor_bytes_ = 0;
};

RC_GTEST_PROP(Tail, GrantsWhatEndsAboveEveryHead, ()) {
  TailMachine machine(OneIn(5));
  for (int steps = 2 + Below(12); steps > 0; --steps) machine.Step();
}

}  // namespace
}  // namespace arenaproof::testing
