// The columns of the table of operators in words.
#pragma once

#include <string>
#include <vector>

#include "core/operators/operator_row.h"

namespace arenaproof {

// "1 to 10".
std::string PresenceWords(const OperatorRow& row, const OperandRow& operand);
// "constant".
const char* SourceName(Source source);
// How many of a repeated operand are served.
std::size_t MostRepeated(const OperatorRow& row);
// Where an input of int4 has to come from when that is another place than for its other types; null: the same.
const Source* Int4Source(const OperatorRow& row, const OperandRow& operand);
// "constant"; "any, not read"; "any; INT4: constant".
std::string SourceWords(const OperatorRow& row, const OperandRow& operand);
// "0 to 6"; "4".
std::string RankWords(const OperandRow& operand);
// What an operand's row says of one of its types.
struct TypeQuantization {
  TensorType type;
  QuantizationRule rule;
  QuantizationRead read;
};
// In the order of the tuples; types without a rule are left out.
std::vector<TypeQuantization> QuantizationsOf(const OperatorRow& row, const OperandRow& operand);
// "INT8: one scale, any zero point; INT16: one scale, zero point 0"; empty: none of its types is quantised by a rule.
std::string QuantizationWords(const OperatorRow& row, const OperandRow& operand);
// "0 to 3"; "1 to 4, as the shapes allow".
std::string OptionWords(const OptionRow& option);

// The names of the operands that a column of the tuples is of; empty when it is of none that is read.
std::string ColumnName(const OperatorRow& row, std::size_t column);
// The columns that some operand has.
std::vector<std::size_t> ColumnsOf(const OperatorRow& row);

// "rows along the last axis: INT8 up to 8191"; empty: of any length.
std::string RowLengthWords(const OperatorRow& row);

// The kernel sets that have a kernel of their own for the operator.
std::vector<std::string> KernelSetsOf(BuiltinOperator code);

}  // namespace arenaproof
