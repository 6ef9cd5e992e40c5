#include <algorithm>
#include <initializer_list>

#include "core/arena/step.h"
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
    case Refusal::kNotOffered:
      return "refused: this arena has no such operation";
    case Refusal::kResizableTaken:
      return "refused: a resizable block is taken";
    case Refusal::kTailMarked:
      return "refused: the tail is marked";
    case Refusal::kNotTheMark:
      return "refused: not the tail's mark";
  }
  return "?";
}

constexpr ArenaKind kKinds[] = {ArenaKind::kSingle, ArenaKind::kPersistent, ArenaKind::kNonPersistent};

const char* Name(ArenaKind kind) {
  switch (kind) {
    case ArenaKind::kSingle:
      return "";
    case ArenaKind::kPersistent:
      return "persistent ";
    case ArenaKind::kNonPersistent:
      return "non-persistent ";
  }
  return "?";
}

// Every outcome that each operation has to be able to end in, and no other. A new operation does not compile without.
std::initializer_list<Refusal> OutcomesOf(Operation operation, ArenaKind kind) {
  using enum Refusal;
  if (!Describe(operation).in(kind)) {
    static constexpr std::initializer_list<Refusal> outcomes = {kNotOffered};
    return outcomes;
  }
  switch (operation) {
    case Operation::kAllocateResizable: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kZeroAlignment, kTemporariesLive, kDoesNotFit,
                                                                  kResizableTaken};
      static constexpr std::initializer_list<Refusal> of_single = {kNone, kZeroAlignment, kTemporariesLive,
                                                                   kDoesNotFit};
      return kind == ArenaKind::kNonPersistent ? outcomes : of_single;
    }
    case Operation::kMarkTail: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kTailMarked};
      return outcomes;
    }
    case Operation::kRewindTail: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kNotTheMark, kTemporariesLive};
      static constexpr std::initializer_list<Refusal> of_persistent = {kNone, kNotTheMark};
      return kind == ArenaKind::kPersistent ? of_persistent : outcomes;
    }
    case Operation::kKeepTail: {
      static constexpr std::initializer_list<Refusal> outcomes = {kNone, kNotTheMark};
      return outcomes;
    }
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

ArenaState<Word> AnyState(Explorer& explorer, ArenaKind kind = ArenaKind::kSingle) {
  // A flag is any condition: whether some word is 0.
  const ArenaState<Word> state{Variable("begin"),
                               Variable("head_end"),
                               Variable("temporary_end"),
                               Variable("tail_begin"),
                               Variable("end"),
                               Variable("temporary_count"),
                               Variable("temporary_checksum"),
                               Variable("tail_mark"),
                               Variable("marked") != Word(0),
                               Variable("resizable_taken") != Word(0),
                               kind};
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
  const auto outcomes = OutcomesOf(step.operation, step.before.kind);
  if (std::find(outcomes.begin(), outcomes.end(), step.outcome.refusal) == outcomes.end()) {
    explorer.Prove(std::string("never ") + Name(step.outcome.refusal), explorer.context().bool_val(false));
    return;
  }
  explorer.Cover(Name(step.outcome.refusal), explorer.context().bool_val(true));
  if (!step.outcome.ok()) return;
  const ArenaState<Word>& before = step.before;
  explorer.Cover("granted with every section in use that the arena has",
                 (before.begin.value < before.head_end.value || before.kind == ArenaKind::kPersistent) &&
                     (before.tail_begin.value < before.end.value || before.kind == ArenaKind::kNonPersistent));
  if (Describe(step.operation).takes_size) {
    explorer.Cover("granted with bytes, alignment 12 and padding",
                   step.arguments.size.value > 0 && step.arguments.alignment.value == 12 && before.begin.value > 0 &&
                       step.outcome.result.value >= 0);
  }
}

// A violation as numbers that replay, once for each operation and width.
void Report(Explorer& explorer, const OperationDescriptor& descriptor, ArenaKind kind, const std::string& obligation,
            Ledger* ledger) {
  std::string note = std::string(Name(kind)) + descriptor.name + " at " + std::to_string(explorer.bits()) +
                     " bits violates: " + obligation + "\n";
  const std::optional<Numbers> numbers = FindSmallNumbers(explorer);
  if (!numbers) {
    ledger->Note(note + "  no small counterexample with an alignment from the list; the violation stands\n");
    return;
  }
  const Counterexample example{descriptor.operation, explorer.bits(), kind, *numbers};
  const std::optional<std::string> broken = Replay(example);
  note += "  replay: arenaproof-prove --replay='" + ReplayLine(example) + "'\n";
  note += broken
              ? "  reproduced on the production arena: " + *broken + "\n"
              : "  NOT reproduced on the production arena: the proof is stricter than the concrete invariants here\n";
  ledger->Note(note + AsTest(example));
}

