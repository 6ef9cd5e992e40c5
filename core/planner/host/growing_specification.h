// What each operation of a growing arena has to do, in arithmetic that cannot wrap, written without looking at
// growing_operations.h. The named invariants of growing_invariants.h compare the code with this.
//
// One Expect per line of the table; a line without one does not compile.
#pragma once

#include "core/base/exact.h"
#include "core/planner/host/growing_table.h"

namespace arenaproof {

// Which records are in the list afterwards; their order is an invariant of its own.
enum class ActiveEffect : std::uint8_t { kSame, kOneMore, kEmpty, kNotBefore, kNotAfter, kLiveRecords };

template <typename Word>
struct GrowingExpectation {
  ConditionOf<Word> granted;
  Exact<Word> high_water;
  Exact<Word> buffer_bytes;
  ConditionOf<Word> committed;  // after a success; after a refusal only Commit changes it
  Exact<Word> result;
  ActiveEffect active = ActiveEffect::kSame;
};

template <typename Word>
GrowingExpectation<Word> ExpectNothing(const GrowingState<Word>& before) {
  return {Flag<Word>(true), Widen(before.high_water), Widen(before.buffer_bytes),
          before.committed, Widen(Word(0)),           ActiveEffect::kSame};
}

template <typename Word>
ConditionOf<Word> LivesWithin(const AllocationRecord<Word>& record, const Node<Word>& first, const Node<Word>& last) {
  return Not(Or(last < record.first, record.last < first));
}

// A15. `floor` is the end of the allocations passed so far; all numbers of the search are exact.
template <typename Word>
struct SmallestGap {
  Word floor{};
  Exact<Word> place = Widen(Word(0));
  Exact<Word> width = Widen(Largest<Word>());
  ConditionOf<Word> in_gap = Flag<Word>(false);
  ConditionOf<Word> fits = Flag<Word>(true);  // no sum was too large
};

template <typename Word>
SmallestGap<Word> FindSmallestGap(const GrowingState<Word>& before, const GrowingArguments<Word>& arguments) {
  const Exact<Word> largest = Widen(Largest<Word>());
  const Exact<Word> size = Widen(arguments.size);
  SmallestGap<Word> gap;
  for (const AllocationRecord<Word>& record : before.active) {
    const auto meets = LivesWithin(record, arguments.first, arguments.last);
    const Exact<Word> start = ExactAlignUp(gap.floor, arguments.alignment);
    const Exact<Word> record_end = Widen(record.offset) + Widen(record.size);
    gap.fits = And(gap.fits, Implies(meets, And(start + size <= largest, record_end <= largest)));
    const auto wide_enough = start + size <= Widen(record.offset);
    const Exact<Word> aligned_width = Select(wide_enough, Widen(record.offset) - start, largest);
    const auto better = And(meets, wide_enough, Not(gap.width <= aligned_width));
    gap.place = Select(better, start, gap.place);
    gap.width = Select(better, Widen(record.offset) - Widen(gap.floor), gap.width);
    gap.in_gap = Or(gap.in_gap, better);
    const auto higher = And(meets, record_end <= largest, Not(record_end <= Widen(gap.floor)));
    gap.floor = Select(higher, record.offset + record.size, gap.floor);
  }
  gap.place = Select(gap.in_gap, gap.place, ExactAlignUp(gap.floor, arguments.alignment));
  gap.fits = And(gap.fits, gap.place + size <= largest);
  return gap;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kAllocate>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>& arguments) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  expected.granted = And(arguments.alignment != Word(0), arguments.alignment <= before.alignment);
  if (arguments.size == Word(0)) return expected;
  const SmallestGap<Word> gap = FindSmallestGap(before, arguments);
  expected.granted = And(expected.granted, gap.fits);
  expected.result = gap.place;
  const Exact<Word> end = gap.place + Widen(arguments.size);
  expected.high_water = Select(end <= expected.high_water, expected.high_water, end);
  expected.active = ActiveEffect::kOneMore;
  return expected;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kCommit>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>& arguments) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  const auto large_enough = before.high_water <= before.buffer_bytes;
  const Word padding = before.alignment - Word(1);
  const auto padded_fits = Widen(before.high_water) + Widen(padding) <= Widen(Largest<Word>());
  const Word padded = Select(padded_fits, before.high_water + padding, Word(0));
  const auto grows = And(padded_fits, ExactAlignUp(padded, before.alignment) <= Widen(Largest<Word>()));
  expected.granted = And(before.alignment != Word(0), Or(large_enough, And(grows, Flag<Word>(arguments.memory))));
  expected.committed = Flag<Word>(true);
  expected.buffer_bytes = Select(large_enough, Widen(before.buffer_bytes), Widen(before.high_water));
  expected.result = Select(large_enough, Widen(Word(0)), Widen(Word(1)));
  return expected;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kResolve>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>& arguments) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  expected.granted =
      And(before.committed, Widen(arguments.offset) + Widen(arguments.size) <= Widen(before.buffer_bytes));
  expected.result = Widen(arguments.offset);
  return expected;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kClearPlan>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  expected.high_water = Widen(Word(0));
  expected.committed = Flag<Word>(false);
  expected.active = ActiveEffect::kEmpty;
  return expected;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kReleaseBuffer>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  expected.buffer_bytes = Widen(Word(0));
  expected.committed = Flag<Word>(false);
  return expected;
}

template <typename Word>
GrowingExpectation<Word> ExpectActive(const GrowingState<Word>& before, ActiveEffect active) {
  GrowingExpectation<Word> expected = ExpectNothing(before);
  expected.active = active;
  return expected;
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kResetAllocations>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  return ExpectActive(before, ActiveEffect::kEmpty);
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kPurgeActive>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  return ExpectActive(before, ActiveEffect::kNotBefore);
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kPurgeAfter>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  return ExpectActive(before, ActiveEffect::kNotAfter);
}

template <typename Word>
GrowingExpectation<Word> Expect(GrowingTag<GrowingOperation::kCalculateActive>, const GrowingState<Word>& before,
                                const GrowingArguments<Word>&) {
  return ExpectActive(before, ActiveEffect::kLiveRecords);
}

// Whether the reason that a refusal names is true.
template <typename Word>
ConditionOf<Word> ReasonHolds(GrowingRefusal refusal, const GrowingState<Word>& before,
                              const GrowingArguments<Word>& arguments) {
  switch (refusal) {
    case GrowingRefusal::kNone:
      return Flag<Word>(false);
    case GrowingRefusal::kZeroAlignment:
      return Or(arguments.alignment == Word(0), before.alignment == Word(0));
    case GrowingRefusal::kAlignmentTooLarge:
      return arguments.alignment > before.alignment;
    case GrowingRefusal::kNoMemory:
      return Flag<Word>(!arguments.memory);
    case GrowingRefusal::kNotCommitted:
      return Not(before.committed);
    case GrowingRefusal::kOverflow:
    case GrowingRefusal::kOutsideBuffer:  // the invariant "honest refusal" says all of it
      return Flag<Word>(true);
  }
  __builtin_unreachable();
}

}  // namespace arenaproof
