#include "sanitizers/device/finding_text.h"

#include "sanitizers/device/report_words.h"

namespace arenaproof {
namespace {

void PutBytes(std::size_t count, LineText& line) {
  line.PutNumber(count);
  line.Put(count == 1 ? " byte" : " bytes");
}

void PutOperand(const OperandRange& operand, LineText& line) {
  if (operand.data == nullptr) return line.Put("any operand");
  line.Put(OperandKindName(operand.kind));
  line.Put(HasTensorIndex(operand.kind) ? " tensor " : " ");
  line.PutSigned(operand.index);
  line.Put(" (");
  PutBytes(operand.bytes, line);
  line.Put(')');
}

}  // namespace

LineText TextOf(const CanaryFinding& finding) {
  LineText line;
  line.Put(finding.operator_name);
  line.Put(" (operator ");
  line.PutSigned(finding.operator_index);
  if (finding.subgraph > 0) {
    line.Put(" of subgraph ");
    line.PutSigned(finding.subgraph);
  }
  line.Put("), kernel ");
  line.Put(finding.kernel_name);
  line.Put(", writes ");
  if (finding.run.side == ViolationSide::kInside) {
    PutBytes(finding.run.end - finding.run.begin, line);
    line.Put(" inside ");
  } else {
    if (finding.run.side != ViolationSide::kFar) line.Put("up to ");
    PutBytes(finding.run.distance_bytes, line);
    line.Put(finding.run.side == ViolationSide::kBefore  ? " before "
             : finding.run.side == ViolationSide::kAfter ? " after "
                                                         : " away from ");
  }
  PutOperand(finding.operand, line);
  if (finding.run.side == ViolationSide::kInside) line.Put(", which it may only read");
  line.Put(" in ");
  line.Put(OperatorPhaseName(finding.phase));
  return line;
}

}  // namespace arenaproof
