// The smallest-gap fit, one step of it: how the search for a place goes past one allocation that lives at the same
// time. Extracted so that the proof can take the step from any state of the search, for any number of allocations.
//
// Source of the behaviour: the simple memory arena of TensorFlow Lite. A gap is compared by its aligned width and
// remembered by its whole width, so that a later gap wins against an earlier one that is as wide but begins unaligned.
// Every sum and rounding is checked there and here; one that does not fit a word refuses the allocation. (The reference
// stops at a remembered width of 0. No gap that takes a byte has that width, as the proof shows.)
#pragma once

#include "core/base/checked_word.h"
#include "core/planner/host/growing_state.h"

namespace arenaproof {

template <typename Word>
struct GapFit {
  Word end{};   // of the allocations passed: nothing of them lies at or behind it
  Word best{};  // start of the best gap, if one was found
  Word width = Largest<Word>();
  ConditionOf<Word> found = Flag<Word>(false);
};

// False: some sum does not fit a word. Precondition: alignment > 0, and `record` does not begin before one passed.
template <typename Word>
constexpr bool PassRecord(GapFit<Word>& fit, const AllocationRecord<Word>& record, const Word& size,
                          const Word& alignment) {
  const Checked<Word> start = AlignUp(fit.end, alignment);
  if (!start.ok) return false;
  const Checked<Word> stop = CheckedAdd(start.value, size);
  if (!stop.ok) return false;
  const Checked<Word> record_end = CheckedAdd(record.offset, record.size);
  if (!record_end.ok) return false;
  const auto better = And(stop.value <= record.offset, record.offset - start.value < fit.width);
  fit.best = Select(better, start.value, fit.best);
  fit.width = Select(better, record.offset - fit.end, fit.width);
  fit.found = Or(fit.found, better);
  fit.end = Select(record_end.value > fit.end, record_end.value, fit.end);
  return true;
}

// The place: the best gap, or the first aligned byte behind everything. Absent: it would end beyond the last word.
template <typename Word>
constexpr Checked<Word> PlaceAfter(const GapFit<Word>& fit, const Word& size, const Word& alignment) {
  Checked<Word> place{true, fit.best};
  if (!static_cast<bool>(fit.found)) place = AlignUp(fit.end, alignment);
  if (!place.ok) return {};
  if (!CheckedAdd(place.value, size).ok) return {};
  return place;
}

}  // namespace arenaproof
