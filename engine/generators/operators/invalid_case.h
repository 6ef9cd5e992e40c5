// Operators that prepare has to refuse: a valid random one with exactly one rule broken, and the status that says so.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/status.h"
#include "engine/cases/operator_case.h"
#include "engine/generators/operators/operator_generator.h"

namespace arenaproof::props {

struct Refusal {
  const char* what = "";
  std::vector<StatusCode> codes;              // any of them
  std::optional<std::uint64_t> first_number;  // of the status: which operand, option or feature
};

// Breaks one rule of the case, chosen among those that it can break. Nothing when there is none.
std::optional<Refusal> BreakOneRule(OperatorCase& subject, CaseRandom& random);

// Breaks that one rule of them all, which counts from 0, in a random case that has it. Nothing when none was found
// soon.
std::size_t RuleCount();
std::optional<Refusal> MakeInvalidCase(CaseRandom& random, std::size_t which, OperatorCase* subject);

// Does the status say what it has to?
bool Says(const Status& status, const Refusal& refusal);

}  // namespace arenaproof::props
