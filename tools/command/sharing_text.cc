#include "tools/command/sharing_text.h"

#include <nlohmann/json.hpp>

#include "tools/text/operator_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

SharedBytes SharedBytesOf(const ModelView& model, const BufferAlias& alias) {
  return {alias.buffer,   alias.source,         alias.owner,
          alias.subgraph, alias.operator_index, OperatorName(model, {alias.subgraph, alias.operator_index}),
          alias.input,    alias.modifies};
}

// Only tensors share.
SharedTensor TensorOf(const ModelView& model, const PlanEntry& entry) {
  const TensorView tensor =
      model.tensor(static_cast<std::size_t>(entry.subgraph), static_cast<std::size_t>(entry.tensor));
  return {entry.tensor, tensor.name};
}

std::string TensorText(const SharedTensor& tensor) {
  return "tensor " + std::to_string(tensor.tensor) + " \"" + Printable(tensor.name) + "\"";
}

}  // namespace

std::string SharedBytesText(const SharedBytes& shared, const SharedTensor& buffer, const SharedTensor& source) {
  std::string text = "  " + TensorText(buffer) + " lies in the bytes of " + TensorText(source) + ": " +
                     Printable(shared.operator_name) + " (operator " + std::to_string(shared.operator_index);
  if (shared.subgraph != 0) text += " of subgraph " + std::to_string(shared.subgraph);
  return text + (shared.modifies ? ") works in place\n" : ") leaves them as they are\n");
}

OrderedJson SharedBytesJson(const SharedBytes& shared) {
  return {{"buffer", shared.buffer},     {"source", shared.source},           {"owner", shared.owner},
          {"subgraph", shared.subgraph}, {"operator", shared.operator_index}, {"operator_name", shared.operator_name},
          {"input", shared.input},       {"modifies", shared.modifies}};
}

std::string SharingText(const ModelView& model, std::span<const PlanEntry> plan, std::span<const BufferAlias> sharing) {
  std::string text;
  for (const BufferAlias& alias : sharing) {
    text += SharedBytesText(SharedBytesOf(model, alias), TensorOf(model, plan[alias.buffer]),
                            TensorOf(model, plan[alias.source]));
  }
  return text;
}

OrderedJson SharingJson(const ModelView& model, std::span<const BufferAlias> sharing) {
  OrderedJson list = OrderedJson::array();
  for (const BufferAlias& alias : sharing) list.push_back(SharedBytesJson(SharedBytesOf(model, alias)));
  return list;
}

}  // namespace arenaproof
