#include "engine/oracles/model/graph_head.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "core/model/call_tree.h"
#include "core/planner/host/arena_planner.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/cases/synthetic_graph.h"
#include "engine/oracles/host_planner/model_planner.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t UpTo(std::size_t bytes, std::size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

// On how many ways calls lead to each subgraph, 2 for more; 1 where nobody calls.
class Ways {
 public:
  explicit Ways(const ModelView& model) : model_(model) {}

  int To(std::size_t subgraph) {
    if (const auto known = known_.find(subgraph); known != known_.end()) return known->second;
    int ways = 0;
    for (std::size_t caller = 0; caller < model_.subgraph_count(); ++caller) {
      for (std::size_t i = 0; i < model_.operator_count(caller); ++i) {
        const CalledSubgraphs called = SubgraphsCalledBy(model_.operator_at(caller, i));
        for (std::size_t k = 0; k < called.count; ++k) {
          if (called.subgraph[k] == static_cast<std::int32_t>(subgraph)) ways += To(caller);
        }
      }
    }
    return known_[subgraph] = std::clamp(ways, 1, 2);
  }

 private:
  const ModelView& model_;
  std::map<std::size_t, int> known_;
};

// A subgraph with the buffer of each of its tensors, scratch behind them.
struct BufferGraph {
  SyntheticGraph graph;
  std::vector<std::ptrdiff_t> buffers;  // -1: none that takes room
};

bool Has(std::span<const std::int32_t> list, std::size_t tensor) {
  return std::find(list.begin(), list.end(), static_cast<std::int32_t>(tensor)) != list.end();
}

BufferGraph GraphOf(const ModelView& model, std::span<const PlanEntry> plan, std::size_t subgraph,
                    const KernelSet& kernels, bool sharing) {
  BufferGraph made;
  SyntheticGraph& graph = made.graph;
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    const OperatorView view = model.operator_at(subgraph, i);
    SyntheticNode& node = graph.nodes.emplace_back();
    node.inputs.assign(view.inputs.begin(), view.inputs.end());
    node.outputs.assign(view.outputs.begin(), view.outputs.end());
    const Kernel* kernel = nullptr;
    if (sharing && FindKernelOf(kernels, model, subgraph, i, &kernel).ok() && kernel != nullptr) {
      node.sharing = kernel->sharing;
    }
  }
  graph.inputs.assign(model.inputs(subgraph).begin(), model.inputs(subgraph).end());
  graph.outputs.assign(model.outputs(subgraph).begin(), model.outputs(subgraph).end());
  graph.tensors.assign(model.tensor_count(subgraph), {0, ArenaTensorKind::kCustom, nullptr});
  made.buffers.assign(graph.tensors.size(), -1);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const PlanEntry& entry = plan[i];
    if (entry.subgraph != static_cast<std::int32_t>(subgraph) || entry.bytes == 0 || entry.last < 0) continue;
    std::size_t tensor = graph.tensors.size();
    if (entry.tensor >= 0) {
      tensor = static_cast<std::size_t>(entry.tensor);
    } else {
      graph.nodes[static_cast<std::size_t>(entry.owner_operator)].temporaries.push_back(
          static_cast<std::int32_t>(tensor));
      graph.tensors.emplace_back();
      made.buffers.emplace_back();
    }
    graph.tensors[tensor] = {entry.bytes, ArenaTensorKind::kArena, nullptr};
    made.buffers[tensor] = static_cast<std::ptrdiff_t>(i);
  }
  for (std::size_t i = 0; i < model.tensor_count(subgraph); ++i) {
    if (model.tensor(subgraph, i).is_variable) graph.variables.push_back(static_cast<std::int32_t>(i));
    const bool written = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                     [&](const SyntheticNode& node) { return Has(node.outputs, i); });
    if (made.buffers[i] >= 0 && !written && !Has(graph.inputs, i)) graph.inputs.push_back(static_cast<std::int32_t>(i));
  }
  return made;
}

std::size_t NoRoom(std::size_t bytes) { return bytes; }

void RequireSame(bool same, std::size_t subgraph) {
  if (!same) throw std::logic_error("two arena planners differ on subgraph " + std::to_string(subgraph));
}

}  // namespace

GraphHead HeadOfGraphs(const ModelView& model, std::span<const PlanEntry> plan, const KernelSet& kernels,
                       bool sharing) {
  GraphHead head;
  head.offsets.resize(plan.size());
  Ways ways(model);
  std::size_t end = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    const bool preserve_all = ways.To(s) > 1;
    BufferGraph of = GraphOf(model, plan, s, kernels, sharing && !preserve_all);
    BufferGraph again = of;
    const std::int32_t last = std::max(static_cast<std::int32_t>(of.graph.nodes.size()), 1) - 1;
    ArenaPlannerOptions options;
    options.preserve_all_tensors = preserve_all;
    ArenaPlanner planner(of.graph, options);
    ModelPlanner second(again.graph, preserve_all, kAlignment, {SIZE_MAX / 2, NoRoom});
    RequireSame(planner.PlanAllocations().ok() && planner.ExecuteAllocations(0, last).ok(), s);
    RequireSame(second.Plan().ok() && second.Execute(0, last).ok(), s);
    const std::byte* const base = planner.BasePointer(ArenaTensorKind::kArena);
    const std::size_t start = UpTo(end, kAlignment);
    for (std::size_t i = 0; i < of.buffers.size(); ++i) {
      if (of.buffers[i] < 0) continue;
      RequireSame(of.graph.tensors[i].data != nullptr, s);
      const auto offset = static_cast<std::size_t>(of.graph.tensors[i].data - base);
      const auto place = second.addresses().find(static_cast<std::int32_t>(i));
      RequireSame(place != second.addresses().end() && place->second == offset, s);
      head.offsets[static_cast<std::size_t>(of.buffers[i])] = start + offset;
      head.scratch_buffers += i >= model.tensor_count(s) ? 1 : 0;
    }
    const std::size_t bytes = planner.GetAllocInfo().non_persistent;
    if (bytes > 0) end = start + bytes;
    head.arenas += bytes > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < plan.size(); ++i) {
    head.bytes = std::max(head.bytes, head.offsets[i] + UpTo(plan[i].bytes, 16));
  }
  return head;
}

}  // namespace arenaproof::testing
