// What of the table of operators came, in cases or in models. Counted are, for each operator,
// - each tuple of its types, with each rank that its first input of data may have, by one scale and, where it has such,
//   by one for each channel;
// - each tuple of its types with the least and the most value of each of its options, and with one between them.
// Diagnostics only: nothing a program does depends on it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_view.h"
#include "core/operators/operator_row.h"
#include "core/operators/type_tuples.h"
#include "engine/cases/operator_case.h"

namespace arenaproof {

// An operator as it came.
struct ReachedOperator {
  BuiltinOperator code{};
  OperandTypes types = {};
  std::vector<std::size_t> ranks = {};  // of the inputs
  bool per_channel = false;             // an operand has several scales
  OperatorOptions options = {};
};

ReachedOperator ReachedOf(const OperatorCase& subject);
// Precondition: a sound model.
ReachedOperator ReachedOf(const ModelView& model, std::size_t subgraph, const OperatorView& op);

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
  Numbers shapes() const { return Of(false); }  // types, ranks and scales
  Numbers options() const { return Of(true); }  // types and options
  // "table: 20 of 30 came: 15 of 20 of types, rank and scales, 5 of 10 of types and an option's end or middle"
  std::string Line() const;

 private:
  struct RowReach {
    const OperatorRow* row;
    std::size_t rank_count;
    std::vector<bool> shapes;   // tuple, rank, by channel
    std::vector<bool> options;  // tuple, option, class
    std::vector<bool> possible_shapes, possible_options;
  };

  Numbers Of(bool options) const;

  std::vector<RowReach> rows_;
};

// Of this process.
TableReach& ReachOfThisProcess();

}  // namespace arenaproof
