// How one rule is broken, by the kind of the rule. Nothing when this case does not have it; it is then left in pieces.
#pragma once

#include "engine/generators/operators/table/beyond_case.h"

namespace arenaproof {

struct BreakDraw {
  CaseRandom& random;
  const OperatorRow& row;
  const RuleBreak& broken;
};

// The rule that is broken is that of this operand.
const OperandRow& BrokenOperandRow(const OperatorRow& row, std::size_t place);

// One of the case's operands of that row; null when all of them are left out. `number`: as statuses say it.
CaseTensor* DrawBrokenOperand(const BreakDraw& draw, OperatorCase& made, std::uint64_t* number);

// break_quantization.cc
bool HasQuantizationRule(const OperatorRow& row, std::size_t place, Breakage kind);
std::optional<props::Refusal> BreakQuantization(const BreakDraw& draw, OperatorCase& made);

// break_value.cc
bool HasValueRule(const OperatorRow& row, std::size_t place);
std::optional<props::Refusal> BreakValue(const BreakDraw& draw, OperatorCase& made);

// break_option.cc
bool HasOptionRule(const OperatorRow& row, const RuleBreak& broken);
std::optional<props::Refusal> BreakOption(const BreakDraw& draw, OperatorCase& made);

// break_limit.cc
bool HasLimitInWords(const OperatorRow& row);
std::optional<props::Refusal> ExceedLimitInWords(const BreakDraw& draw, OperatorCase& made);
std::optional<props::Refusal> LengthenRow(const BreakDraw& draw, OperatorCase& made);

// break_operand.cc
std::optional<props::Refusal> BreakOperand(const BreakDraw& draw, OperatorCase& made);

}  // namespace arenaproof
