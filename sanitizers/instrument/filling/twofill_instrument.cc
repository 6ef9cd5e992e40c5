#include "sanitizers/instrument/filling/twofill_instrument.h"

namespace arenaproof {

void TwofillInstrument::Start(std::span<const WatchedRegion> watched) {
  closed_.Watch(watched);
  results_.Rewind();
  AddLimit("reads that influence no result of their operator, or all fills in the same way");
  AddLimit("reads of what an operator in place has overwritten");
  AddLimit("writes: what is closed is put back after each operator, and not looked at");
  AddLimit("what an operator keeps in persistent blocks, until it influences a result");
  AddLimit("accesses outside of arena and model and of the closed bytes around them");
}

bool TwofillInstrument::BeginOtherRun() {
  if (results_.in_other_run()) return false;
  results_.BeginOther();
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
    closed_.Lay({operand.data, operand.bytes}, fill());
  }
}

void TwofillInstrument::End(std::span<const OperandRange> operands) {
  if (named_operator().phase != OperatorPhase::kInvoke) return;
  AddViolations(results_.Take(named_operator(), operands, registry()));
}

}  // namespace arenaproof
