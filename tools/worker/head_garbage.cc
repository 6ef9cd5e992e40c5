#include "tools/worker/head_garbage.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace arenaproof {
namespace {

std::vector<std::span<std::byte>> VariablesInHead(const ModelView& model, const Interpreter& interpreter) {
  std::vector<std::span<std::byte>> variables;
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    for (std::size_t i = 0; i < model.tensor_count(subgraph); ++i) {
      if (!model.tensor(subgraph, i).is_variable) continue;
      const auto number = static_cast<std::int32_t>(subgraph);
      const auto index = static_cast<std::int32_t>(i);
      std::size_t offset = 0;
      if (!interpreter.TensorOffset(index, &offset, number).ok()) continue;
      std::span<std::byte> bytes;
      if (interpreter.TensorBytes(index, &bytes, number).ok()) variables.push_back(bytes);
    }
  }
  return variables;
}

}  // namespace

void FillHeadWithGarbage(const ModelView& model, const Interpreter& interpreter, MemoryRegion head, std::byte garbage) {
  const std::vector<std::span<std::byte>> variables = VariablesInHead(model, interpreter);
  std::vector<std::vector<std::byte>> values;
  for (const std::span<std::byte> variable : variables) values.emplace_back(variable.begin(), variable.end());
  std::memset(const_cast<std::byte*>(head.data), std::to_integer<int>(garbage), head.bytes);
  for (std::size_t i = 0; i < variables.size(); ++i) std::ranges::copy(values[i], variables[i].begin());
}

}  // namespace arenaproof
