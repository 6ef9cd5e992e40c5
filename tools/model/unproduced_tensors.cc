#include "tools/model/unproduced_tensors.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/model/call_tree.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"

namespace arenaproof {

namespace {

void ClearUnproducedTensorsOf(const ModelView& model, std::size_t subgraph, const Interpreter& interpreter) {
  std::vector<bool> written(model.tensor_count(subgraph), false);
  std::vector<bool> read(model.tensor_count(subgraph), false);
  const auto mark = [](std::span<const std::int32_t> tensors, std::vector<bool>& marks) {
    for (const std::int32_t tensor : tensors) {
      if (tensor >= 0) marks[static_cast<std::size_t>(tensor)] = true;
    }
  };
  mark(model.inputs(subgraph), written);
  for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
    mark(model.operator_at(subgraph, i).inputs, read);
    mark(model.operator_at(subgraph, i).outputs, written);
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    const TensorView view = model.tensor(subgraph, i);
    if (written[i] || !read[i] || view.is_variable || view.is_constant()) continue;
    std::span<std::byte> bytes;
    const auto tensor = static_cast<std::int32_t>(i);
    if (interpreter.TensorBytes(tensor, &bytes, static_cast<std::int32_t>(subgraph)).ok()) {
      std::ranges::fill(bytes, std::byte{0});
    }
  }
}

// Subgraph 0 and those that are called from it, directly or not.
std::vector<bool> SubgraphsThatRun(const ModelView& model) {
  std::vector<bool> runs(model.subgraph_count(), false);
  std::vector<std::size_t> to_visit;
  const auto visit = [&](std::size_t subgraph) {
    if (subgraph >= runs.size() || runs[subgraph]) return;
    runs[subgraph] = true;
    to_visit.push_back(subgraph);
  };
  visit(0);
  while (!to_visit.empty()) {
    const std::size_t subgraph = to_visit.back();
    to_visit.pop_back();
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      const CalledSubgraphs called = SubgraphsCalledBy(model.operator_at(subgraph, i));
      for (std::size_t j = 0; j < called.count; ++j) visit(static_cast<std::size_t>(called.subgraph[j]));
    }
  }
  return runs;
}

}  // namespace

void ClearUnproducedTensors(const ModelView& model, const Interpreter& interpreter) {
  const std::vector<bool> runs = SubgraphsThatRun(model);
  for (std::size_t subgraph = 0; subgraph < runs.size(); ++subgraph) {
    if (runs[subgraph]) ClearUnproducedTensorsOf(model, subgraph, interpreter);
  }
}

}  // namespace arenaproof
