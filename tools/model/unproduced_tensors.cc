#include "tools/model/unproduced_tensors.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

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

}  // namespace

void ClearUnproducedTensors(const ModelView& model, const Interpreter& interpreter) {
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    ClearUnproducedTensorsOf(model, subgraph, interpreter);
  }
}

}  // namespace arenaproof
