// The code of every operation of the arena: pure functions over ArenaState<Word>, the only place where cursors move.
// Production runs them at std::uintptr_t, the engines at std::uint32_t too, the proof at a symbolic word.
//
// Contract of each Run(tag, state, arguments): the state satisfies the invariants; no value of the arguments is
// forbidden. On success the state is the new one; on refusal it is untouched and the reason is named. Arguments that
// the operation does not take are ignored. Whether the arena has the operation at all is checked by Apply.
//
// Behaviour: TensorFlow Lite Micro's single-arena buffer allocator, and its persistent and non-persistent ones, which
// are single arenas with one half missing (what differs beyond that is said at its place). It differs from them on
// purpose where the reference wraps, crosses sections or loses count: see the comment at each place.
#pragma once

#include <cstdint>

#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"
#include "core/arena/outcome.h"
#include "core/base/checked_word.h"

namespace arenaproof {

// ---- head: one resizable block that starts at the first aligned byte

// The part that all head operations share: `block` is where the caller believes the block to be, absent if the caller
// leaves that to the arena. A temporary of zero bytes that is still outstanding blocks the head too: once the head
// has moved past it, it could no longer be distinguished from a foreign address.
template <typename Word>
constexpr Outcome<Word> MoveHead(ArenaState<Word>& state, const Word& size, const Word& alignment,
                                 const Checked<Word>& block) {
  if (alignment == Word(0)) return Refused<Word>(Refusal::kZeroAlignment);
  if (state.temporary_end != state.head_end) return Refused<Word>(Refusal::kTemporariesLive);
  if (state.temporary_count != Word(0)) return Refused<Word>(Refusal::kTemporariesLive);
  const Word distance = DistanceToMultiple(state.begin, alignment);
  const Word room = state.tail_begin - state.begin;
  if (distance > room) return Refused<Word>(Refusal::kDoesNotFit);
  const Word start = state.begin + distance;
  if (block.ok) {
    if (block.value != start) return Refused<Word>(Refusal::kNotTheHeadBlock);
  }
  if (size > room - distance) return Refused<Word>(Refusal::kDoesNotFit);
  state.head_end = start + size;
  state.temporary_end = state.head_end;
  return Granted(start);
}

// When the address is wrong and temporaries are live, a non-persistent arena names the address, a single one the
// temporaries.
template <typename Word>
constexpr bool NamesTheAddress(const ArenaState<Word>& state, const Word& alignment, const Word& address) {
  if (state.kind != ArenaKind::kNonPersistent) return false;
  if (alignment == Word(0)) return false;
  const Checked<Word> start = AlignUp(state.begin, alignment);
  if (!start.ok) return true;
  return static_cast<bool>(start.value != address);
}

// I14: a single arena has no second block to hand out. As in the reference a further call resizes the one block, whose
// address then means the new size (another alignment may move it). Only the non-persistent kind refuses, until the
// block is given back.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kAllocateResizable>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (state.resizable_taken) return Refused<Word>(Refusal::kResizableTaken);
  const Outcome<Word> outcome = MoveHead(state, arguments.size, arguments.alignment, Checked<Word>{});
  if (outcome.ok()) state.resizable_taken = Flag<Word>(state.kind == ArenaKind::kNonPersistent);
  return outcome;
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kResizeHead>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (NamesTheAddress(state, arguments.alignment, arguments.address)) return Refused<Word>(Refusal::kNotTheHeadBlock);
  Outcome<Word> outcome = MoveHead(state, arguments.size, arguments.alignment, Checked<Word>{true, arguments.address});
  outcome.result = Word(0);
  return outcome;
}

// Succeeds only for a block at `begin` itself: one obtained with an alignment that `begin` does not satisfy cannot be
// given back, as in the reference.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kDeallocateResizable>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (NamesTheAddress(state, Word(1), arguments.address)) return Refused<Word>(Refusal::kNotTheHeadBlock);
  Outcome<Word> outcome = MoveHead(state, Word(0), Word(1), Checked<Word>{true, arguments.address});
  if (outcome.ok()) state.resizable_taken = Flag<Word>(false);
  outcome.result = Word(0);
  return outcome;
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kReserveOverlay>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  Outcome<Word> outcome = MoveHead(state, arguments.size, arguments.alignment, Checked<Word>{});
  outcome.result = Word(0);
  return outcome;
}

// ---- temporary: a chain that only a reset gives back

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kAllocateTemporary>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (arguments.alignment == Word(0)) return Refused<Word>(Refusal::kZeroAlignment);
  if (state.temporary_count == Largest<Word>()) return Refused<Word>(Refusal::kTooManyTemporaries);
  const Checked<Word> block = LowestBlock(state.temporary_end, state.tail_begin, arguments.size, arguments.alignment);
  if (!block.ok) return Refused<Word>(Refusal::kDoesNotFit);
  state.temporary_end = block.value + arguments.size;
  state.temporary_count = state.temporary_count + Word(1);
  state.temporary_checksum = Toggle(state.temporary_checksum, block.value);
  return Granted(block.value);
}

