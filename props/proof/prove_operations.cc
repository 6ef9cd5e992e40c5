#include <algorithm>
#include <initializer_list>

#include "core/arena/invariants.h"
#include "props/proof/counterexample.h"
#include "props/proof/integer_word.h"
#include "props/proof/prove.h"

namespace arenaproof::proof {
namespace {

using Word = IntegerWord;

const char* Name(Refusal refusal) {
  switch (refusal) {
    case Refusal::kNone:
      return "granted";
    case Refusal::kZeroAlignment:
      return "refused: alignment of zero";
    case Refusal::kTemporariesLive:
      return "refused: temporaries live";
    case Refusal::kNotTheHeadBlock:
      return "refused: not the head's block";
    case Refusal::kDoesNotFit:
      return "refused: does not fit";
    case Refusal::kNoTemporaryOutstanding:
      return "refused: no temporary outstanding";
    case Refusal::kForeignTemporary:
      return "refused: foreign temporary";
    case Refusal::kTemporariesOutstanding:
      return "refused: temporaries outstanding";
    case Refusal::kTooManyTemporaries:
      return "refused: too many temporaries";
  }
  return "?";
}

// Every outcome that each operation has to be able to end in, and no other. A new operation does not compile without.
std::initializer_list<Refusal> OutcomesOf(Operation operation) {
  using enum Refusal;
  switch (operation) {
    case Operation::kAllocateResizable:
    case Operation::kReserveOverlay: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment, kTemporariesLive, kDoesNotFit};
      return outcomes;
    }
    case Operation::kResizeHead: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment, kTemporariesLive,
                                                                  kNotTheHeadBlock, kDoesNotFit};
      return outcomes;
    }
    case Operation::kDeallocateResizable: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kTemporariesLive, kNotTheHeadBlock};
      return outcomes;
    }
    case Operation::kAllocateTemporary: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment, kDoesNotFit,
                                                                  kTooManyTemporaries};
      return outcomes;
    }
    case Operation::kDeallocateTemporary: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kNoTemporaryOutstanding, kForeignTemporary};
      return outcomes;
    }
    case Operation::kResetTemporaries: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kTemporariesOutstanding};
      return outcomes;
    }
    case Operation::kAllocatePersistent: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment, kDoesNotFit};
      return outcomes;
    }
    case Operation::kAvailableBytes: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment};
      return outcomes;
    }
    case Operation::kAllTemporariesDeallocated:
    case Operation::kNonPersistentUsedBytes:
    case Operation::kPersistentUsedBytes:
    case Operation::kUsedBytes: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone};
      return outcomes;
    }
  }
  __builtin_unreachable();
}

ArenaState<Word> AnyState(Explorer& explorer) {
  const ArenaState<Word> state{
      Variable("begin"), Variable("head_end"),        Variable("temporary_end"),     Variable("tail_begin"),
      Variable("end"),   Variable("temporary_count"), Variable("temporary_checksum")};
  VisitStateInvariants(state, [&](const char*, const Condition& holds) { explorer.Assume(holds.formula); });
  return state;
}

Arguments<Word> AnyArguments(const OperationDescriptor& descriptor) {
  Arguments<Word> arguments;
  if (descriptor.takes_size) arguments.size = Variable("size");
  if (descriptor.takes_alignment) arguments.alignment = Variable("alignment");
  if (descriptor.takes_address) arguments.address = Variable("address");
  return arguments;
}

// Independent of the specification's formulae: whichever aligned address one tries, the block does not fit there.
void ProveNoAddressWouldDo(Explorer& explorer, const Transition<Word>& step) {
  const z3::expr witness = ArbitraryMultiple("witness", step.arguments.alignment.value);
  const z3::expr would_do =
      witness >= step.before.temporary_end.value && witness + step.arguments.size.value <= step.before.tail_begin.value;
  explorer.Prove("honest refusal: there is no aligned address in the gap that would do", !would_do);
}

void CoverOutcome(Explorer& explorer, const Transition<Word>& step) {
  const auto outcomes = OutcomesOf(step.operation);
  if (std::find(outcomes.begin(), outcomes.end(), step.outcome.refusal) == outcomes.end()) {
    explorer.Prove(std::string("never ") + Name(step.outcome.refusal), explorer.context().bool_val(false));
    return;
  }
  explorer.Cover(Name(step.outcome.refusal), explorer.context().bool_val(true));
  if (!step.outcome.ok()) return;
  const ArenaState<Word>& before = step.before;
  explorer.Cover("granted with head and tail in use",
                 (before.begin.value < before.head_end.value) && (before.tail_begin.value < before.end.value));
  if (Describe(step.operation).takes_size) {
    explorer.Cover("granted with bytes, alignment 12 and padding",
                   step.arguments.size.value > 0 && step.arguments.alignment.value == 12 && before.begin.value > 0 &&
                       step.outcome.result.value >= 0);
  }
}

// A violation as numbers that replay, once for each operation and width.
void Report(Explorer& explorer, const OperationDescriptor& descriptor, const std::string& obligation, Ledger* ledger) {
  std::string note =
      std::string(descriptor.name) + " at " + std::to_string(explorer.bits()) + " bits violates: " + obligation + "\n";
  const std::optional<Numbers> numbers = FindSmallNumbers(explorer);
  if (!numbers) {
    ledger->Note(note + "  no small counterexample with an alignment from the list; the violation stands\n");
    return;
  }
  const Counterexample example{descriptor.operation, explorer.bits(), *numbers};
  const std::optional<std::string> broken = Replay(example);
  note += "  replay: arenaproof-prove --replay='" + ReplayLine(example) + "'\n";
  note += broken
              ? "  reproduced on the production arena: " + *broken + "\n"
              : "  NOT reproduced on the production arena: the proof is stricter than the concrete invariants here\n";
  ledger->Note(note + AsTest(example));
}

