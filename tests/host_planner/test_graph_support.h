// Graphs as the reference's own tests write them: tensor i has 3(i+1) bytes, and an operator may share input 0.
#pragma once

#include <optional>
#include <vector>

#include "core/planner/host/arena_planner.h"
#include "engine/cases/synthetic_graph.h"

namespace arenaproof::testing {

inline constexpr std::size_t kTestAlignment = 4;
// What RESHAPE allows.
inline constexpr unsigned kReshape = kSharesInput0 | kLeavesDataUnmodified;

struct TestNode {
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<std::int32_t> temporaries = {};
  unsigned sharing = kSharesInput0;
};

SyntheticGraph TestGraph(std::vector<std::int32_t> inputs, const std::vector<TestNode>& nodes,
                         std::vector<std::int32_t> outputs);

// A planner over the graph, planned; the graph may be changed before Execute.
class PlannedGraph {
 public:
  explicit PlannedGraph(SyntheticGraph test_graph, bool preserve_all_tensors = false,
                        std::size_t alignment = kTestAlignment);

  void Execute(std::int32_t first, std::int32_t last);
  void ExecuteAll() { Execute(0, static_cast<std::int32_t>(graph.nodes.size()) - 1); }

  // In the arena of the tensor's kind; nothing without an address.
  std::optional<std::size_t> OffsetOf(std::size_t tensor);
  std::vector<std::optional<std::size_t>> Offsets();
  // The first aligned offset behind the tensor.
  std::optional<std::size_t> After(std::size_t tensor);

  SyntheticGraph graph;
  ArenaPlanner planner;
};

}  // namespace arenaproof::testing
