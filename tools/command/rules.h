// `arenaproof rules`: what a message means that names a rule of offline plans (V..), an invariant of the arena (I..) or
// the kind of a finding.
#pragma once

#include <string>
#include <vector>

#include "tools/text/exit_status.h"

namespace arenaproof {

struct RulesOptions {
  std::vector<std::string> names;  // empty: all of them
  bool json = false;
};

struct ExplainedRule {
  std::string name;
  std::string concerns;     // a phrase
  std::string consequence;  // what becomes of it, or what has to hold
};

// Rules of plans, invariants, kinds of findings, in this order.
const std::vector<ExplainedRule>& ExplainedRules();

ExitStatus RulesCommand(const RulesOptions& options);

}  // namespace arenaproof
