// The growing arena: each operation of its table against its specification, over lists of a few arbitrary allocations;
// and the search for a place, one step of it from any state, so that it holds for any number of them.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/planner/host/growing_step.h"
#include "props/proof/counterexample.h"
#include "props/proof/integer_word.h"
#include "props/proof/prove.h"

namespace arenaproof {

// Nodes are arbitrary numbers too.
template <>
struct NodeOf<proof::IntegerWord> {
  using Type = proof::IntegerWord;
};

namespace proof {
namespace {

using Word = IntegerWord;
using Record = AllocationRecord<Word>;

constexpr std::size_t kMostRecords = 3;

Record AnyRecord(const std::string& name) {
  return {Variable(name + "_offset"), Variable(name + "_size"), 0, Variable(name + "_first"), Variable(name + "_last")};
}

GrowingState<Word> AnyGrowingState(Explorer& explorer, std::size_t records) {
  GrowingState<Word> state;
  state.alignment = Variable("arena_alignment");
  state.high_water = Variable("high_water");
  state.buffer_bytes = Variable("buffer_bytes");
  state.committed = Variable("committed") != Word(0);
  for (std::size_t i = 0; i < records; ++i) state.active.push_back(AnyRecord("active" + std::to_string(i)));
  VisitGrowingState(state, [&](const char*, const Condition& holds) { explorer.Assume(holds.formula); });
  return state;
}

const char* NameOf(GrowingRefusal refusal) {
  switch (refusal) {
    case GrowingRefusal::kNone:
      return "granted";
    case GrowingRefusal::kZeroAlignment:
      return "refused: alignment of zero";
    case GrowingRefusal::kAlignmentTooLarge:
      return "refused: alignment too large";
    case GrowingRefusal::kOverflow:
      return "refused: overflow";
    case GrowingRefusal::kNoMemory:
      return "refused: no memory";
    case GrowingRefusal::kNotCommitted:
      return "refused: not committed";
    case GrowingRefusal::kOutsideBuffer:
      return "refused: outside the memory";
  }
  return "?";
}

// Every outcome that an operation has to be able to end in. A new operation does not compile without.
std::vector<GrowingRefusal> OutcomesOf(GrowingOperation operation, std::size_t records) {
  using enum GrowingRefusal;
  switch (operation) {
    case GrowingOperation::kAllocate:
      if (records == 0) return {kNone, kZeroAlignment, kAlignmentTooLarge};  // offset 0 suits every size
      return {kNone, kZeroAlignment, kAlignmentTooLarge, kOverflow};
    case GrowingOperation::kCommit:
      return {kNone, kZeroAlignment, kOverflow, kNoMemory};
    case GrowingOperation::kResolve:
      return {kNone, kNotCommitted, kOutsideBuffer};
    case GrowingOperation::kClearPlan:
    case GrowingOperation::kReleaseBuffer:
    case GrowingOperation::kResetAllocations:
    case GrowingOperation::kPurgeActive:
    case GrowingOperation::kPurgeAfter:
    case GrowingOperation::kCalculateActive:
      return {kNone};
  }
  __builtin_unreachable();
}

void ProveGrowingOperation(Explorer& explorer, const GrowingDescriptor& descriptor, std::size_t records) {
  for (const GrowingRefusal outcome : OutcomesOf(descriptor.operation, records)) explorer.ExpectCover(NameOf(outcome));
  explorer.Explore("growing " + std::string(descriptor.name) + ", " + std::to_string(records) + " allocations", [&] {
    const GrowingState<Word> before = AnyGrowingState(explorer, records);
    GrowingArguments<Word> arguments;
    if (descriptor.takes(kGrowingTakesSize)) arguments.size = Variable("size");
    if (descriptor.takes(kGrowingTakesAlignment)) arguments.alignment = Variable("alignment");
    if (descriptor.takes(kGrowingTakesOffset)) arguments.offset = Variable("offset");
    if (descriptor.takes(kGrowingTakesInterval)) {
      arguments.first = Variable("first");
      arguments.last = Variable("last");
    }
    if (descriptor.takes(kGrowingTakesNode)) arguments.node = Variable("node");
    if (descriptor.takes(kGrowingTakesMemory)) arguments.memory = static_cast<bool>(Variable("memory") != Word(0));
    std::vector<Record> given;
    if (descriptor.takes(kGrowingTakesRecords)) {
      for (std::size_t i = 0; i < records; ++i) {
        given.push_back(AnyRecord("given" + std::to_string(i)));
        explorer.Assume(given[i].offset.value + given[i].size.value < Modulus());
      }
      arguments.records = given;
    }
    const GrowingTransition<Word> step = Step(before, descriptor.operation, arguments);
    const auto outcomes = OutcomesOf(descriptor.operation, records);
    if (std::find(outcomes.begin(), outcomes.end(), step.outcome.refusal) == outcomes.end()) {
      explorer.Prove(std::string("never ") + NameOf(step.outcome.refusal), explorer.context().bool_val(false));
      return;
    }
    explorer.Cover(NameOf(step.outcome.refusal), explorer.context().bool_val(true));
    VisitGrowingTransition(step,
                           [&](const char* name, const Condition& holds) { explorer.Prove(name, holds.formula); });
  });
  explorer.FinishCovers();
}

z3::expr Apart(const Record& record, const Word& place, const Word& size) {
  return place.value + size.value <= record.offset.value || record.offset.value + record.size.value <= place.value;
}

// Any state that the search can be in after some allocations, of which `passed` is any one and `last` the latest; then
// one more, then the end. What holds of any one holds of all.
void ProveGapStep(Explorer& explorer) {
  explorer.Explore("growing Allocate, any number of allocations: one step of the search", [&] {
    const Word size = Variable("size");
    const Word alignment = Variable("alignment");
    explorer.Assume(size.value > 0 && alignment.value > 0);
    const Record passed = AnyRecord("passed");
    const Record next = AnyRecord("next");
    const Word last_offset = Variable("last_offset");
    GapFit<Word> fit;
    fit.end = Variable("end");
    fit.best = IntegerWord(ArbitraryMultiple("best", alignment.value));
    fit.width = Variable("width");
    fit.found = Variable("found") != Word(0);
    const auto holds = [&](const GapFit<Word>& of, const Record& record, const Word& latest) {
      return record.offset.value + record.size.value <= of.end.value && record.offset.value <= latest.value &&
             z3::implies(of.found.formula, Apart(record, of.best, size) && of.width.value > 0 &&
                                               of.best.value + size.value <= latest.value);
    };
    explorer.Assume(holds(fit, passed, last_offset) && last_offset.value <= next.offset.value);
    const GapFit<Word> before = fit;
    if (!PassRecord(fit, next, size, alignment)) {
      explorer.Prove("refused only where a sum does not fit",
                     ExactAlignUp(before.end, alignment).value + size.value >= Modulus() ||
                         next.offset.value + next.size.value >= Modulus());
      explorer.Cover("a sum does not fit", explorer.context().bool_val(true));
      return;
    }
    explorer.Prove("what held of an allocation passed earlier still holds", holds(fit, passed, next.offset));
    explorer.Prove("it holds of this allocation", holds(fit, next, next.offset));
    explorer.Prove("the end never goes down", before.end.value <= fit.end.value);
    explorer.Prove("a gap once found stays, or gives way to one that is narrower",
                   z3::implies(before.found.formula,
                               fit.found.formula && (fit.best.value == before.best.value ||
                                                     next.offset.value - fit.best.value < before.width.value)));
    explorer.Cover("a gap is taken", fit.found.formula && !before.found.formula);
    explorer.Cover("a narrower gap is taken", before.found.formula && fit.best.value != before.best.value);
    const Checked<Word> place = PlaceAfter(fit, size, alignment);
    if (!place.ok) {
      explorer.Prove("no place only behind everything, where a sum does not fit",
                     !fit.found.formula && ExactAlignUp(fit.end, alignment).value + size.value >= Modulus());
      return;
    }
    explorer.Prove("A1 the place is apart from an allocation passed earlier", Apart(passed, place.value, size));
    explorer.Prove("A1 the place is apart from the last allocation", Apart(next, place.value, size));
    explorer.Prove("A2 the place is a multiple of the alignment", IsMultiple(place.value, alignment).formula);
    explorer.Prove("A14 its end is a word", place.value.value + size.value < Modulus());
  });
  explorer.FinishCovers();
}

void ProveGapBegins(Explorer& explorer) {
  explorer.Explore("growing Allocate, any number of allocations: the search begins", [&] {
    const Word size = Variable("size");
    const Word alignment = Variable("alignment");
    explorer.Assume(alignment.value > 0);
    const GapFit<Word> fit;
    explorer.Prove("nothing is found yet, and everything lies behind", !fit.found.formula && fit.end.value == 0);
    const Checked<Word> place = PlaceAfter(fit, size, alignment);
    if (!place.ok) return;
    explorer.Prove("without obstacles the place is 0", place.value.value == 0);
  });
}

void ProveBlockBytes(Explorer& explorer) {
  explorer.Explore("growing: bytes to ask the host for", [&] {
    const Word bytes = Variable("bytes");
    const Word alignment = Variable("alignment");
    const Word address = Variable("address");
    const Checked<Word> block = BlockBytes(bytes, alignment);
    if (!block.ok) {
      explorer.Cover("absent", alignment.value > 0);
      return;
    }
    // A block that the host has given ends within the address space.
    explorer.Assume(address.value + block.value.value < Modulus());
    const Word distance = DistanceToMultiple(address, alignment);
    explorer.Prove("from wherever the block begins, aligned data fit",
                   distance.value + bytes.value <= block.value.value);
    explorer.Cover("present", explorer.context().bool_val(true));
  });
  explorer.FinishCovers();
}

}  // namespace

void ProveGrowing(const ProofOptions& options, Ledger* ledger) {
  ForEachWidth(options, ledger, [&](Explorer& explorer) {
    explorer.on_violation = [&](const std::string& obligation) {
      std::string note =
          explorer.subject() + " at " + std::to_string(explorer.bits()) + " bits violates: " + obligation;
      const std::optional<Numbers> numbers = FindSmallNumbers(explorer);
      note += numbers ? "\n  with" : "\n  no small numbers found; the violation stands";
      if (numbers) {
        for (const auto& [name, value] : *numbers) note += " " + name + "=" + std::to_string(value);
      }
      ledger->Note(note + "\n");
    };
    ProveBlockBytes(explorer);
    ProveGapBegins(explorer);
    ProveGapStep(explorer);
    for (const GrowingDescriptor& descriptor : kGrowingTable) {
      for (std::size_t records = 0; records <= kMostRecords; ++records) {
        ProveGrowingOperation(explorer, descriptor, records);
      }
    }
  });
}

}  // namespace proof
}  // namespace arenaproof
