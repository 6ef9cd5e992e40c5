// One function for each rule, or each group of rules with one way of breaking them. It breaks its rule in the case and
// says which status has to come, or leaves a case alone that has no such rule.
#pragma once

#include <optional>
#include <span>

#include "props/operators/broken_case.h"

namespace arenaproof::props {

using RuleBreaker = std::optional<Refusal> (*)(OperatorCase& subject, CaseRandom& random);

std::span<const RuleBreaker> RuleBreakers();

}  // namespace arenaproof::props
