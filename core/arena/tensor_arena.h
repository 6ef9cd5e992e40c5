// The memory of one allocator: a single arena, or a persistent and a non-persistent one in two memories (fast SRAM for
// what dies, anything for what lives). Head and temporaries are one arena's business, the tail is the other's; in a
// single arena both are the same object, so that nobody above has to ask and no call is virtual.
//
// A handle of two pointers; the arena objects live in the tail (of the persistent arena, if there are two). Contracts
// of the operations: arena.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/arena/arena.h"
#include "core/base/status.h"

namespace arenaproof {

// Two memories of the caller. They share no byte.
struct ArenaBuffers {
  std::byte* persistent = nullptr;
  std::size_t persistent_bytes = 0;
  std::byte* non_persistent = nullptr;
  std::size_t non_persistent_bytes = 0;
};

class TensorArena {
 public:
  struct State {
    ArenaState<std::uintptr_t> non_persistent;
    ArenaState<std::uintptr_t> persistent;
    friend bool operator==(const State&, const State&) = default;
  };

  TensorArena() = default;
  explicit TensorArena(Arena& arena) : non_persistent_(&arena), persistent_(&arena) {}
  TensorArena(Arena& persistent, Arena& non_persistent) : non_persistent_(&non_persistent), persistent_(&persistent) {}

  // One arena from the buffer's first 16-aligned byte to its end; its object is the first block of the tail. Statuses
  // of SingleArena::Create. A recorded one has counters().
  static Status CreateSingle(std::byte* buffer, std::size_t bytes, ArenaObserver* observer, TensorArena* arena,
                             bool recorded = false);

  // The persistent arena manages its buffer from the first byte to the last 16-aligned address, the non-persistent one
  // from the first 16-aligned byte to the end. Both objects are the first blocks of the persistent arena, its own
  // first. kArenaNullBuffer, kSizeOverflow, kArenaBuffersOverlap (also when both are the same), kArenaBufferTooSmall.
  // On failure *arena is untouched.
  static Status CreatePair(const ArenaBuffers& buffers, ArenaObserver* observer, TensorArena* arena,
                           bool recorded = false);

  bool separate() const { return non_persistent_ != persistent_; }

  // ---- head and temporaries
  Status AllocateResizable(std::size_t size, std::size_t alignment, std::byte** block) {
    return non_persistent_->AllocateResizable(size, alignment, block);
  }
  Status ResizeHead(std::byte* block, std::size_t size, std::size_t alignment) {
    return non_persistent_->ResizeHead(block, size, alignment);
  }
  Status DeallocateResizable(std::byte* block) { return non_persistent_->DeallocateResizable(block); }
  Status ReserveOverlay(std::size_t size, std::size_t alignment) {
    return non_persistent_->ReserveOverlay(size, alignment);
  }
  Status AllocateTemporary(std::size_t size, std::size_t alignment, std::byte** block) {
    return non_persistent_->AllocateTemporary(size, alignment, block);
  }
  Status DeallocateTemporary(std::byte* block) { return non_persistent_->DeallocateTemporary(block); }
  bool AllTemporariesDeallocated() const { return non_persistent_->AllTemporariesDeallocated(); }
  Status ResetTemporaries() { return non_persistent_->ResetTemporaries(); }

  // ---- tail
  Status AllocatePersistent(std::size_t size, std::size_t alignment, std::byte** block) {
    return persistent_->AllocatePersistent(size, alignment, block);
  }
  Status MarkTail(std::byte** mark) { return persistent_->MarkTail(mark); }
  Status RewindTail(std::byte* mark) {
    // A temporary of the pair's other arena is in use by somebody whose blocks would go.
    const ArenaState<std::uintptr_t>& head = non_persistent_->state();
    if (separate() && (head.temporary_count != 0 || head.temporary_end != head.head_end)) {
      return Failure(StatusCode::kArenaTemporariesLive, head.temporary_end - head.head_end, head.temporary_count);
    }
    return persistent_->RewindTail(mark);
  }
  Status KeepTail() { return persistent_->KeepTail(); }

  // ---- questions
  std::byte* OverlayAddress() const { return non_persistent_->OverlayAddress(); }
  std::size_t NonPersistentUsedBytes() const { return non_persistent_->NonPersistentUsedBytes(); }
  std::size_t PersistentUsedBytes() const { return persistent_->PersistentUsedBytes(); }
  std::size_t UsedBytes() const { return NonPersistentUsedBytes() + PersistentUsedBytes(); }
  // The room for a temporary block, not for a persistent one.
  std::size_t AvailableBytes(std::size_t alignment) const { return non_persistent_->AvailableBytes(alignment); }
  // What the head could have at most now, with nothing temporary beside it.
  std::size_t HeadRoomBytes() const { return non_persistent_->state().tail_begin - non_persistent_->state().begin; }

  const Arena& non_persistent() const { return *non_persistent_; }
  const Arena& persistent() const { return *persistent_; }
  State state() const { return {non_persistent_->state(), persistent_->state()}; }

  // Sends OnShape: the next operation is for such elements.
  template <typename Structure>
  void Announce(std::size_t count) const {
    if (observer() != nullptr) observer()->OnShape(BytesOf<Structure>(), count);
  }

  // The counters of both; null unless recorded.
  ArenaCounters* counters() const { return persistent_->counters(); }

  ArenaObserver* observer() const { return non_persistent_->observer(); }
  void set_observer(ArenaObserver* observer) {
    non_persistent_->set_observer(observer);
    persistent_->set_observer(observer);
  }

 private:
  Arena* non_persistent_ = nullptr;
  Arena* persistent_ = nullptr;
};

}  // namespace arenaproof
