#include "engine/generators/models/sharing_model_text.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace arenaproof::testing {
namespace {

std::string Listed(const char* what, const std::vector<std::int32_t>& tensors) {
  std::string text = what;
  for (const std::int32_t tensor : tensors) text += " " + std::to_string(tensor);
  return text;
}

}  // namespace

std::string SharingModelText(const ModelBuilder& model) {
  std::string text;
  for (std::size_t s = 0; s < model.subgraphs.size(); ++s) {
    const SubgraphSpec& graph = model.subgraphs[s];
    text +=
        "subgraph " + std::to_string(s) + Listed(": inputs", graph.inputs) + Listed(", outputs", graph.outputs) + "\n";
    for (const OperatorSpec& op : graph.operators) {
      text += std::string("  ") + BuiltinOperatorName(static_cast<BuiltinOperator>(model.codes[op.code].builtin_code)) +
              Listed("", op.inputs) + Listed(" ->", op.outputs);
      if (const auto* branch = std::get_if<IfOptions>(&op.options)) {
        text += Listed(" calls", {branch->then_subgraph_index, branch->else_subgraph_index});
      } else if (const auto* loop = std::get_if<WhileOptions>(&op.options)) {
        text += Listed(" calls", {loop->cond_subgraph_index, loop->body_subgraph_index});
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace arenaproof::testing
