#include "sanitizers/instrument/filling/twofill_instrument.h"

namespace arenaproof {

void TwofillInstrument::Start(std::span<const WatchedRegion> watched) {
  FillingInstrument::Start(watched);
  results_.Rewind();
  AddLimit("reads that influence no result of their operator, or all fills in the same way");
  AddLimit("reads of what an operator in place has overwritten");
  AddLimit("a write to what may only be read of the byte that lies there already, as when it is read and written back");
  AddLimit("what an operator keeps in persistent blocks, until it influences a result");
}

bool TwofillInstrument::BeginOtherRun() {
  if (results_.in_other_run()) return false;
  results_.BeginOther();
  KeepLog();
  return true;
}

bool TwofillInstrument::ChargeFailure(std::int32_t subgraph, std::int32_t operator_index) {
  return AddViolations(results_.FailureOf(subgraph, operator_index));
}

void TwofillInstrument::Begin(std::span<const OperandRange> operands) {
  results_.Meet(named_operator());
  for (const OperandRange& operand : operands) {
    // What lies in the tail was not planned, such as a handle that an operator made once and for all.
    if (!BeginsEmpty(operand, operands) || registry().InTailBlock(operand.data)) continue;
    closed().Lay({operand.data, operand.bytes}, fill());
  }
}

void TwofillInstrument::End(std::span<const OperandRange> operands) {
  if (named_operator().phase != OperatorPhase::kInvoke) return;
  AddViolations(results_.Take(named_operator(), operands, registry()));
}

}  // namespace arenaproof