// Book-keeping only; never returns memory. Count and checksum cannot name an address, so a double free inside the
// section passes here (an observer reports it); what cannot be a temporary at all is refused. The address
// temporary_end itself can only be a temporary of zero bytes; if one temporary is left, the checksum is its address.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kDeallocateTemporary>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (state.temporary_count == Word(0)) return Refused<Word>(Refusal::kNoTemporaryOutstanding);
  const auto inside = And(arguments.address >= state.head_end, arguments.address < state.temporary_end);
  const auto zero_bytes_at_end =
      And(arguments.address == state.temporary_end,
          Or(state.temporary_count > Word(1), state.temporary_checksum == arguments.address));
  if (Not(Or(inside, zero_bytes_at_end))) return Refused<Word>(Refusal::kForeignTemporary);
  state.temporary_count = state.temporary_count - Word(1);
  state.temporary_checksum = Toggle(state.temporary_checksum, arguments.address);
  return Granted(Word(0));
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kResetTemporaries>, ArenaState<Word>& state,
                            const Arguments<Word>&) {
  if (Or(state.temporary_count != Word(0), state.temporary_checksum != Word(0))) {
    return Refused<Word>(Refusal::kTemporariesOutstanding);
  }
  state.temporary_end = state.head_end;
  return Granted(Word(0));
}

// ---- tail: blocks that live as long as the arena, from high to low

// Compared with the temporary section's end, not with the head's: the reference hands out memory of live temporaries.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kAllocatePersistent>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (arguments.alignment == Word(0)) return Refused<Word>(Refusal::kZeroAlignment);
  const Checked<Word> block = HighestBlock(state.temporary_end, state.tail_begin, arguments.size, arguments.alignment);
  if (!block.ok) return Refused<Word>(Refusal::kDoesNotFit);
  state.tail_begin = block.value;
  return Granted(block.value);
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kMarkTail>, ArenaState<Word>& state, const Arguments<Word>&) {
  if (state.marked) return Refused<Word>(Refusal::kTailMarked);
  state.marked = Flag<Word>(true);
  state.tail_mark = state.tail_begin;
  return Granted(state.tail_mark);
}

// Takes back the attempt that began with the mark. While temporaries are in use somebody of that attempt still runs.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kRewindTail>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (Not(state.marked)) return Refused<Word>(Refusal::kNotTheMark);
  if (arguments.address != state.tail_mark) return Refused<Word>(Refusal::kNotTheMark);
  if (state.temporary_end != state.head_end) return Refused<Word>(Refusal::kTemporariesLive);
  if (state.temporary_count != Word(0)) return Refused<Word>(Refusal::kTemporariesLive);
  state.tail_begin = state.tail_mark;
  state.tail_mark = Word(0);
  state.marked = Flag<Word>(false);
  return Granted(Word(0));
}

// The attempt has succeeded: its blocks live as long as the arena.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kKeepTail>, ArenaState<Word>& state, const Arguments<Word>&) {
  if (Not(state.marked)) return Refused<Word>(Refusal::kNotTheMark);
  state.tail_mark = Word(0);
  state.marked = Flag<Word>(false);
  return Granted(Word(0));
}

// ---- questions

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kAllTemporariesDeallocated>, ArenaState<Word>& state,
                            const Arguments<Word>&) {
  return Granted(Select(And(state.temporary_count == Word(0), state.temporary_checksum == Word(0)), Word(1), Word(0)));
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kNonPersistentUsedBytes>, ArenaState<Word>& state,
                            const Arguments<Word>&) {
  return Granted(state.temporary_end - state.begin);
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kPersistentUsedBytes>, ArenaState<Word>& state,
                            const Arguments<Word>&) {
  return Granted(state.end - state.tail_begin);
}

template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kUsedBytes>, ArenaState<Word>& state, const Arguments<Word>&) {
  return Granted((state.temporary_end - state.begin) + (state.end - state.tail_begin));
}

// What a block of that alignment may have at most, if its size is a multiple of the alignment; 0 when the rounded
// cursors cross (the reference wraps). Refused only for an alignment of 0.
template <typename Word>
constexpr Outcome<Word> Run(OperationTag<Operation::kAvailableBytes>, ArenaState<Word>& state,
                            const Arguments<Word>& arguments) {
  if (arguments.alignment == Word(0)) return Refused<Word>(Refusal::kZeroAlignment);
  const Word room = state.tail_begin - state.temporary_end;
  const Word below = DistanceToMultiple(state.temporary_end, arguments.alignment);
  if (below > room) return Granted(Word(0));
  // A multiple lies in the gap, so the tail rounded down is not below it.
  return Granted(room - below - Remainder(state.tail_begin, arguments.alignment));
}

// The only way in, of production and engines alike.
template <typename Word>
constexpr Outcome<Word> Apply(Operation operation, ArenaState<Word>& state, const Arguments<Word>& arguments) {
  if (!Describe(operation).in(state.kind)) return Refused<Word>(Refusal::kNotOffered);
  return WithTag(operation, [&](auto tag) { return Run(tag, state, arguments); });
}

}  // namespace arenaproof
