#include "kernels/reference/subgraph_checks.h"

namespace arenaproof::reference {
namespace {

constexpr std::uint64_t kOfInputs = 0;
constexpr std::uint64_t kOfOutputs = 1;

Status CheckList(const PrepareContext& context, std::int32_t subgraph, std::size_t first_position,
                 std::span<const Operand> operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Operand listed;
    ARENAPROOF_RETURN_IF_ERROR(context.runtime->DescribeOperand(subgraph, first_position + i, &listed));
    if (listed.bytes != operands[i].bytes) {
      return Failure(StatusCode::kKernelSubgraphBytes, subgraph, first_position + i, listed.bytes, operands[i].bytes);
    }
  }
  return Ok();
}

}  // namespace

Status CheckSubgraphInputCount(const PrepareContext& context, std::int32_t subgraph, std::size_t expected) {
  SubgraphCounts counts;
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->DescribeSubgraph(subgraph, &counts));
  if (counts.inputs == expected) return Ok();
  return Failure(StatusCode::kKernelSubgraphCount, subgraph, kOfInputs, counts.inputs, expected);
}

Status CheckSubgraphOutputCount(const PrepareContext& context, std::int32_t subgraph, std::size_t expected) {
  SubgraphCounts counts;
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->DescribeSubgraph(subgraph, &counts));
  if (counts.outputs == expected) return Ok();
  return Failure(StatusCode::kKernelSubgraphCount, subgraph, kOfOutputs, counts.outputs, expected);
}

Status CheckSubgraphInputs(const PrepareContext& context, std::int32_t subgraph, std::span<const Operand> operands) {
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphInputCount(context, subgraph, operands.size()));
  return CheckList(context, subgraph, 0, operands);
}

Status CheckSubgraphOutputs(const PrepareContext& context, std::int32_t subgraph, std::span<const Operand> operands) {
  ARENAPROOF_RETURN_IF_ERROR(CheckSubgraphOutputCount(context, subgraph, operands.size()));
  return CheckList(context, subgraph, kFirstOutputOperand, operands);
}

Status CheckSubgraphCondition(const PrepareContext& context, std::int32_t subgraph) {
  SubgraphCounts counts;
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->DescribeSubgraph(subgraph, &counts));
  if (counts.outputs == 0) return Failure(StatusCode::kKernelSubgraphCount, subgraph, kOfOutputs, 0, 1);
  Operand condition;
  ARENAPROOF_RETURN_IF_ERROR(context.runtime->DescribeOperand(subgraph, kFirstOutputOperand, &condition));
  if (condition.type != TensorType::kBool) {
    return Failure(StatusCode::kKernelSubgraphType, subgraph, kFirstOutputOperand, condition.type, TensorType::kBool);
  }
  if (condition.bytes != 1) {
    return Failure(StatusCode::kKernelSubgraphBytes, subgraph, kFirstOutputOperand, condition.bytes, 1);
  }
  return Ok();
}

}  // namespace arenaproof::reference
