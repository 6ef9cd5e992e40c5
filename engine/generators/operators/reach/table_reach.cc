#include "engine/generators/operators/reach/table_reach.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/operators/operand_rules.h"
#include "core/operators/operator_table.h"
#include "engine/unguided.h"

namespace arenaproof {

ARENAPROOF_UNGUIDED_BEGIN

namespace {

constexpr std::size_t kScaleKinds = 2;  // one, or one for each channel
constexpr std::size_t kEnds = 3;        // the least value, one between, the most

enum class End : std::size_t { kLeast, kBetween, kMost };

// What has no limit but its type has no most value that anything would come to.
bool HasMost(const OptionRow& option) { return option.most < std::numeric_limits<std::int32_t>::max(); }

bool IsPossible(const OptionRow& option, End end) {
  if (!option.read || end == End::kLeast) return option.read;
  if (end == End::kMost) return option.most > option.least && HasMost(option);
  return option.most > option.least + 1;
}

std::optional<End> EndOf(const OptionRow& option, const OperatorOptions& options) {
  const std::int64_t value = option.get(options);
  if (value < option.least || value > option.most) return std::nullopt;
  return value == option.least ? End::kLeast : value == option.most && HasMost(option) ? End::kMost : End::kBetween;
}

bool HasChannels(const OperatorRow& row, const TypeTuple& tuple) {
  for (const std::span<const OperandRow> side : {row.inputs, row.outputs}) {
    for (const OperandRow& operand : side) {
      if (RuleFor(operand, tuple[operand.type_column]) == QuantizationRule::kChannels) return true;
    }
  }
  return false;
}

// The first input of data, before which axes and sizes may stand; the first where there are only such.
std::size_t DataInput(const OperatorRow& row) {
  const auto is_data = [](const OperandRow& input) { return input.read && input.values != ValueRule::kByShapeRule; };
  const auto found = std::find_if(row.inputs.begin(), row.inputs.end(), is_data);
  return found == row.inputs.end() ? 0 : static_cast<std::size_t>(found - row.inputs.begin());
}

std::size_t LeastRank(const OperatorRow& row) { return row.inputs.empty() ? 0 : row.inputs[DataInput(row)].least_rank; }
std::size_t MostRank(const OperatorRow& row) { return row.inputs.empty() ? 0 : row.inputs[DataInput(row)].most_rank; }

std::size_t CountOf(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

}  // namespace

ReachedOperator ReachedOf(const OperatorCase& subject) {
  ReachedOperator reached{.code = subject.code, .options = subject.options};
  const auto take = [&](const CaseTensor& tensor, std::vector<std::optional<TensorType>>& types) {
    types.push_back(tensor.present ? std::optional(tensor.type) : std::nullopt);
    reached.per_channel = reached.per_channel || (tensor.present && tensor.scales.size() > 1);
  };
  for (const CaseTensor& input : subject.inputs) take(input, reached.types.inputs);
  for (std::size_t i = 0; i < subject.output_count(); ++i) take(subject.output_at(i), reached.types.outputs);
  for (const CaseTensor& input : subject.inputs) reached.ranks.push_back(input.shape.size());
  return reached;
}

ReachedOperator ReachedOf(const ModelView& model, std::size_t subgraph, const OperatorView& op) {
  ReachedOperator reached{.code = op.code, .options = op.options};
  const auto take = [&](std::span<const std::int32_t> operands, std::vector<std::optional<TensorType>>& types) {
    for (const std::int32_t operand : operands) {
      const TensorView tensor = operand < 0 ? TensorView{} : model.tensor(subgraph, static_cast<std::size_t>(operand));
      types.push_back(operand < 0 ? std::nullopt : std::optional(tensor.type));
      if (&types == &reached.types.inputs) reached.ranks.push_back(tensor.shape.size());
      reached.per_channel = reached.per_channel || tensor.quantization.scales.size() > 1;
    }
  };
  take(op.inputs, reached.types.inputs);
  take(op.outputs, reached.types.outputs);
  return reached;
}

TableReach::TableReach() : TableReach(OperatorTable()) {}

TableReach::TableReach(std::span<const OperatorRow* const> rows) {
  for (const OperatorRow* row : rows) {
    RowReach& reach = rows_.emplace_back();
    reach.row = row;
    reach.rank_count = MostRank(*row) - LeastRank(*row) + 1;
    for (const TypeTuple& tuple : row->types) {
      for (std::size_t rank = 0; rank < reach.rank_count; ++rank) {
        reach.possible_shapes.push_back(true);
        reach.possible_shapes.push_back(HasChannels(*row, tuple));
      }
      for (const OptionRow& option : row->options) {
        for (std::size_t end = 0; end < kEnds; ++end) {
          reach.possible_options.push_back(IsPossible(option, static_cast<End>(end)));
        }
      }
    }
    reach.shapes.resize(reach.possible_shapes.size());
    reach.options.resize(reach.possible_options.size());
  }
}

void TableReach::Count(const ReachedOperator& op) {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const auto& each) { return each.row->code == op.code; });
  if (found == rows_.end()) return;
  const OperatorRow& row = *found->row;
  const std::optional<std::size_t> tuple = TupleOf(row, op.types);
  if (!tuple) return;
  const std::size_t rank = DataInput(row) < op.ranks.size() ? op.ranks[DataInput(row)] : 0;
  if (rank >= LeastRank(row) && rank <= MostRank(row)) {
    const std::size_t of_tuple = *tuple * found->rank_count + rank - LeastRank(row);
    const std::size_t at = of_tuple * kScaleKinds + (op.per_channel ? 1 : 0);
    found->shapes[at] = found->possible_shapes[at];
  }
  // Options that no kernel looks at may be another operator's.
  if (op.options.index() != row.default_options.index()) return;
  for (std::size_t option = 0; option < row.options.size(); ++option) {
    const std::optional<End> end = EndOf(row.options[option], op.options);
    if (!end) continue;
    const std::size_t at = (*tuple * row.options.size() + option) * kEnds + static_cast<std::size_t>(*end);
    found->options[at] = found->possible_options[at];
  }
}

void TableReach::Count(const ModelView& model) {
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      Count(ReachedOf(model, subgraph, model.operator_at(subgraph, i)));
    }
  }
}

TableReach::Numbers TableReach::Of(bool options) const {
  Numbers numbers;
  for (const RowReach& row : rows_) {
    numbers.reached += CountOf(options ? row.options : row.shapes);
    numbers.all += CountOf(options ? row.possible_options : row.possible_shapes);
  }
  return numbers;
}

std::string TableReach::Line() const {
  const auto words = [](const Numbers& numbers) {
    return std::to_string(numbers.reached) + " of " + std::to_string(numbers.all);
  };
  const Numbers shapes = this->shapes(), options = this->options();
  return "table: " + words({shapes.reached + options.reached, shapes.all + options.all}) + " came: " + words(shapes) +
         " of types, rank and scales, " + words(options) + " of types and an option's end or middle\n";
}

TableReach& ReachOfThisProcess() {
  static TableReach reach;
  return reach;
}

ARENAPROOF_UNGUIDED_END

}  // namespace arenaproof
