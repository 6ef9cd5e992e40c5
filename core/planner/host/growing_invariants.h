// Every invariant of a growing arena, stated once; the numbers (A1, A2, ...) are those of the planners' specification.
// The proof, the small-scope search, the state machine, the fuzz target and the debug checks of SimpleArena all
// evaluate these functions.
//
// A `sink` is called as sink(const char* name, condition). With concrete words a condition is a bool, with symbolic
// ones a formula.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "core/planner/host/growing_specification.h"

namespace arenaproof {

template <typename Word>
struct GrowingTransition {
  GrowingState<Word> before;
  GrowingOperation operation;
  GrowingArguments<Word> arguments;
  GrowingOutcome<Word> outcome;
  GrowingState<Word> after;
};

template <typename Word>
ConditionOf<Word> SameRecord(const AllocationRecord<Word>& a, const AllocationRecord<Word>& b) {
  return And(a.offset == b.offset, a.size == b.size, Flag<Word>(a.tensor == b.tensor), a.first == b.first,
             a.last == b.last);
}

template <typename Word, typename Sink>
void VisitGrowingState(const GrowingState<Word>& state, Sink&& sink) {
  auto sorted = Flag<Word>(true);
  auto ends_fit = Flag<Word>(true);
  for (std::size_t i = 0; i < state.active.size(); ++i) {
    const AllocationRecord<Word>& record = state.active[i];
    if (i > 0) sorted = And(sorted, state.active[i - 1].offset <= record.offset);
    ends_fit = And(ends_fit, Widen(record.offset) + Widen(record.size) <= Widen(Largest<Word>()));
  }
  sink("the list of active allocations is ordered by offset", sorted);
  sink("A14 no wrap: every active allocation ends within the words", ends_fit);
}

namespace growing_internal {

template <typename Word>
ConditionOf<Word> SameList(const std::vector<AllocationRecord<Word>>& a, const std::vector<AllocationRecord<Word>>& b) {
  if (a.size() != b.size()) return Flag<Word>(false);
  auto same = Flag<Word>(true);
  for (std::size_t i = 0; i < a.size(); ++i) same = And(same, SameRecord(a[i], b[i]));
  return same;
}

// `after` is `before` with the record added behind all of no larger offset.
template <typename Word>
ConditionOf<Word> IsOneMore(const std::vector<AllocationRecord<Word>>& before,
                            const std::vector<AllocationRecord<Word>>& after, const AllocationRecord<Word>& record) {
  if (after.size() != before.size() + 1) return Flag<Word>(false);
  auto here = Flag<Word>(true);  // everything before position i is as it was and begins no later than the record
  std::deque<ConditionOf<Word>> rest(after.size(), Flag<Word>(true));  // the same of what is behind it
  for (std::size_t i = before.size(); i > 0; --i) {
    rest[i - 1] = And(rest[i], SameRecord(before[i - 1], after[i]), before[i - 1].offset > record.offset);
  }
  auto found = Flag<Word>(false);
  for (std::size_t i = 0; i < after.size(); ++i) {
    found = Or(found, And(here, SameRecord(after[i], record), rest[i]));
    if (i < before.size()) {
      here = And(here, SameRecord(before[i], after[i]), before[i].offset <= record.offset);
    }
  }
  return found;
}

// `after` holds those of `from` that `keep` wants, in their order. Only for lists in which that is decided.
template <typename Word, typename Keep>
ConditionOf<Word> IsSelection(const std::vector<AllocationRecord<Word>>& from,
                              const std::vector<AllocationRecord<Word>>& after, Keep&& keep) {
  auto same = Flag<Word>(true);
  std::size_t position = 0;
  for (const AllocationRecord<Word>& record : from) {
    if (!static_cast<bool>(keep(record))) continue;
    if (position == after.size()) return Flag<Word>(false);
    same = And(same, SameRecord(record, after[position]));
    ++position;
  }
  return position == after.size() ? same : Flag<Word>(false);
}

// Each record that lives at the node is there, and nothing else.
template <typename Word>
ConditionOf<Word> AreLiveRecords(const GrowingArguments<Word>& arguments,
                                 const std::vector<AllocationRecord<Word>>& after) {
  std::vector<AllocationRecord<Word>> live;
  for (const AllocationRecord<Word>& record : arguments.records) {
    if (!static_cast<bool>(LivesWithin(record, arguments.node, arguments.node))) continue;
    std::size_t place = live.size();
    while (place > 0 && static_cast<bool>(live[place - 1].offset > record.offset)) --place;
    live.insert(live.begin() + static_cast<std::ptrdiff_t>(place), record);
  }
  return SameList(live, after);
}

template <typename Word>
ConditionOf<Word> ListIsAsExpected(const GrowingTransition<Word>& step, ActiveEffect effect) {
  const auto& before = step.before.active;
  const auto& after = step.after.active;
  const GrowingArguments<Word>& arguments = step.arguments;
  switch (effect) {
    case ActiveEffect::kSame:
      return SameList(before, after);
    case ActiveEffect::kOneMore:
      return IsOneMore(before, after,
                       {step.outcome.result, arguments.size, arguments.tensor, arguments.first, arguments.last});
    case ActiveEffect::kEmpty:
      return Flag<Word>(after.empty());
    case ActiveEffect::kNotBefore:
      return IsSelection(before, after, [&](const auto& record) { return Not(record.last < arguments.node); });
    case ActiveEffect::kNotAfter:
      return IsSelection(before, after, [&](const auto& record) { return Not(record.first > arguments.node); });
    case ActiveEffect::kLiveRecords:
      return AreLiveRecords(arguments, after);
  }
  __builtin_unreachable();
}

template <typename Word, typename Sink>
void VisitNewAllocation(const GrowingTransition<Word>& step, Sink&& sink) {
  const GrowingArguments<Word>& arguments = step.arguments;
  const Word& place = step.outcome.result;
  const auto end = Widen(place) + Widen(arguments.size);
  auto apart = Flag<Word>(true);
  auto reaches_down = place == Word(0);
  for (const AllocationRecord<Word>& record : step.before.active) {
    const auto meets = LivesWithin(record, arguments.first, arguments.last);
    const auto record_end = Widen(record.offset) + Widen(record.size);
    apart = And(apart, Implies(meets, Or(end <= Widen(record.offset), record_end <= Widen(place))));
    reaches_down =
        Or(reaches_down, And(meets, Widen(place) == ExactAlignUp(record.offset + record.size, arguments.alignment)));
  }
  sink("A1 no sharing: the block is apart from every active allocation that lives at a time of its own", apart);
  sink("A2 alignment: the block begins at a multiple of its alignment", IsMultiple(place, arguments.alignment));
  sink("A2 the plan reaches to its end", end <= Widen(step.after.high_water));
  sink("A15 it begins at the arena's start or right behind an allocation of its time", reaches_down);
}

}  // namespace growing_internal

template <typename Word, typename Sink>
void VisitGrowingTransition(const GrowingTransition<Word>& step, Sink&& sink) {
  using namespace growing_internal;
  const GrowingState<Word>& before = step.before;
  const GrowingState<Word>& after = step.after;
  const GrowingExpectation<Word> expected =
      WithTag(step.operation, [&](auto tag) { return Expect(tag, before, step.arguments); });
  VisitGrowingState(after, sink);
  sink("frame: the arena's alignment never changes", before.alignment == after.alignment);
  if (!step.outcome.ok()) {
    sink("A7 failure atomicity: a refusal changes no byte of the plan and of the memory",
         And(before.high_water == after.high_water, before.buffer_bytes == after.buffer_bytes,
             SameList(before.active, after.active)));
    sink("A7 a refused commit leaves the arena uncommitted, no other refusal changes that",
         step.operation == GrowingOperation::kCommit ? Not(after.committed) : Agree(before.committed, after.committed));
    sink("honest refusal: only what truly cannot be granted is refused", Not(expected.granted));
    sink("honest reason: what the refusal says is true", ReasonHolds(step.outcome.refusal, before, step.arguments));
    return;
  }
  sink("honest grant: only what truly can be granted is granted (A7, A14)", expected.granted);
  sink("effect: the plan reaches where it has to", Widen(after.high_water) == expected.high_water);
  sink("effect: the memory has the bytes that it has to", Widen(after.buffer_bytes) == expected.buffer_bytes);
  sink("effect: committed exactly when the memory covers what was planned", Agree(after.committed, expected.committed));
  sink("effect: the result is what it has to be (A15)", Widen(step.outcome.result) == expected.result);
  sink("effect: the active allocations are those that have to be", ListIsAsExpected(step, expected.active));
  if (step.operation == GrowingOperation::kCommit) {
    sink("A2 after a commit the whole plan lies in memory", after.high_water <= after.buffer_bytes);
    sink("memory never shrinks while the arena keeps it", before.buffer_bytes <= after.buffer_bytes);
  }
  if (step.operation == GrowingOperation::kResolve) {
    sink("A2 what is resolved lies in memory",
         Widen(step.arguments.offset) + Widen(step.arguments.size) <= Widen(after.buffer_bytes));
  }
  if (expected.active == ActiveEffect::kOneMore) VisitNewAllocation(step, sink);
}

// The name of the first broken invariant, nullptr if all hold.
template <ConcreteWord Word>
const char* FirstBroken(const GrowingTransition<Word>& step) {
  const char* name = nullptr;
  VisitGrowingTransition(step, [&](const char* invariant, bool holds) {
    if (!holds && name == nullptr) name = invariant;
  });
  return name;
}

}  // namespace arenaproof