void ProveOperation(Explorer& explorer, const OperationDescriptor& descriptor, ArenaKind kind, Ledger* ledger) {
  bool reported = false;
  explorer.on_violation = [&](const std::string& obligation) {
    if (!reported) Report(explorer, descriptor, kind, obligation, ledger);
    reported = true;
  };
  for (const Refusal outcome : OutcomesOf(descriptor.operation, kind)) explorer.ExpectCover(Name(outcome));
  explorer.Explore(std::string(Name(kind)) + descriptor.name, [&] {
    const ArenaState<Word> before = AnyState(explorer, kind);
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
    for (const ArenaKind kind : kKinds) ProveOperation(explorer, descriptor, kind, ledger);
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

// Whatever is taken from the tail in between: an attempt that is taken back leaves the tail as it was, one that is kept
// cannot be taken back any more.
void ProveAttempt(Explorer& explorer, ArenaKind kind) {
  explorer.Explore(
      std::string("sequence: ") + Name(kind) + "MarkTail, AllocatePersistent, RewindTail or KeepTail", [&] {
        const ArenaState<Word> state = AnyState(explorer, kind);
        const auto marked = Step(state, Operation::kMarkTail, {});
        if (!marked.outcome.ok()) return;
        const auto taken =
            Step(marked.after, Operation::kAllocatePersistent, {Variable("size"), Variable("alignment"), Word(0)});
        const Arguments<Word> to_mark{Word(0), Word(0), marked.outcome.result};
        const auto kept = Step(taken.after, Operation::kKeepTail, {});
        explorer.Prove("an attempt can be kept", explorer.context().bool_val(kept.outcome.ok()));
        explorer.Prove("what was kept cannot be taken back",
                       explorer.context().bool_val(!Step(kept.after, Operation::kRewindTail, to_mark).outcome.ok()));
        if (!explorer.Restrict(taken.after.temporary_end.value == taken.after.head_end.value &&
                               taken.after.temporary_count.value == 0)) {
          return;
        }
        explorer.Cover("a block was taken in the attempt", taken.after.tail_begin.value < state.tail_begin.value);
        const auto back = Step(taken.after, Operation::kRewindTail, to_mark);
        explorer.Prove("an attempt can be taken back, and the arena is as before it",
                       explorer.context().bool_val(back.outcome.ok()) && SameState(back.after, state).formula);
      });
  explorer.FinishCovers();
}

// One resizable block at a time, and again one after it was given back.
void ProveOneResizable(Explorer& explorer) {
  explorer.Explore("sequence: non-persistent AllocateResizable twice", [&] {
    const ArenaState<Word> state = AnyState(explorer, ArenaKind::kNonPersistent);
    const auto first = Step(state, Operation::kAllocateResizable, {Variable("size"), Word(1), Word(0)});
    if (!first.outcome.ok()) return;
    const auto second = Step(first.after, Operation::kAllocateResizable, {Word(0), Word(1), Word(0)});
    explorer.Prove("the second is refused", explorer.context().bool_val(!second.outcome.ok()));
    const auto freed = Step(first.after, Operation::kDeallocateResizable, {Word(0), Word(0), first.outcome.result});
    explorer.Prove("the first can be given back", explorer.context().bool_val(freed.outcome.ok()));
    const auto again = Step(freed.after, Operation::kAllocateResizable, {Word(0), Word(1), Word(0)});
    explorer.Prove("then there can be another", explorer.context().bool_val(again.outcome.ok()));
  });
}

void ProveBase(Explorer& explorer) {
  for (const ArenaKind kind : kKinds) {
    explorer.Explore(std::string("sequence: a new ") + Name(kind) + "arena", [&] {
      const Word begin = Variable("begin");
      const Word end = Variable("end");
      explorer.Assume(begin.value <= end.value);
      VisitStateInvariants(EmptyArena(begin, end, kind),
                           [&](const char* name, const Condition& holds) { explorer.Prove(name, holds.formula); });
    });
  }
}

}  // namespace

void ProveOperations(const ProofOptions& options, Ledger* ledger) {
  if (options.bits32) ProveOperationsAt(32, options, ledger);
  if (options.bits64) ProveOperationsAt(64, options, ledger);
}

void ProveSequences(const ProofOptions& options, Ledger* ledger) {
  ForEachWidth(options, ledger, [](Explorer& explorer) {
    ProveBase(explorer);
    ProveAvailableIsGranted(explorer);
    ProveTemporaryRoundTrip(explorer);
    ProveAttempt(explorer, ArenaKind::kSingle);
    ProveAttempt(explorer, ArenaKind::kPersistent);
    ProveOneResizable(explorer);
  });
}

}  // namespace arenaproof::proof
