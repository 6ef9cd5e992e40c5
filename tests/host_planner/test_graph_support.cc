#include "tests/host_planner/test_graph_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace arenaproof::testing {

SyntheticGraph TestGraph(std::vector<std::int32_t> inputs, const std::vector<TestNode>& nodes,
                         std::vector<std::int32_t> outputs) {
  SyntheticGraph graph;
  std::int32_t largest = -1;
  const auto see = [&](const std::vector<std::int32_t>& tensors) {
    for (const std::int32_t tensor : tensors) largest = std::max(largest, tensor);
  };
  see(inputs);
  see(outputs);
  for (const TestNode& node : nodes) {
    see(node.inputs);
    see(node.outputs);
    see(node.temporaries);
    graph.nodes.push_back({node.inputs, node.outputs, node.temporaries, node.sharing});
  }
  for (std::int32_t i = 0; i <= largest; ++i) {
    graph.tensors.push_back({3 * (static_cast<std::size_t>(i) + 1), ArenaTensorKind::kArena, nullptr});
  }
  graph.inputs = std::move(inputs);
  graph.outputs = std::move(outputs);
  return graph;
}

PlannedGraph::PlannedGraph(SyntheticGraph test_graph, bool preserve_all_tensors, std::size_t alignment)
    : graph(std::move(test_graph)),
      planner(graph, {.preserve_all_tensors = preserve_all_tensors, .tensor_alignment = alignment}) {
  EXPECT_TRUE(planner.PlanAllocations().ok());
}

void PlannedGraph::Execute(std::int32_t first, std::int32_t last) {
  EXPECT_TRUE(planner.ExecuteAllocations(first, last).ok());
}

std::optional<std::size_t> PlannedGraph::OffsetOf(std::size_t tensor) {
  const ArenaTensor& of_graph = graph.tensors.at(tensor);
  if (of_graph.data == nullptr) return std::nullopt;
  return static_cast<std::size_t>(of_graph.data - planner.BasePointer(of_graph.kind));
}

std::vector<std::optional<std::size_t>> PlannedGraph::Offsets() {
  std::vector<std::optional<std::size_t>> offsets;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) offsets.push_back(OffsetOf(i));
  return offsets;
}

std::optional<std::size_t> PlannedGraph::After(std::size_t tensor) {
  const std::size_t alignment = planner.options().tensor_alignment;
  const auto offset = OffsetOf(tensor);
  if (!offset) return std::nullopt;
  return (*offset + graph.tensors.at(tensor).bytes + alignment - 1) / alignment * alignment;
}

}  // namespace arenaproof::testing
