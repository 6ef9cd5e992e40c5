#include "tools/model/model_options.h"

#include <set>
#include <string>
#include <utility>
#include <variant>

namespace arenaproof {

InterpreterOptions InterpreterOptionsOf(const SetUpOptions& set_up, OfflinePlanListener* listener) {
  return {.offline_plan = {.trust = set_up.trust_plan, .listener = listener}};
}

std::string WordsOf(const SetUpOptions& set_up) { return set_up.trust_plan ? " --trust-plan" : ""; }

std::size_t CountResourceVariables(const ModelView& model) {
  std::set<std::pair<std::string, std::string>> keys;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.operator_count(s); ++i) {
      const OperatorView view = model.operator_at(s, i);
      if (!view.has_opcode || view.code != BuiltinOperator::kVarHandle) continue;
      const auto* options = std::get_if<VarHandleOptions>(&view.options);
      // A key that lacks a part is refused, whatever the table's size.
      if (options == nullptr || options->container == nullptr || options->shared_name == nullptr) continue;
      keys.emplace(options->container, options->shared_name);
    }
  }
  return keys.size();
}

InterpreterOptions ForModel(const ModelView& model, InterpreterOptions options) {
  options.resource_variable_count = CountResourceVariables(model);
  return options;
}

}  // namespace arenaproof
