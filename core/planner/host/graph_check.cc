#include "core/planner/host/graph_check.h"

#include "core/planner/host/allocation_record.h"

namespace arenaproof {
namespace {

Status CheckIndices(ArenaOperand what, std::size_t where, std::span<const std::int32_t> indices, std::size_t tensors) {
  for (const std::int32_t index : indices) {
    const bool left_out = index == -1 && what != ArenaOperand::kVariable && what != ArenaOperand::kTemporary;
    if (left_out || (index >= 0 && static_cast<std::size_t>(index) < tensors)) continue;
    return Failure(StatusCode::kArenaTensorIndex, what, where, std::int64_t{index}, tensors);
  }
  return Ok();
}

}  // namespace

Status CheckGraph(ArenaGraph& graph) {
  const std::size_t tensors = graph.TensorCount();
  const std::size_t nodes = graph.NodeCount();
  if (nodes >= kNoNode || tensors >= kNoNode) return Failure(StatusCode::kArenaGraphTooLarge, nodes, tensors);
  ARENAPROOF_RETURN_IF_ERROR(CheckIndices(ArenaOperand::kGraphInput, 0, graph.Inputs(), tensors));
  ARENAPROOF_RETURN_IF_ERROR(CheckIndices(ArenaOperand::kGraphOutput, 0, graph.Outputs(), tensors));
  ARENAPROOF_RETURN_IF_ERROR(CheckIndices(ArenaOperand::kVariable, 0, graph.Variables(), tensors));
  for (std::size_t i = 0; i < nodes; ++i) {
    const ArenaNode node = graph.NodeAt(i);
    ARENAPROOF_RETURN_IF_ERROR(CheckIndices(ArenaOperand::kInput, i, node.inputs, tensors));
    ARENAPROOF_RETURN_IF_ERROR(CheckIndices(ArenaOperand::kOutput, i, node.outputs, tensors));
    if (node.sharing != kSharesNothing && !node.outputs.empty() && node.outputs[0] == -1) {
      return Failure(StatusCode::kArenaTensorIndex, ArenaOperand::kOutput, i, std::int64_t{-1}, tensors);
    }
  }
  return Ok();
}

}  // namespace arenaproof