void ProveOperation(Explorer& explorer, const OperationDescriptor& descriptor, Ledger* ledger) {
  bool reported = false;
  explorer.on_violation = [&](const std::string& obligation) {
    if (!reported) Report(explorer, descriptor, obligation, ledger);
    reported = true;
  };
  for (const Refusal outcome : OutcomesOf(descriptor.operation)) explorer.ExpectCover(Name(outcome));
  explorer.Explore(descriptor.name, [&] {
    const ArenaState<Word> before = AnyState(explorer);
    const Transition<Word> step = Step(before, descriptor.operation, AnyArguments(descriptor));
    CoverOutcome(explorer, step);
    VisitTransitionInvariants(step,
                              [&](const char* name, const Condition& holds) { explorer.Prove(name, holds.formula); });
    if (step.outcome.refusal == Refusal::kDoesNotFit && descriptor.section != OperationSection::kHead) {
      ProveNoAddressWouldDo(explorer, step);
    }
  });
  explorer.FinishCovers();
}

void ProveOperationsAt(unsigned bits, const ProofOptions& options, Ledger* ledger) {
  Explorer explorer(bits, std::to_string(bits) + "-bit", ledger);
  explorer.on_path_begins = ForgetDrawn;
  explorer.dump_folder = options.dump_folder;
  for (const OperationDescriptor& descriptor : kOperationTable) {
    if (!options.operation.empty() && options.operation != descriptor.name) continue;
    ProveOperation(explorer, descriptor, ledger);
  }
  ForgetDrawn();
}

// ---- sequences

void ProveAvailableIsGranted(Explorer& explorer) {
  explorer.Explore("sequence: AvailableBytes = n > 0, then a block of n bytes", [&] {
    const ArenaState<Word> state = AnyState(explorer);
    const Word alignment = Variable("alignment");
    const Transition<Word> asked = Step(state, Operation::kAvailableBytes, {Word(0), alignment, Word(0)});
    if (!asked.outcome.ok()) return;
    if (!explorer.Restrict(asked.outcome.result.value > 0)) return;  // the path that answers 0
    explorer.Cover("some bytes are available", explorer.context().bool_val(true));
    const Arguments<Word> all{asked.outcome.result, alignment, Word(0)};
    const auto persistent = Step(state, Operation::kAllocatePersistent, all);
    explorer.Prove("a persistent block of n bytes is granted", explorer.context().bool_val(persistent.outcome.ok()));
    explorer.Assume(state.temporary_count.value < Largest<Word>().value);
    const auto temporary = Step(state, Operation::kAllocateTemporary, all);
    explorer.Prove("a temporary of n bytes is granted", explorer.context().bool_val(temporary.outcome.ok()));
  });
  explorer.FinishCovers();
}

void ProveTemporaryRoundTrip(Explorer& explorer) {
  explorer.Explore("sequence: AllocateTemporary, DeallocateTemporary, ResetTemporaries", [&] {
    const ArenaState<Word> state = AnyState(explorer);
    explorer.Assume(state.temporary_count.value != 0 || state.temporary_checksum.value == 0);  // the book is in order
    const auto taken = Step(state, Operation::kAllocateTemporary, {Variable("size"), Variable("alignment"), Word(0)});
    if (!taken.outcome.ok()) return;
    const auto freed = Step(taken.after, Operation::kDeallocateTemporary, {Word(0), Word(0), taken.outcome.result});
    explorer.Prove("the block can be freed, even one of zero bytes", explorer.context().bool_val(freed.outcome.ok()));
    if (!freed.outcome.ok()) return;
    explorer.Prove("count and checksum are as before",
                   freed.after.temporary_count.value == state.temporary_count.value &&
                       freed.after.temporary_checksum.value == state.temporary_checksum.value);
    if (!explorer.Restrict(state.temporary_count.value == 0)) return;
    explorer.Cover("it was the only one", explorer.context().bool_val(true));
    const auto reset = Step(freed.after, Operation::kResetTemporaries, {});
    explorer.Prove(
        "the section can be reset and is empty then",
        explorer.context().bool_val(reset.outcome.ok()) && reset.after.temporary_end.value == state.head_end.value);
  });
  explorer.FinishCovers();
}

void ProveBase(Explorer& explorer) {
  explorer.Explore("sequence: a new arena", [&] {
    const Word begin = Variable("begin");
    const Word end = Variable("end");
    explorer.Assume(begin.value <= end.value);
    VisitStateInvariants(EmptyArena(begin, end),
                         [&](const char* name, const Condition& holds) { explorer.Prove(name, holds.formula); });
  });
}

}  // namespace

void ProveOperations(const ProofOptions& options, Ledger* ledger) {
  if (options.bits32) ProveOperationsAt(32, options, ledger);
  if (options.bits64) ProveOperationsAt(64, options, ledger);
}

void ProveSequences(const ProofOptions& options, Ledger* ledger) {
  if (!options.operation.empty()) return;
  for (const unsigned bits : {32u, 64u}) {
    if (bits == 32 ? !options.bits32 : !options.bits64) continue;
    Explorer explorer(bits, std::to_string(bits) + "-bit", ledger);
    explorer.on_path_begins = ForgetDrawn;
    explorer.dump_folder = options.dump_folder;
    ProveBase(explorer);
    ProveAvailableIsGranted(explorer);
    ProveTemporaryRoundTrip(explorer);
    ForgetDrawn();
  }
}

}  // namespace arenaproof::proof
