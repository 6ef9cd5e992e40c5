#include "engine/harness/host_planner/planner_misuse.h"

#include <utility>

#include "core/planner/host/graph_check.h"

namespace arenaproof::testing {
namespace {

MisuseResult PlanSpoilt(ArenaPlanner& planner, ArenaOperand what, std::size_t where, std::int32_t index,
                        std::size_t tensors) {
  return {"PlanAllocations() of a graph that names tensor " + std::to_string(index), planner.PlanAllocations(),
          Failure(StatusCode::kArenaTensorIndex, what, where, std::int64_t{index}, tensors)};
}

// An index that names no tensor, in the list of which the draw speaks.
MisuseResult WrongIndex(ArenaPlanner& planner, SyntheticGraph& graph, const SessionDraw& draw) {
  const std::size_t tensors = graph.tensors.size();
  const auto beyond = draw.c % 2 == 0 ? static_cast<std::int32_t>(tensors) : std::int32_t{-2};
  const auto spoil = [&](std::vector<std::int32_t>& list, ArenaOperand what, std::size_t where, std::int32_t index) {
    list.push_back(index);
    const MisuseResult result = PlanSpoilt(planner, what, where, index, tensors);
    list.pop_back();
    return result;
  };
  switch (draw.b % 6) {
    case 0:
      return spoil(graph.inputs, ArenaOperand::kGraphInput, 0, beyond);
    case 1:
      return spoil(graph.outputs, ArenaOperand::kGraphOutput, 0, beyond);
    case 2:
      return spoil(graph.variables, ArenaOperand::kVariable, 0, draw.c % 3 == 0 ? -1 : beyond);
    default:
      break;
  }
  if (graph.nodes.empty()) return {};
  const std::size_t number = draw.b / 6 % graph.nodes.size();
  SyntheticNode& node = graph.nodes[number];
  if (draw.b % 6 == 3) return spoil(node.inputs, ArenaOperand::kInput, number, beyond);
  if (draw.b % 6 == 4) return spoil(node.outputs, ArenaOperand::kOutput, number, beyond);
  // Output 0 is left out of an operator that may share.
  const SyntheticNode before = node;
  node.outputs.insert(node.outputs.begin(), -1);
  node.sharing |= kSharesInput0;
  MisuseResult result = PlanSpoilt(planner, ArenaOperand::kOutput, number, -1, tensors);
  node = before;
  return result;
}

}  // namespace

MisuseResult MisusePlanner(ArenaPlanner& planner, SyntheticGraph& graph, std::size_t planned_nodes,
                           std::size_t known_tensors, const SessionDraw& draw) {
  const auto nodes = graph.nodes.size();
  const auto last = static_cast<std::int32_t>(nodes) - 1;
  const bool planned = planned_nodes == nodes && nodes > 0;
  switch (draw.a % 6) {
    case 0: {  // one more node than was planned
      graph.nodes.emplace_back();
      const Status found = planner.ExecuteAllocations(0, last);
      graph.nodes.pop_back();
      return {"ExecuteAllocations of another graph", found,
              Failure(StatusCode::kArenaNotPlanned, planned_nodes, nodes + 1)};
    }
    case 1: {  // a tensor is gone
      if (!planned || known_tensors != graph.tensors.size() || known_tensors == 0) return {};
      const ArenaTensor tensor = graph.tensors.back();
      graph.tensors.pop_back();
      const Status found = planner.ExecuteAllocations(0, last);
      graph.tensors.push_back(tensor);
      return {"ExecuteAllocations without a tensor", found,
              Failure(StatusCode::kArenaTensorsGone, known_tensors - 1, known_tensors)};
    }
    case 2: {  // nodes below the first; only a last one of -1 is a range of none
      if (!planned) return {};
      const std::int32_t below = -1 - draw.b % 3;
      const auto [first, end] = draw.c % 2 == 0 ? std::pair(below, 0) : std::pair(0, below - 1);
      return {"ExecuteAllocations(" + std::to_string(first) + ", " + std::to_string(end) + ")",
              planner.ExecuteAllocations(first, end),
              Failure(StatusCode::kArenaNodeRange, std::int64_t{first}, std::int64_t{end})};
    }
    case 3: {  // a temporary that is no tensor
      if (!planned) return {};
      const auto number = static_cast<std::int32_t>(draw.b % nodes);
      const auto index = draw.c % 2 == 0 ? static_cast<std::int32_t>(graph.tensors.size()) : std::int32_t{-1};
      auto& temporaries = graph.nodes[static_cast<std::size_t>(number)].temporaries;
      temporaries.insert(temporaries.begin(), index);
      const Status found = planner.ExecuteAllocations(number, number);
      temporaries.erase(temporaries.begin());
      return {"ExecuteAllocations with temporary " + std::to_string(index), found,
              Failure(StatusCode::kArenaTensorIndex, ArenaOperand::kTemporary, number, std::int64_t{index},
                      graph.tensors.size())};
    }
    default:
      return WrongIndex(planner, graph, draw);
  }
}

}  // namespace arenaproof::testing
