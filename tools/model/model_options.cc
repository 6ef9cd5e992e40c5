#include "tools/model/model_options.h"

#include <set>
#include <string>
#include <utility>
#include <variant>

#include "tools/text/quoting.h"

namespace arenaproof {

InterpreterOptions InterpreterOptionsOf(const SetUpOptions& set_up, ChosenPlanner& planner,
                                        OfflinePlanListener* listener) {
  InterpreterOptions options;
  planner.Give(options);
  options.offline_plan.trust = set_up.trust_plan;
  options.offline_plan.strict = set_up.strict_plan;
  options.offline_plan.listener = listener;
  return options;
}

std::string WordsOf(const SetUpOptions& set_up) {
  std::string words;
  if (set_up.planner != kDefaultPlanner) words += " --planner=" + ShellWord(set_up.planner);
  if (set_up.no_sharing) words += " --no-sharing";
  if (set_up.trust_plan) words += " --trust-plan";
  if (set_up.strict_plan) words += " --strict-plan";
  return words;
}

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
