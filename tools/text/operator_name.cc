#include "tools/text/operator_name.h"

#include "tools/text/text.h"

namespace arenaproof {

std::string OperatorName(const OperatorView& view) {
  if (view.code != BuiltinOperator::kCustom) return BuiltinOperatorName(view.code);
  return Printable(std::string(view.custom_name));
}

std::string OperatorNameAt(const ModelView& model, std::int32_t subgraph, std::int32_t index) {
  return OperatorName(model.operator_at(static_cast<std::size_t>(subgraph), static_cast<std::size_t>(index)));
}

}  // namespace arenaproof
