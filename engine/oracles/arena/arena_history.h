// Invariants over a whole sequence of calls, checked against what was handed out and never by the arena's own cursors:
// the single-step invariants of core/arena/invariants.h trust the state before the step, this does not.
//
//   CheckHistory(history, step)  the name of the first broken invariant, nullptr if all hold
//   Record(history, step)        what happened, into the history
//
// A client is careful as long as it frees only what is outstanding; count and checksum promise nothing to others, so
// the promises about frees and resets end with the first wrong free that the arena takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/arena/invariants.h"

namespace arenaproof {

// Three bounds say all there is to say about disjointness, because blocks are stacked: temporaries upwards, persistent
// ones downwards. `outstanding` is a sorted multiset of addresses; the first outstanding_count entries are used and the
// rest are 0, so that equal histories compare equal.
template <typename Word, std::size_t kCapacity>
struct ArenaHistory {
  Word head_end{};          // end of the head block
  Word temporary_end{};     // end of the highest temporary since the last reset; head_end if none
  Word persistent_begin{};  // begin of the lowest persistent block; the arena's end if none
  Word kept_begin{};        // of the lowest block that has to live, while an attempt may still be taken back; else 0
  bool attempt = false;     // since MarkTail, until RewindTail or KeepTail
  bool resizable = false;   // a non-persistent arena has handed out its block
  std::array<Word, kCapacity> outstanding{};
  std::uint32_t outstanding_count = 0;
  bool careful = true;

  bool full() const { return outstanding_count == kCapacity; }
  bool IsOutstanding(Word address) const {
    return std::binary_search(outstanding.begin(), outstanding.begin() + outstanding_count, address);
  }
  void Add(Word address) {
    const auto end = outstanding.begin() + outstanding_count;
    const auto place = std::upper_bound(outstanding.begin(), end, address);
    std::copy_backward(place, end, end + 1);
    *place = address;
    ++outstanding_count;
  }
  void Remove(Word address) {
    const auto end = outstanding.begin() + outstanding_count;
    const auto place = std::lower_bound(outstanding.begin(), end, address);
    std::copy(place + 1, end, place);
    --outstanding_count;
    outstanding[outstanding_count] = Word(0);
  }
  void Clear() {
    outstanding = {};
    outstanding_count = 0;
  }

