#include "core/model/operator_option_rules.h"
#include "core/model/validation_rules.h"

namespace arenaproof {

Status CheckOptions(const OperatorView& view, std::size_t subgraph, std::size_t index) {
  const OptionRule* const rule = FindOptionRule(view.code);
  if (rule == nullptr) return Ok();
  if (view.options_2_type != 0) {
    return Failure(StatusCode::kModelOptions2Type, subgraph, index, view.options_2_type);
  }
  if (view.options_type != 0 && view.options_type != rule->union_type) {
    return Failure(StatusCode::kModelOptionsType, subgraph, index, view.options_type, rule->union_type);
  }
  const bool absent = view.options_type == 0 || !view.has_options;
  if (absent && rule->required) {
    return Failure(StatusCode::kModelOptionsMissing, subgraph, index, static_cast<std::int32_t>(view.code),
                   rule->union_type);
  }
  return Ok();
}

}  // namespace arenaproof
