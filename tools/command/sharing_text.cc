#include "tools/command/sharing_text.h"

#include <nlohmann/json.hpp>

#include "tools/text/operator_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

OperatorLocation WriterOf(const BufferAlias& alias) { return {alias.subgraph, alias.operator_index}; }

// Only tensors share.
std::string TensorText(const ModelView& model, const PlanEntry& entry) {
  const TensorView tensor =
      model.tensor(static_cast<std::size_t>(entry.subgraph), static_cast<std::size_t>(entry.tensor));
  return "tensor " + std::to_string(entry.tensor) + " \"" + Printable(tensor.name) + "\"";
}

}  // namespace

std::string SharingText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing) {
  std::string text;
  for (const BufferAlias& alias : sharing) {
    text += "  " + TensorText(model, plan[alias.buffer]) + " lies in the bytes of " +
            TensorText(model, plan[alias.source]) + ": " + Printable(OperatorName(model, WriterOf(alias))) +
            " (operator " + std::to_string(alias.operator_index);
    if (alias.subgraph != 0) text += " of subgraph " + std::to_string(alias.subgraph);
    text += alias.modifies ? ") works in place\n" : ") leaves them as they are\n";
  }
  return text;
}

OrderedJson SharingJson(const ModelView& model, std::span<const BufferAlias> sharing) {
  OrderedJson list = OrderedJson::array();
  for (const BufferAlias& alias : sharing) {
    list.push_back({{"buffer", alias.buffer},
                    {"source", alias.source},
                    {"owner", alias.owner},
                    {"subgraph", alias.subgraph},
                    {"operator", alias.operator_index},
                    {"operator_name", OperatorName(model, WriterOf(alias))},
                    {"input", alias.input},
                    {"modifies", alias.modifies}});
  }
  return list;
}

}  // namespace arenaproof
