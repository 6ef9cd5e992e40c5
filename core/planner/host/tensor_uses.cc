#include "core/planner/host/tensor_uses.h"

namespace arenaproof {

std::vector<TensorUses> CountUses(const ArenaGraph& graph) {
  std::vector<TensorUses> uses(graph.TensorCount());
  const auto of = [&](std::int32_t tensor) -> TensorUses& { return uses[static_cast<std::size_t>(tensor)]; };
  const auto hold = [&](std::span<const std::int32_t> tensors, bool TensorUses::* role) {
    for (const std::int32_t tensor : tensors) {
      if (tensor == -1) continue;
      of(tensor).held += 1;
      of(tensor).*role = true;
    }
  };
  hold(graph.Inputs(), &TensorUses::graph_input);
  hold(graph.Outputs(), &TensorUses::graph_output);
  hold(graph.Variables(), &TensorUses::variable);
  for (std::size_t i = 0; i < graph.NodeCount(); ++i) {
    const ArenaNode node = graph.NodeAt(i);
    const auto number = static_cast<std::int32_t>(i);
    for (const std::int32_t tensor : node.inputs) {
      if (tensor == -1) continue;
      of(tensor).reads += 1;
      of(tensor).last_read = number;
    }
    for (const std::int32_t tensor : node.outputs) {
      if (tensor == -1) continue;
      if (of(tensor).writes == 0) of(tensor).first_write = number;
      of(tensor).writes += 1;
    }
  }
  return uses;
}

}  // namespace arenaproof
