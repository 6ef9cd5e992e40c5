#include "tools/memory/allowed_reads.h"

#include <algorithm>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/text/operator_text.h"

namespace arenaproof {
namespace {

// -1: the operator has no such operand.
std::int32_t TensorOf(const OperatorView& op, std::size_t operand) {
  const bool output = operand >= kFirstOutputOperand;
  const std::span<const std::int32_t> tensors = output ? op.outputs : op.inputs;
  const std::size_t place = output ? operand - kFirstOutputOperand : operand;
  return place < tensors.size() ? tensors[place] : -1;
}

}  // namespace

std::vector<AllowedRead> AllowedReadsOf(const ModelView& model, const Interpreter& interpreter) {
  std::vector<AllowedRead> reads;
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    const auto number = static_cast<std::int32_t>(subgraph);
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      const Kernel* const kernel = interpreter.kernel_of(static_cast<std::int32_t>(i), number);
      if (kernel == nullptr) continue;
      const OperatorView op = model.operator_at(subgraph, i);
      for (const ReadAllowance& allowance : kernel->read_allowances) {
        const std::int32_t tensor = TensorOf(op, allowance.operand);
        if (tensor < 0 || allowance.before_bytes + allowance.after_bytes == 0) continue;
        const TensorView view = model.tensor(subgraph, static_cast<std::size_t>(tensor));
        const OperandKind kind = view.is_constant()                         ? OperandKind::kConstant
                                 : allowance.operand >= kFirstOutputOperand ? OperandKind::kOutput
                                                                            : OperandKind::kInput;
        reads.push_back({number, static_cast<std::int32_t>(i), OperatorName(op), kernel->name, kind, tensor,
                         std::string(view.name), allowance.before_bytes, allowance.after_bytes});
      }
    }
  }
  return reads;
}

std::size_t EndOfAllowedReads(std::span<const AllowedRead> reads, std::span<const PlanEntry> plan) {
  std::size_t end = 0;
  for (const AllowedRead& read : reads) {
    for (const PlanEntry& entry : plan) {
      if (read.IsOf(entry)) end = std::max(end, entry.offset + entry.bytes + read.after_bytes);
    }
  }
  return end;
}

}  // namespace arenaproof
