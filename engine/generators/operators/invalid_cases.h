// One function for each rule, or each group of rules with one way of breaking them. It breaks its rule in the case and
// says which status has to come, or leaves a case alone that has no such rule.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/generators/operators/invalid_case.h"

namespace arenaproof::props {

using InvalidCaseRule = std::optional<Refusal> (*)(OperatorCase& subject, CaseRandom& random);

std::vector<InvalidCaseRule> InvalidCaseRules();

// Those of them that are about scales, zero points and how much 32 bits hold (invalid_quantization.cc).
std::span<const InvalidCaseRule> InvalidQuantizationRules();

}  // namespace arenaproof::props
