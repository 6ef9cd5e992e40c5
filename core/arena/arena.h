// One caller-given byte array with head, temporary and tail section (see arena_state.h for the picture), or the half of
// them that one arena of a pair has. single_arena.h and separate_arenas.h say how each kind begins.
//
// Every cursor movement happens in operations.h; this class binds it to real addresses, turns a refusal into a Status
// and sends the observer's events. A failing call changes nothing and sends no event. The arena never writes a managed
// byte: contents are the caller's business. Sizes and alignments are in bytes; an alignment may be any number but 0.
// What a kind of arena does not have is refused with kArenaNotOffered; as a question it is answered with 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/arena/arena_counters.h"
#include "core/arena/arena_state.h"
#include "core/arena/observer.h"
#include "core/arena/outcome.h"
#include "core/base/status.h"
#include "core/base/structure_bytes.h"

namespace arenaproof {

class Arena {
 public:
  // ---- head: one block from the first byte that has the asked-for alignment
  // kArenaZeroAlignment, kArenaTemporariesLive, kArenaHeadDoesNotFit; with an address also kArenaNotTheHeadBlock. In
  // a single arena a second AllocateResizable resizes the block of the first; in a non-persistent one it is refused
  // with kArenaResizableTaken until the block is deallocated.
  Status AllocateResizable(std::size_t size, std::size_t alignment, std::byte** block);
  Status ResizeHead(std::byte* block, std::size_t size, std::size_t alignment);
  Status DeallocateResizable(std::byte* block);
  Status ReserveOverlay(std::size_t size, std::size_t alignment);

  // ---- temporary: kArenaZeroAlignment, kArenaTemporaryDoesNotFit, kArenaTooManyTemporaries. Freeing is book-keeping
  // (kArenaNoTemporaryOutstanding, kArenaForeignTemporary); the bytes come back with the reset, which is refused with
  // kArenaTemporariesOutstanding unless all are freed.
  Status AllocateTemporary(std::size_t size, std::size_t alignment, std::byte** block);
  Status DeallocateTemporary(std::byte* block);
  bool AllTemporariesDeallocated() const;
  Status ResetTemporaries();

  // ---- tail: kArenaZeroAlignment, kArenaPersistentDoesNotFit
  Status AllocatePersistent(std::size_t size, std::size_t alignment, std::byte** block);
  // Begins an attempt (kArenaTailMarked: there is one), takes all of its blocks back, ends it. `mark` is what MarkTail
  // gave (kArenaNotTheMark); nothing is taken back while temporaries are in use (kArenaTemporariesLive).
  Status MarkTail(std::byte** mark);
  Status RewindTail(std::byte* mark);
  Status KeepTail();

  // First managed byte, even if the head was reserved with a larger alignment.
  std::byte* OverlayAddress() const;
  std::size_t NonPersistentUsedBytes() const;
  std::size_t PersistentUsedBytes() const;
  std::size_t UsedBytes() const;
  std::size_t AvailableBytes(std::size_t alignment) const;  // 0 for an alignment of 0
  std::size_t TotalBytes() const;

  const ArenaState<std::uintptr_t>& state() const { return state_; }
  ArenaObserver* observer() const { return observer_; }
  void set_observer(ArenaObserver* observer) { observer_ = observer; }
  // Null unless this arena is recorded.
  ArenaCounters* counters() const { return counters_; }

 protected:
  // An arena of no bytes: every request of one byte or more is refused.
  Arena() = default;

  // Manages exactly [buffer, buffer + bytes). kArenaNullBuffer; kSizeOverflow: the buffer would end past the last
  // address (address, bytes). On failure the object is unchanged. `observer` may be null; the caller has already sent
  // it OnAttach.
  Status Init(std::byte* buffer, std::size_t bytes, ArenaKind kind, ArenaObserver* observer);

  void set_counters(ArenaCounters* counters) { counters_ = counters; }

 private:
  Outcome<std::uintptr_t> Perform(Operation operation, const Arguments<std::uintptr_t>& arguments);
  std::uintptr_t Ask(Operation operation, std::uintptr_t alignment) const;
  Status Explain(Operation operation, Refusal refusal, const Arguments<std::uintptr_t>& arguments) const;
  Status PerformOnHead(Operation operation, const Arguments<std::uintptr_t>& arguments, std::byte** block);

  ArenaState<std::uintptr_t> state_{};
  ArenaObserver* observer_ = nullptr;
  ArenaCounters* counters_ = nullptr;
};

}  // namespace arenaproof
