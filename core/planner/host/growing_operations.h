// The code of every operation of a growing arena: functions over GrowingState<Word>, the only place where offsets are
// chosen and the plan changes. Production runs them at std::size_t, the engines at std::uint32_t too, the proof at a
// symbolic word.
//
// Contract of each Run(tag, state, arguments): no value of the arguments is forbidden; the state satisfies the
// invariants. On refusal the state is untouched, save that a refused Commit leaves it uncommitted (A7).
//
// Behaviour: the simple memory arena of TensorFlow Lite, byte for byte (invariants A1 to A15 of the planners'
// specification name what follows from it).
#pragma once

#include <algorithm>

#include "core/planner/host/gap_fit.h"
#include "core/planner/host/growing_table.h"

namespace arenaproof {

template <typename Word>
GrowingOutcome<Word> RefusedGrowing(GrowingRefusal refusal) {
  return GrowingOutcome<Word>{refusal, Word(0)};
}

template <typename Word>
GrowingOutcome<Word> GrantedGrowing(const Word& result) {
  return GrowingOutcome<Word>{GrowingRefusal::kNone, result};
}

// How many bytes to ask the host for, so that `bytes` of them can begin at a multiple of `alignment`.
template <typename Word>
constexpr Checked<Word> BlockBytes(const Word& bytes, const Word& alignment) {
  if (alignment == Word(0)) return {};
  const Checked<Word> padded = CheckedAdd(bytes, alignment - Word(1));
  if (!padded.ok) return {};
  return AlignUp(padded.value, alignment);
}

template <typename Word>
bool Meets(const AllocationRecord<Word>& record, const Node<Word>& first, const Node<Word>& last) {
  return static_cast<bool>(And(record.first <= last, first <= record.last));
}

template <typename Word>
void InsertByOffset(std::vector<AllocationRecord<Word>>& active, const AllocationRecord<Word>& record) {
  const auto place = std::upper_bound(active.begin(), active.end(), record, [](const auto& a, const auto& b) {
    return static_cast<bool>(a.offset < b.offset);
  });
  active.insert(place, record);
}

// A size of 0 has no place and is no obstacle to others (A8).
template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kAllocate>, GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  if (arguments.alignment == Word(0)) return RefusedGrowing<Word>(GrowingRefusal::kZeroAlignment);
  if (arguments.alignment > state.alignment) return RefusedGrowing<Word>(GrowingRefusal::kAlignmentTooLarge);
  if (arguments.size == Word(0)) return GrantedGrowing(Word(0));
  GapFit<Word> fit;
  for (const AllocationRecord<Word>& record : state.active) {
    if (!Meets(record, arguments.first, arguments.last)) continue;
    if (!PassRecord(fit, record, arguments.size, arguments.alignment)) {
      return RefusedGrowing<Word>(GrowingRefusal::kOverflow);
    }
  }
  const Checked<Word> place = PlaceAfter(fit, arguments.size, arguments.alignment);
  if (!place.ok) return RefusedGrowing<Word>(GrowingRefusal::kOverflow);
  const Word end = place.value + arguments.size;
  InsertByOffset(state.active, {place.value, arguments.size, arguments.tensor, arguments.first, arguments.last});
  state.high_water = Select(end > state.high_water, end, state.high_water);
  return GrantedGrowing(place.value);
}

// Memory never shrinks.
template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kCommit>, GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  state.committed = Flag<Word>(false);
  if (state.alignment == Word(0)) return RefusedGrowing<Word>(GrowingRefusal::kZeroAlignment);
  if (state.high_water <= state.buffer_bytes) {
    state.committed = Flag<Word>(true);
    return GrantedGrowing(Word(0));
  }
  if (!BlockBytes(state.high_water, state.alignment).ok) return RefusedGrowing<Word>(GrowingRefusal::kOverflow);
  if (!arguments.memory) return RefusedGrowing<Word>(GrowingRefusal::kNoMemory);
  state.buffer_bytes = state.high_water;
  state.committed = Flag<Word>(true);
  return GrantedGrowing(Word(1));
}

template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kResolve>, const GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  if (Not(state.committed)) return RefusedGrowing<Word>(GrowingRefusal::kNotCommitted);
  const Checked<Word> end = CheckedAdd(arguments.offset, arguments.size);
  if (!end.ok) return RefusedGrowing<Word>(GrowingRefusal::kOutsideBuffer);
  if (end.value > state.buffer_bytes) return RefusedGrowing<Word>(GrowingRefusal::kOutsideBuffer);
  return GrantedGrowing(arguments.offset);
}

template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kClearPlan>, GrowingState<Word>& state,
                         const GrowingArguments<Word>&) {
  state.committed = Flag<Word>(false);
  state.high_water = Word(0);
  state.active.clear();
  return GrantedGrowing(Word(0));
}

template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kReleaseBuffer>, GrowingState<Word>& state,
                         const GrowingArguments<Word>&) {
  state.committed = Flag<Word>(false);
  state.buffer_bytes = Word(0);
  return GrantedGrowing(Word(0));
}

template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kResetAllocations>, GrowingState<Word>& state,
                         const GrowingArguments<Word>&) {
  state.active.clear();
  return GrantedGrowing(Word(0));
}

// Forgets what has died before `node`: only for speed, where every later allocation begins at `node` or behind (A13).
template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kPurgeActive>, GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  std::erase_if(state.active, [&](const auto& record) { return static_cast<bool>(record.last < arguments.node); });
  return GrantedGrowing(Word(0));
}

// Forgets what begins behind `node`, which makes room.
template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kPurgeAfter>, GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  std::erase_if(state.active, [&](const auto& record) { return static_cast<bool>(record.first > arguments.node); });
  return GrantedGrowing(Word(0));
}

// New allocations keep clear of exactly those of the given records that live at `node`. The caller gives records that
// arenas have granted.
template <typename Word>
GrowingOutcome<Word> Run(GrowingTag<GrowingOperation::kCalculateActive>, GrowingState<Word>& state,
                         const GrowingArguments<Word>& arguments) {
  std::vector<AllocationRecord<Word>> active;
  for (const AllocationRecord<Word>& record : arguments.records) {
    if (Meets(record, arguments.node, arguments.node)) InsertByOffset(active, record);
  }
  state.active = std::move(active);
  return GrantedGrowing(Word(0));
}

// The only way in, of production and engines alike.
template <typename Word>
GrowingOutcome<Word> Apply(GrowingOperation operation, GrowingState<Word>& state,
                           const GrowingArguments<Word>& arguments) {
  return WithTag(operation, [&](auto tag) { return Run(tag, state, arguments); });
}

}  // namespace arenaproof
