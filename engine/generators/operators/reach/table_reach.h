// What of the table of operators came, in cases or in models. Counted are, for each operator,
// - each tuple of its types, with each rank that its first input of data may have, by one scale and, where it has such,
//   by one for each channel;
// - each tuple of its types with each class of zero points of its first input of data and of its first output;
// - each tuple of its types with each value of each of its options, or of those that have more than eight with the
//   least, the most and one between them.
// Diagnostics only: nothing a program does depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/operators/operator_row.h"
#include "core/operators/type_tuples.h"
#include "engine/cases/operator_case.h"

namespace arenaproof {

// None: without a quantisation.
enum class ZeroPointClass : std::uint8_t { kNone, kZero, kOther, kEndOfType };

// An operator as it came.
struct ReachedOperator {
  BuiltinOperator code{};
  OperandTypes types = {};
  std::vector<std::size_t> ranks = {};                       // of the inputs
  std::vector<ZeroPointClass> zero_points = {};              // of the inputs
  ZeroPointClass output_zero_point = ZeroPointClass::kNone;  // of the first one
  bool per_channel = false;                                  // an operand has several scales
  OperatorOptions options = {};
};

ReachedOperator ReachedOf(const OperatorCase& subject);
// Precondition: a sound model.
ReachedOperator ReachedOf(const ModelView& model, std::size_t subgraph, const OperatorView& op);

// Whether the table has the operator with such types; what the runtime's own operators pass may be of any.
bool IsInTable(const ReachedOperator& op);

class TableReach {
 public:
  TableReach();  // of the table
  explicit TableReach(std::span<const OperatorRow* const> rows);

  // What the table does not have is not counted.
  void Count(const ReachedOperator& op);
  void Count(const ModelView& model);  // all its operators

  struct Numbers {
    std::size_t reached = 0;
    std::size_t all = 0;
  };
  Numbers shapes() const { return Of(&RowReach::shapes); }            // types, ranks and scales
  Numbers zero_points() const { return Of(&RowReach::zero_points); }  // types and zero points
  Numbers options() const { return Of(&RowReach::options); }          // types and options
  // "table: 22 of 35 came: 15 of 20 of types, rank and scales, 2 of 5 of types and a zero point's class, 5 of 10 of
  // types and an option's class"
  std::string Line() const;
  // A line for each operator of which something did not come: "  CONV_2D lacks 2 of 14: types FLOAT32 FLOAT32, rank 3;
  // types INT8 INT8, stride at its most". Of a long list the beginning.
  std::string Missing() const;

 private:
  struct Classes {
    std::vector<bool> possible, reached;

    void Add(bool is_possible);
    void Reach(std::size_t which) { reached[which] = possible[which]; }
  };

  struct RowReach {
    const OperatorRow* row;
    std::size_t rank_count;
    Classes shapes;       // tuple, rank, by channel
    Classes zero_points;  // tuple, input or output, class
    Classes options;      // tuple, option, class
  };

  Numbers Of(Classes RowReach::* which) const;
  static std::vector<std::string> MissingOf(const RowReach& reach);

  std::vector<RowReach> rows_;
};

// Of this process.
TableReach& ReachOfThisProcess();

}  // namespace arenaproof
