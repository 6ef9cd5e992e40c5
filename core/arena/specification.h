// What each operation has to do, in arithmetic that cannot wrap, written without looking at operations.h: when it is
// granted, the state afterwards, the result. The named invariants of invariants.h compare the code with this.
//
// One Expect per line of the operation table; a line without one does not compile.
#pragma once

#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"
#include "core/arena/outcome.h"
#include "core/base/exact.h"

namespace arenaproof {

template <typename Word>
struct Expectation {
  ConditionOf<Word> granted;
  // After a success; after a refusal nothing changes.
  Exact<Word> head_end;
  Exact<Word> temporary_end;
  Exact<Word> tail_begin;
  Exact<Word> temporary_count;
  Word temporary_checksum;
  Exact<Word> tail_mark;
  ConditionOf<Word> marked;
  ConditionOf<Word> resizable_taken;
  Exact<Word> result;
};

// "Granted, changes nothing, returns 0": the starting point of every Expect.
template <typename Word>
constexpr Expectation<Word> ExpectNothing(const ArenaState<Word>& before) {
  return Expectation<Word>{Word(0) == Word(0),
                           Widen(before.head_end),
                           Widen(before.temporary_end),
                           Widen(before.tail_begin),
                           Widen(before.temporary_count),
                           before.temporary_checksum,
                           Widen(before.tail_mark),
                           before.marked,
                           before.resizable_taken,
                           Widen(Word(0))};
}

// The lowest temporary of `size` bytes in the gap ends at or below the tail.
template <typename Word>
constexpr auto TemporaryFits(const ArenaState<Word>& before, const Exact<Word>& size, const Word& alignment) {
  return ExactAlignUp(before.temporary_end, alignment) + size <= Widen(before.tail_begin);
}

// Where a tail block of `size` bytes begins; meaningful if size <= tail_begin.
template <typename Word>
constexpr Exact<Word> PersistentStart(const ArenaState<Word>& before, const Word& size, const Word& alignment) {
  const Word highest = Select(size <= before.tail_begin, before.tail_begin - size, Word(0));
  return ExactAlignDown(highest, alignment);
}

template <typename Word>
constexpr auto PersistentFits(const ArenaState<Word>& before, const Word& size, const Word& alignment) {
  return And(size <= before.tail_begin, Widen(before.temporary_end) <= PersistentStart(before, size, alignment));
}

template <typename Word>
constexpr Expectation<Word> ExpectHead(const ArenaState<Word>& before, const Word& size, const Word& alignment) {
  Expectation<Word> expected = ExpectNothing(before);
  const Exact<Word> start = ExactAlignUp(before.begin, alignment);
  expected.head_end = start + Widen(size);
  expected.temporary_end = expected.head_end;
  expected.granted = And(alignment != Word(0), before.temporary_end == before.head_end,
                         before.temporary_count == Word(0), expected.head_end <= Widen(before.tail_begin));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kAllocateResizable>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectHead(before, arguments.size, arguments.alignment);
  expected.result = ExactAlignUp(before.begin, arguments.alignment);
  if (before.kind == ArenaKind::kNonPersistent) {
    expected.granted = And(expected.granted, Not(before.resizable_taken));
    expected.resizable_taken = Flag<Word>(true);
  }
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kResizeHead>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectHead(before, arguments.size, arguments.alignment);
  expected.granted = And(expected.granted, Widen(arguments.address) == ExactAlignUp(before.begin, arguments.alignment));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kDeallocateResizable>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectHead(before, Word(0), Word(1));
  expected.granted = And(expected.granted, arguments.address == before.begin);
  expected.resizable_taken = Flag<Word>(false);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kReserveOverlay>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  return ExpectHead(before, arguments.size, arguments.alignment);
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kAllocateTemporary>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.result = ExactAlignUp(before.temporary_end, arguments.alignment);
  expected.temporary_end = expected.result + Widen(arguments.size);
  expected.temporary_count = Widen(before.temporary_count) + Widen(Word(1));
  expected.granted = And(arguments.alignment != Word(0), expected.temporary_count <= Widen(Largest<Word>()),
                         TemporaryFits(before, Widen(arguments.size), arguments.alignment));
  return expected;  // the checksum needs the result as a word: invariant I12
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kDeallocateTemporary>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectNothing(before);
  const auto in_section = And(before.head_end <= arguments.address, arguments.address <= before.temporary_end);
  // An address equal to the end is no temporary with bytes; with one outstanding, the checksum is its address.
  const auto past_the_only_one = And(arguments.address == before.temporary_end, before.temporary_count == Word(1),
                                     arguments.address != before.temporary_checksum);
  expected.granted = And(before.temporary_count != Word(0), in_section, Not(past_the_only_one));
  expected.temporary_count =
      Select(before.temporary_count == Word(0), Widen(Word(0)), Widen(before.temporary_count) - Widen(Word(1)));
  expected.temporary_checksum = Toggle(before.temporary_checksum, arguments.address);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kResetTemporaries>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.granted = And(before.temporary_count == Word(0), before.temporary_checksum == Word(0));
  expected.temporary_end = Widen(before.head_end);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kAllocatePersistent>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.result = PersistentStart(before, arguments.size, arguments.alignment);
  expected.tail_begin = expected.result;
  expected.granted = And(arguments.alignment != Word(0), PersistentFits(before, arguments.size, arguments.alignment));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kMarkTail>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.granted = Not(before.marked);
  expected.marked = Flag<Word>(true);
  expected.tail_mark = Widen(before.tail_begin);
  expected.result = Widen(before.tail_begin);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kRewindTail>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.granted = And(before.marked, arguments.address == before.tail_mark, before.temporary_end == before.head_end,
                         before.temporary_count == Word(0));
  expected.tail_begin = Widen(before.tail_mark);
  expected.marked = Flag<Word>(false);
  expected.tail_mark = Widen(Word(0));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kKeepTail>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.granted = before.marked;
  expected.marked = Flag<Word>(false);
  expected.tail_mark = Widen(Word(0));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kAllTemporariesDeallocated>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  const auto none = And(before.temporary_count == Word(0), before.temporary_checksum == Word(0));
  expected.result = Select(none, Widen(Word(1)), Widen(Word(0)));
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kNonPersistentUsedBytes>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.result = Widen(before.temporary_end) - Widen(before.begin);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kPersistentUsedBytes>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.result = Widen(before.end) - Widen(before.tail_begin);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kUsedBytes>, const ArenaState<Word>& before,
                                   const Arguments<Word>&) {
  Expectation<Word> expected = ExpectNothing(before);
  expected.result = Widen(before.temporary_end) - Widen(before.begin) + Widen(before.end) - Widen(before.tail_begin);
  return expected;
}

template <typename Word>
constexpr Expectation<Word> Expect(OperationTag<Operation::kAvailableBytes>, const ArenaState<Word>& before,
                                   const Arguments<Word>& arguments) {
  Expectation<Word> expected = ExpectNothing(before);
  const Exact<Word> low = ExactAlignUp(before.temporary_end, arguments.alignment);
  const Exact<Word> high = ExactAlignDown(before.tail_begin, arguments.alignment);
  expected.granted = arguments.alignment != Word(0);
  expected.result = Select(low <= high, high - low, Widen(Word(0)));
  return expected;
}

// Whether the reason that a refusal names is true of the state and the arguments.
template <typename Word>
constexpr ConditionOf<Word> ReasonHolds(Refusal refusal, const OperationDescriptor& operation,
                                        const ArenaState<Word>& before, const Arguments<Word>& arguments) {
  const auto always = Word(0) == Word(0);
  const auto zero_alignment = And(arguments.alignment == Word(0), operation.takes_alignment ? always : Not(always));
  switch (refusal) {
    case Refusal::kNone:
      return Not(always);
    case Refusal::kZeroAlignment:
      return zero_alignment;
    case Refusal::kTemporariesLive: {
      const auto live = Or(before.temporary_end != before.head_end, before.temporary_count != Word(0));
      // A non-persistent arena names a wrong address first.
      const bool address_first = before.kind == ArenaKind::kNonPersistent && operation.takes_address;
      if (!address_first) return live;
      return And(live, Widen(arguments.address) ==
                           ExactAlignUp(before.begin, operation.takes_alignment ? arguments.alignment : Word(1)));
    }
    case Refusal::kNotTheHeadBlock:
      return Widen(arguments.address) !=
             ExactAlignUp(before.begin, operation.takes_alignment ? arguments.alignment : Word(1));
    case Refusal::kDoesNotFit:  // that it does not fit is the invariant "honest refusal"
      return Not(zero_alignment);
    case Refusal::kNoTemporaryOutstanding:
      return before.temporary_count == Word(0);
    case Refusal::kForeignTemporary:
      return Or(arguments.address < before.head_end, arguments.address >= before.temporary_end);
    case Refusal::kTemporariesOutstanding:
      return Or(before.temporary_count != Word(0), before.temporary_checksum != Word(0));
    case Refusal::kTooManyTemporaries:
      return before.temporary_count == Largest<Word>();
    case Refusal::kNotOffered:
      return operation.in(before.kind) ? Not(always) : always;
    case Refusal::kResizableTaken:
      return before.resizable_taken;
    case Refusal::kTailMarked:
      return before.marked;
    case Refusal::kNotTheMark:
      return operation.takes_address ? Or(Not(before.marked), arguments.address != before.tail_mark)
                                     : Not(before.marked);
  }
  __builtin_unreachable();
}

}  // namespace arenaproof
