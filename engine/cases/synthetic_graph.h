// A graph of made-up tensors and nodes for the arena planner.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planner/host/arena_graph.h"

namespace arenaproof::testing {

struct SyntheticNode {
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> temporaries;
  unsigned sharing = kSharesNothing;
};

struct SyntheticGraph final : ArenaGraph {
  std::vector<ArenaTensor> tensors;
  std::vector<SyntheticNode> nodes;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> variables;

  std::size_t TensorCount() const override { return tensors.size(); }
  ArenaTensor& Tensor(std::size_t index) override { return tensors[index]; }
  std::size_t NodeCount() const override { return nodes.size(); }
  ArenaNode NodeAt(std::size_t index) const override {
    const SyntheticNode& node = nodes[index];
    return {node.inputs, node.outputs, node.temporaries, node.sharing};
  }
  std::span<const std::int32_t> Inputs() const override { return inputs; }
  std::span<const std::int32_t> Outputs() const override { return outputs; }
  std::span<const std::int32_t> Variables() const override { return variables; }
};

}  // namespace arenaproof::testing
