// Every invariant of the arena, stated once and named as in the specification (I1, I2, ...). The proof, the small-scope
// search, the RapidCheck machine, the fuzz target and the debug checks of Arena all evaluate these functions.
//
// A `sink` is called as sink(const char* name, condition) once per invariant, always with the same names in the same
// order for the same operation. With concrete words a condition is a bool, with symbolic ones a formula.
//
//   VisitStateInvariants(state, sink)            what holds of every reachable state
//   VisitTransitionInvariants(transition, sink)  what holds of every step (state invariants of `after` included)
//   FirstBroken(state), FirstBroken(transition)  the name of the first broken one, nullptr if all hold (concrete words)
#pragma once

#include "core/arena/arena_state.h"
#include "core/arena/operation_table.h"
#include "core/arena/outcome.h"
#include "core/arena/specification.h"
#include "core/base/exact.h"

namespace arenaproof {

template <typename Word>
struct Transition {
  ArenaState<Word> before;
  Operation operation;
  Arguments<Word> arguments;
  Outcome<Word> outcome;
  ArenaState<Word> after;
};

template <typename Word, typename Sink>
constexpr void VisitStateInvariants(const ArenaState<Word>& state, Sink&& sink) {
  sink("I1 order: begin <= head_end <= temporary_end <= tail_begin <= end",
       And(state.begin <= state.head_end, state.head_end <= state.temporary_end,
           state.temporary_end <= state.tail_begin, state.tail_begin <= state.end));
  sink("I10 accounting: head, temporary and tail together are no larger than the arena",
       Widen(state.temporary_end) + Widen(state.end) <= Widen(state.end) + Widen(state.tail_begin));
  sink("I3 mark: it lies between the tail's begin and the arena's end, and is 0 when there is none",
       And(Implies(state.marked, And(state.tail_begin <= state.tail_mark, state.tail_mark <= state.end)),
           Or(state.marked, state.tail_mark == Word(0))));
  const auto no_head =
      And(state.temporary_end == state.begin, state.temporary_count == Word(0), state.temporary_checksum == Word(0));
  sink("I19 two-arena isolation: a persistent arena has a tail only",
       state.kind == ArenaKind::kPersistent ? no_head : Flag<Word>(true));
  sink("I19 two-arena isolation: a non-persistent arena has no tail",
       state.kind == ArenaKind::kNonPersistent ? And(state.tail_begin == state.end, Not(state.marked))
                                               : Flag<Word>(true));
  sink("I14 one resizable: only a non-persistent arena says that its block is taken",
       state.kind == ArenaKind::kNonPersistent ? Flag<Word>(true) : Not(state.resizable_taken));
}

template <typename Word>
constexpr auto SameState(const ArenaState<Word>& a, const ArenaState<Word>& b) {
  return And(a.begin == b.begin, a.head_end == b.head_end, a.temporary_end == b.temporary_end,
             a.tail_begin == b.tail_begin, a.end == b.end, a.temporary_count == b.temporary_count,
             a.temporary_checksum == b.temporary_checksum, a.tail_mark == b.tail_mark, Agree(a.marked, b.marked),
             Agree(a.resizable_taken, b.resizable_taken), Flag<Word>(a.kind == b.kind));
}

namespace invariants_internal {

template <typename Word, typename Sink>
constexpr void VisitRefusal(const Transition<Word>& step, const Expectation<Word>& expected, Sink&& sink) {
  sink("I8 failure atomicity: a refusal changes nothing", SameState(step.before, step.after));
  sink("honest refusal: only what truly cannot be granted is refused", Not(expected.granted));
  sink("honest reason: what the refusal says is true",
       ReasonHolds(step.outcome.refusal, Describe(step.operation), step.before, step.arguments));
}

// Frame and effect: each cursor is exactly where the specification puts it.
template <typename Word, typename Sink>
constexpr void VisitEffect(const Transition<Word>& step, const Expectation<Word>& expected, Sink&& sink) {
  const ArenaState<Word>& after = step.after;
  sink("honest grant: only what truly can be granted is granted (I6, I7, I12, I17)", expected.granted);
  sink("frame: begin and end never move, an arena stays what it is",
       And(step.before.begin == after.begin, step.before.end == after.end, Flag<Word>(step.before.kind == after.kind)));
  sink("effect: head_end is where it has to be", Widen(after.head_end) == expected.head_end);
  sink("effect: temporary_end is where it has to be", Widen(after.temporary_end) == expected.temporary_end);
  sink("effect: tail_begin is where it has to be", Widen(after.tail_begin) == expected.tail_begin);
  sink("effect: temporary_count is what it has to be", Widen(after.temporary_count) == expected.temporary_count);
  sink("effect: the mark is where it has to be",
       And(Widen(after.tail_mark) == expected.tail_mark, Agree(after.marked, expected.marked)));
  sink("I14 one resizable: taken exactly from its allocation to its deallocation",
       Agree(after.resizable_taken, expected.resizable_taken));
  sink("effect: the result is what it has to be", Widen(step.outcome.result) == expected.result);
}

// A block that was handed out: `low` and `high` bound the gap it has to lie in.
template <typename Word, typename Sink>
constexpr void VisitBlock(const Transition<Word>& step, const Word& low, const Word& high, Sink&& sink) {
  const Word& block = step.outcome.result;
  sink("I2 alignment: the block starts at a multiple of its alignment", IsMultiple(block, step.arguments.alignment));
  sink("I2 containment: the block lies inside the gap, exactly",
       And(low <= block, Widen(block) + Widen(step.arguments.size) <= Widen(high)));
}

template <typename Word, typename Sink>
constexpr void VisitHead(const Transition<Word>& step, Sink&& sink) {
  sink("I5, I6 head moves only after a reset",
       And(step.before.temporary_end == step.before.head_end, step.before.temporary_count == Word(0)));
  sink("I7 after a head operation the temporary section is empty", step.after.temporary_end == step.after.head_end);
}

template <typename Word, typename Sink>
constexpr void VisitAvailable(const Transition<Word>& step, Sink&& sink) {
  const ArenaState<Word>& state = step.before;
  const Word& alignment = step.arguments.alignment;
  const Word& available = step.outcome.result;
  const auto some = available != Word(0);
  sink("I9 available is honest: a temporary of that size fits",
       Implies(some, TemporaryFits(state, Widen(available), alignment)));
  sink("I9 available is honest: a persistent block of that size fits",
       Implies(some, PersistentFits(state, available, alignment)));
  sink("I9 available is honest: with 0, not even one alignment fits",
       Or(some, And(Not(TemporaryFits(state, Widen(alignment), alignment)),
                    Not(PersistentFits(state, alignment, alignment)))));
  sink("I9 available is honest: two alignments more do not fit",
       Not(TemporaryFits(state, Widen(available) + Widen(alignment) + Widen(alignment), alignment)));
}

}  // namespace invariants_internal

template <typename Word, typename Sink>
constexpr void VisitTransitionInvariants(const Transition<Word>& step, Sink&& sink) {
  using namespace invariants_internal;
  const ArenaState<Word>& before = step.before;
  const ArenaState<Word>& after = step.after;
  const OperationDescriptor& descriptor = Describe(step.operation);
  Expectation<Word> expected = WithTag(step.operation, [&](auto tag) { return Expect(tag, before, step.arguments); });
  if (!descriptor.in(before.kind)) expected.granted = Flag<Word>(false);

  VisitStateInvariants(after, sink);
  if (!step.outcome.ok()) {
    VisitRefusal(step, expected, sink);
    return;
  }
  VisitEffect(step, expected, sink);
  if (step.operation == Operation::kRewindTail) {
    sink("I3 persistence: the tail goes back to its mark and no further",
         And(before.marked, after.tail_begin == before.tail_mark));
  } else {
    sink("I3 persistence: the tail never shrinks", after.tail_begin <= before.tail_begin);
  }
  if (descriptor.section == OperationSection::kHead) VisitHead(step, sink);
  if (step.operation == Operation::kAllocateResizable) {
    VisitBlock(step, before.begin, before.tail_begin, sink);
    sink("I13 resizable identity: the block is the first aligned byte",
         Widen(step.outcome.result) == ExactAlignUp(before.begin, step.arguments.alignment));
  }
  if (step.operation == Operation::kAllocateTemporary) {
    VisitBlock(step, before.temporary_end, before.tail_begin, sink);
    sink("I11 temporary chain: the section ends where its last block ends",
         Widen(after.temporary_end) == Widen(step.outcome.result) + Widen(step.arguments.size));
    sink("I12 temporary tracking: the checksum takes the block in",
         after.temporary_checksum == Toggle(before.temporary_checksum, step.outcome.result));
  } else {
    sink("I12 temporary tracking: the checksum is what it has to be",
         after.temporary_checksum == expected.temporary_checksum);
  }
  if (step.operation == Operation::kResetTemporaries) {
    sink("I7 reset rule: only with none outstanding, and then the section is empty",
         And(before.temporary_count == Word(0), before.temporary_checksum == Word(0),
             after.temporary_end == after.head_end));
  }
  if (step.operation == Operation::kAllocatePersistent) {
    VisitBlock(step, before.temporary_end, before.tail_begin, sink);
    sink("I4 tail never crosses: the block is above head and temporaries",
         And(before.head_end <= step.outcome.result, before.temporary_end <= step.outcome.result));
  }
  if (descriptor.section == OperationSection::kNone) {
    sink("frame: a question changes nothing", SameState(before, after));
  }
  if (step.operation == Operation::kUsedBytes) {
    sink("I10 accounting: used bytes never exceed the arena",
         Widen(step.outcome.result) + Widen(before.begin) <= Widen(before.end));
  }
  if (step.operation == Operation::kAvailableBytes) VisitAvailable(step, sink);
}

namespace invariants_internal {

struct RememberFirstBroken {
  const char* name = nullptr;
  constexpr void operator()(const char* invariant, bool holds) {
    if (!holds && name == nullptr) name = invariant;
  }
};

}  // namespace invariants_internal

template <ConcreteWord Word>
constexpr const char* FirstBroken(const ArenaState<Word>& state) {
  invariants_internal::RememberFirstBroken first;
  VisitStateInvariants(state, first);
  return first.name;
}

template <ConcreteWord Word>
constexpr const char* FirstBroken(const Transition<Word>& step) {
  invariants_internal::RememberFirstBroken first;
  VisitTransitionInvariants(step, first);
  return first.name;
}

}  // namespace arenaproof
