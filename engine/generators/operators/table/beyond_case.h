// Cases one step beyond what an operator's row allows: a valid case of the table with exactly one rule broken, and the
// statuses that may say so. The ways of breaking a rule follow from the row alone, the same for all operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/operators/operator_row.h"
#include "engine/generators/operators/invalid_case.h"
#include "engine/generators/operators/operator_generator.h"

namespace arenaproof {

enum class Breakage : std::uint8_t {
  kType,         // an operand of a type outside every tuple
  kOmitted,      // an operand that has to be there is left out
  kTooFew,       // the list of inputs ends before an operand that has to be there
  kTooMany,      // inputs: one more than there are rows or repetitions; outputs likewise
  kForbidden,    // an operand in a place that has to be left out
  kRankAbove,    // one dimension more than OperandRow::most_rank, where a tensor may have so many
  kRankBelow,    // one dimension less than OperandRow::least_rank
  kComputed,     // a constant operand that is computed
  kNotVariable,  // a variable operand that keeps nothing
  kOptionBelow,
  kOptionAbove,  // of options that shapes decide: a value that those of the case do not allow
  kOptionsMissing,
  kQuantizationMissing,
  kNoScale,     // one that is not finite or not positive
  kScaleCount,  // one scale too many
  kZeroPoint,   // one step beside what the rule says, or beside the type's range where any is free
  kScale,       // one step beside what the rule says
  kOutputExtent,
  kRowTooLong,    // one element more than OperatorRow::longest_rows
  kLimitInWords,  // one step beyond a limit that OperatorRow::limits says
  kValue          // an axis, size or index that does not go with the shapes; a divisor of zero
};

// One way of breaking a rule of a row.
struct RuleBreak {
  Breakage kind;
  std::size_t place = 0;  // operand, as statuses number them, of the row; or which option, or longest row
};

// All ways that the row has.
std::vector<RuleBreak> RuleBreaksOf(const OperatorRow& row);

// "ADD, an option above: fused activation"
std::string BreakName(const OperatorRow& row, const RuleBreak& broken);

struct BeyondCase {
  OperatorCase subject;
  props::Refusal refusal;
  std::string where;      // ": output"
  bool in_a_file = true;  // else no model file can say it
};

// Nothing when no case was drawn soon that has the rule. Precondition: HasTableCases(row).
std::optional<BeyondCase> MakeBeyondCase(CaseRandom& random, const OperatorRow& row, const RuleBreak& broken);

}  // namespace arenaproof
