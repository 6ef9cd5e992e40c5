#include "tools/command/rules.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "tools/command/findings.h"
#include "tools/command/report_delivery.h"
#include "tools/text/json_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ExplainedRule> AllRules() {
  std::vector<ExplainedRule> rules = {
#define ARENAPROOF_RULE(name, concerns, consequence) {name, concerns, consequence},
#include "tools/text/rules.inc"
#undef ARENAPROOF_RULE
  };
  for (const FindingRule& rule : FindingRules()) rules.push_back({rule.id, rule.summary, rule.help});
  return rules;
}

std::string RulesText(const std::vector<ExplainedRule>& rules) {
  std::string text;
  for (const ExplainedRule& rule : rules) {
    text += rule.name + "  " + rule.concerns + "\n" + std::string(rule.name.size() + 2, ' ') + rule.consequence + "\n";
  }
  return text;
}

std::string RulesJson(const std::vector<ExplainedRule>& rules) {
  Json list = Json::array();
  for (const ExplainedRule& rule : rules) {
    list.push_back({{"name", rule.name}, {"concerns", rule.concerns}, {"consequence", rule.consequence}});
  }
  return JsonReport(
      {{"command", "rules"}, {"exit_status", static_cast<int>(ExitStatus::kClean)}, {"rules", std::move(list)}});
}

}  // namespace

const std::vector<ExplainedRule>& ExplainedRules() {
  static const std::vector<ExplainedRule> rules = AllRules();
  return rules;
}

ExitStatus RulesCommand(const RulesOptions& options) {
  std::vector<ExplainedRule> asked;
  for (const std::string& name : options.names) {
    const auto& all = ExplainedRules();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ExplainedRule& rule) { return rule.name == name; });
    if (found == all.end()) {
      return Complain("rules: there is no rule '" + Printable(name) + "'; arenaproof rules lists those there are");
    }
    asked.push_back(*found);
  }
  if (asked.empty()) asked = ExplainedRules();
  std::cout << (options.json ? RulesJson(asked) : RulesText(asked)) << std::flush;
  return std::cout ? ExitStatus::kClean : Complain(kReportNotTaken);
}

}  // namespace arenaproof
