#include "core/planner/host/tensor_lifetimes.h"

#include <algorithm>

#include "core/planner/host/graph_check.h"

namespace arenaproof {
namespace {

std::size_t OwnerIndex(const ArenaPlan& plan, std::int32_t tensor) {
  const std::int32_t owner = plan.tensors[static_cast<std::size_t>(tensor)].owner;
  return static_cast<std::size_t>(owner == -1 ? tensor : owner);
}

bool HasTemporary(const ArenaGraph& graph, std::int32_t node, std::int32_t tensor) {
  const auto temporaries = graph.NodeAt(static_cast<std::size_t>(node)).temporaries;
  return std::find(temporaries.begin(), temporaries.end(), tensor) != temporaries.end();
}

}  // namespace

void AddToNode(ArenaPlan& plan, std::size_t node, std::int32_t tensor) {
  auto& tensors = plan.node_tensors[node];
  if (std::find(tensors.begin(), tensors.end(), tensor) == tensors.end()) tensors.push_back(tensor);
}

void FindLifetimes(const ArenaGraph& graph, bool preserve_all_tensors, ArenaPlan& plan) {
  std::vector<std::int32_t> left(plan.tensors.size());  // who still needs the bytes
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = plan.uses[i].held;
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[OwnerIndex(plan, static_cast<std::int32_t>(i))] += plan.uses[i].reads;
  }
  plan.node_tensors.assign(std::max<std::size_t>(plan.node_count, 1), {});
  const auto needed_from_the_start = [&](std::span<const std::int32_t> tensors) {
    for (const std::int32_t tensor : tensors) {
      if (tensor == -1 || plan.tensors[static_cast<std::size_t>(tensor)].alloc_node == 0) continue;
      plan.tensors[static_cast<std::size_t>(tensor)].alloc_node = 0;
      plan.node_tensors[0].push_back(tensor);
    }
  };
  needed_from_the_start(graph.Variables());
  needed_from_the_start(graph.Inputs());
  for (std::size_t i = 0; i < plan.node_count; ++i) {
    const ArenaNode node = graph.NodeAt(i);
    const auto number = static_cast<std::int32_t>(i);
    for (const std::int32_t tensor : node.outputs) {
      if (tensor == -1) continue;
      TensorPlan& written = plan.tensors[static_cast<std::size_t>(tensor)];
      if (written.alloc_node == kNoNode) written.alloc_node = number;
      if (written.dealloc_node != kNoNode) written.dealloc_node = number;
      AddToNode(plan, i, tensor);
    }
    if (preserve_all_tensors) continue;
    for (const std::int32_t tensor : node.inputs) {
      if (tensor == -1) continue;
      const std::size_t owner = OwnerIndex(plan, tensor);
      left[owner] -= 1;
      if (left[owner] == 0 && plan.tensors[owner].alloc_node != kNoNode) plan.tensors[owner].dealloc_node = number;
    }
  }
}

Status AddTemporaries(const ArenaGraph& graph, std::int32_t first, std::int32_t last, bool preserve_all_tensors,
                      ArenaPlan& plan) {
  for (std::int32_t node = first; node <= last; ++node) {
    for (const std::int32_t tensor : graph.NodeAt(static_cast<std::size_t>(node)).temporaries) {
      const auto index = static_cast<std::size_t>(tensor);
      if (tensor < 0 || index >= plan.tensors.size()) {
        return Failure(StatusCode::kArenaTensorIndex, ArenaOperand::kTemporary, node, std::int64_t{tensor},
                       plan.tensors.size());
      }
      if (index < plan.uses.size() && (plan.uses[index].held > 0 || plan.uses[index].writes > 0)) {
        return Failure(StatusCode::kArenaTemporaryTaken, node, tensor);
      }
      TensorPlan& temporary = plan.tensors[index];
      // Of the nodes that had it before, those count that still have it.
      std::int32_t from = temporary.last_temporary == -1 ? node : std::min(node, temporary.alloc_node);
      std::int32_t to = std::max(node, temporary.last_temporary);
      while (from < node && !HasTemporary(graph, from, tensor)) ++from;
      while (to > node && !HasTemporary(graph, to, tensor)) --to;
      temporary.alloc_node = from;
      temporary.last_temporary = to;
      temporary.dealloc_node = preserve_all_tensors ? kNoNode : temporary.last_temporary;
      AddToNode(plan, static_cast<std::size_t>(node), tensor);
    }
  }
  return Ok();
}

}  // namespace arenaproof