  friend bool operator==(const ArenaHistory&, const ArenaHistory&) = default;
};

template <std::size_t kCapacity, typename Word>
ArenaHistory<Word, kCapacity> EmptyHistory(const ArenaState<Word>& arena) {
  return ArenaHistory<Word, kCapacity>{arena.begin, arena.begin, arena.end, Word(0), false, false, {}, 0, true};
}

// A switch without default: an operation that is new in the table does not compile before it is checked here.
template <typename Word, std::size_t kCapacity>
const char* CheckHistory(const ArenaHistory<Word, kCapacity>& history, const Transition<Word>& step) {
  const bool granted = step.outcome.ok();
  const Word block = step.outcome.result;
  const Exact<Word> block_end = Widen(block) + Widen(step.arguments.size);
  // An arena without the operation refuses it, whatever happened before.
  if (!Describe(step.operation).in(step.before.kind)) {
    return granted ? "I19 two-arena isolation: an arena did what its kind does not offer" : nullptr;
  }
  switch (step.operation) {
    case Operation::kAllocateResizable:
    case Operation::kResizeHead:
    case Operation::kDeallocateResizable:
    case Operation::kReserveOverlay:
      if (!granted) return nullptr;
      if (step.operation == Operation::kAllocateResizable && history.resizable) {
        return "I14 one resizable: a second one while the first is alive";
      }
      if (history.temporary_end != history.head_end || history.outstanding_count != 0) {
        return "I6 reset before head: the head moved over temporaries that were not reset";
      }
      if (step.after.head_end > history.persistent_begin) return "I4 tail and head cross: head over a persistent block";
      if (step.operation == Operation::kAllocateResizable && block_end > Widen(history.persistent_begin)) {
        return "I4 tail and head cross: the head block reaches a persistent block";
      }
      return nullptr;
    case Operation::kAllocateTemporary:
      if (!granted) return nullptr;
      if (block < history.head_end) return "I11 temporary chain: a temporary inside the head";
      if (block < history.temporary_end) return "I11 temporary chain: a temporary over an earlier one";
      if (block_end > Widen(history.persistent_begin)) return "I4 tail crosses: a temporary over a persistent block";
      return nullptr;
    case Operation::kDeallocateTemporary:
      if (!granted && history.careful && history.IsOutstanding(step.arguments.address)) {
        return "I12 temporary tracking: the free of an outstanding temporary was refused";
      }
      return nullptr;
    case Operation::kResetTemporaries:
      if (!history.careful) return nullptr;
      if (granted && history.outstanding_count != 0) return "I7 reset rule: reset while a temporary is outstanding";
      if (!granted && history.outstanding_count == 0) return "I7 reset rule: refused though none is outstanding";
      return nullptr;
    case Operation::kAllocatePersistent:
      if (!granted) return nullptr;
      if (block < history.head_end) return "I4 tail and head cross: a persistent block inside the head";
      if (block < history.temporary_end) return "I4 tail crosses: a persistent block over a temporary";
      if (block_end > Widen(history.persistent_begin)) return "I3 persistence: a persistent block over an earlier one";
      return nullptr;
    case Operation::kMarkTail:
      if (granted && history.attempt) return "I3 persistence: an attempt began inside another";
      return nullptr;
    case Operation::kRewindTail:
      if (!granted) return nullptr;
      if (!history.attempt) return "I3 persistence: the tail went back without an attempt";
      if (step.after.tail_begin > history.kept_begin)
        return "I3 persistence: the tail went back over a block that lives";
      if (history.temporary_end != history.head_end) return "I3 persistence: the tail went back under temporaries";
      return nullptr;
    case Operation::kKeepTail:
      if (granted && !history.attempt) return "I3 persistence: an attempt ended that never began";
      return nullptr;
    case Operation::kAllTemporariesDeallocated:
      if (history.careful && (block != Word(0)) != (history.outstanding_count == 0)) {
        return "I12 temporary tracking: AllTemporariesDeallocated is wrong";
      }
      return nullptr;
    case Operation::kNonPersistentUsedBytes:
      if (block < history.temporary_end - step.before.begin) return "I10 accounting: blocks exceed non-persistent use";
      return nullptr;
    case Operation::kPersistentUsedBytes:
      if (block < step.before.end - history.persistent_begin) return "I10 accounting: blocks exceed persistent use";
      return nullptr;
    case Operation::kUsedBytes:
      if (Widen(block) < Widen(history.temporary_end) - Widen(step.before.begin) + Widen(step.before.end) -
                             Widen(history.persistent_begin)) {
        return "I10 accounting: blocks exceed used bytes";
      }
      return nullptr;
    case Operation::kAvailableBytes:
      if (granted && Widen(block) + Widen(history.temporary_end) > Widen(history.persistent_begin)) {
        return "I9 available is honest: more than lies between the blocks";
      }
      return nullptr;
  }
  return nullptr;
}

// Precondition: the step was checked and nothing was broken; a granted AllocateTemporary only if !history.full().
template <typename Word, std::size_t kCapacity>
void Record(ArenaHistory<Word, kCapacity>& history, const Transition<Word>& step) {
  if (!step.outcome.ok()) return;
  switch (step.operation) {
    case Operation::kAllocateResizable:
    case Operation::kResizeHead:
    case Operation::kDeallocateResizable:
    case Operation::kReserveOverlay:
      history.head_end = step.after.head_end;
      history.temporary_end = history.head_end;
      if (step.operation == Operation::kAllocateResizable) {
        history.resizable = step.before.kind == ArenaKind::kNonPersistent;
      }
      if (step.operation == Operation::kDeallocateResizable) history.resizable = false;
      return;
    case Operation::kAllocateTemporary:
      history.temporary_end = step.outcome.result + step.arguments.size;
      if (history.careful) history.Add(step.outcome.result);
      return;
    case Operation::kDeallocateTemporary:
      if (!history.careful) return;
      if (history.IsOutstanding(step.arguments.address)) {
        history.Remove(step.arguments.address);
      } else {
        history.careful = false;
        history.Clear();
      }
      return;
    case Operation::kResetTemporaries:
      history.temporary_end = history.head_end;
      if (!history.careful) history.careful = step.after.temporary_count == Word(0);
      return;
    case Operation::kAllocatePersistent:
      history.persistent_begin = step.outcome.result;
      return;
    case Operation::kMarkTail:
      history.kept_begin = history.persistent_begin;
      history.attempt = true;
      return;
    case Operation::kRewindTail:
      history.persistent_begin = history.kept_begin;
      history.kept_begin = Word(0);
      history.attempt = false;
      return;
    case Operation::kKeepTail:
      history.kept_begin = Word(0);
      history.attempt = false;
      return;
    case Operation::kAllTemporariesDeallocated:
    case Operation::kNonPersistentUsedBytes:
    case Operation::kPersistentUsedBytes:
    case Operation::kUsedBytes:
    case Operation::kAvailableBytes:
      return;
  }
}

// The whole oracle of one step: the named single-step invariants, then those over the history.
template <typename Word, std::size_t kCapacity>
const char* FirstBroken(const ArenaHistory<Word, kCapacity>& history, const Transition<Word>& step) {
  if (const char* broken = FirstBroken(step)) return broken;
  return CheckHistory(history, step);
}

}  // namespace arenaproof
