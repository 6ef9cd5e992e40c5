#include "engine/generators/operators/reach/table_reach.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/model/runtime_operator.h"
#include "core/operators/operand_rules.h"
#include "core/operators/operator_table.h"
#include "engine/unguided.h"

namespace arenaproof {

ARENAPROOF_UNGUIDED_BEGIN

namespace {

constexpr std::size_t kScaleKinds = 2;  // one, or one for each channel
constexpr std::size_t kZeroPointClasses = 4;
constexpr std::size_t kZeroPointOperands = 2;
// An option's values, each by itself where they are so few; else the least, one between, the most.
constexpr std::size_t kMostValues = 8;

enum class End : std::size_t { kLeast, kBetween, kMost };

// What has no limit but its type has no most value that anything would come to.
bool HasMost(const OptionRow& option) { return option.most < std::numeric_limits<std::int32_t>::max(); }

bool HasFewValues(const OptionRow& option) {
  return option.most - option.least < static_cast<std::int64_t>(kMostValues);
}

bool IsPossibleEnd(const OptionRow& option, End end) {
  if (!option.read || end == End::kLeast) return option.read;
  if (end == End::kMost) return option.most > option.least && HasMost(option);
  return end == End::kBetween && option.most > option.least + 1;
}

bool IsPossible(const OptionRow& option, std::size_t value_class) {
  if (!HasFewValues(option)) return IsPossibleEnd(option, static_cast<End>(value_class));
  return option.read && option.least + static_cast<std::int64_t>(value_class) <= option.most;
}

std::optional<std::size_t> ClassOf(const OptionRow& option, const OperatorOptions& options) {
  const std::int64_t value = option.get(options);
  if (value < option.least || value > option.most) return std::nullopt;
  if (HasFewValues(option)) return static_cast<std::size_t>(value - option.least);
  const End end = value == option.least                     ? End::kLeast
                  : value == option.most && HasMost(option) ? End::kMost
                                                            : End::kBetween;
  return static_cast<std::size_t>(end);
}

ZeroPointClass ClassOf(TensorType type, bool is_quantized, std::int64_t zero_point) {
  if (!is_quantized) return ZeroPointClass::kNone;
  if (zero_point == 0) return ZeroPointClass::kZero;
  const std::int64_t most = type == TensorType::kUInt8   ? 255
                            : type == TensorType::kInt16 ? 32767
                            : type == TensorType::kInt4  ? 7
                                                         : 127;
  const std::int64_t least = type == TensorType::kUInt8 ? 0 : -1 - most;
  return zero_point == least || zero_point == most ? ZeroPointClass::kEndOfType : ZeroPointClass::kOther;
}

bool IsPossible(QuantizationRule rule, TensorType type, ZeroPointClass zero_point) {
  using enum QuantizationRule;
  switch (rule) {
    case kNone:
      return IsNarrow(type) || type == TensorType::kInt16 ? zero_point != ZeroPointClass::kNone
                                                          : zero_point == ZeroPointClass::kNone;
    case kSymmetricOrNone:
    case kCentered:
      return zero_point == ZeroPointClass::kNone || zero_point == ZeroPointClass::kZero;
    case kSymmetric:
    case kPowerOfTwo:
    case kChannels:
    case kProduct:
    case kUnit16:
      return zero_point == ZeroPointClass::kZero;
    case kUnit8:
    case kLogarithm:
      return zero_point == ZeroPointClass::kEndOfType;
    case kFree:
    case kSymmetricIfConverted:
    case kAsFirst:
    case kByOperator:
      return zero_point != ZeroPointClass::kNone;
  }
  return false;
}

// FULLY_CONNECTED has one scale for weights of int4, as its row says in words.
bool HasChannels(const OperatorRow& row, const TypeTuple& tuple) {
  if (row.code == BuiltinOperator::kFullyConnected && tuple[1] == TensorType::kInt4) return false;
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

// Two rules look at another operand's type.
bool HasZeroPoint(const OperatorRow& row, const OperandRow& operand, const TypeTuple& tuple, std::size_t zero_point) {
  const TensorType type = tuple[operand.type_column];
  QuantizationRule rule = RuleFor(operand, type);
  const bool is_converted = !row.outputs.empty() && tuple[row.outputs[0].type_column] != type;
  const bool of_wide = !row.inputs.empty() && tuple[row.inputs[0].type_column] == TensorType::kInt16;
  if (rule == QuantizationRule::kSymmetricIfConverted && is_converted) rule = QuantizationRule::kSymmetric;
  if (rule == QuantizationRule::kUnit8 && of_wide) rule = QuantizationRule::kUnit16;
  return IsPossible(rule, type, static_cast<ZeroPointClass>(zero_point));
}

// PAD, PADV2, TRANSPOSE and STRIDED_SLICE have a constant list of an entry for each dimension.
bool HasConstantOfEachDimension(const OperatorRow& row) {
  using enum BuiltinOperator;
  return row.code == kPad || row.code == kPadv2 || row.code == kTranspose || row.code == kStridedSlice;
}

// But for limits that the row says in words. Without a dimension such a list is empty, and a file's empty tensor is no
// constant.
bool HasRank(const OperatorRow& row, const TypeTuple& tuple, std::size_t rank) {
  if (rank == 0 && HasConstantOfEachDimension(row)) return false;
  const bool is_float_prelu = row.code == BuiltinOperator::kPrelu && tuple[0] == TensorType::kFloat32;
  return !is_float_prelu || rank <= 4;
}

std::string TupleWords(const OperatorRow& row, const TypeTuple& tuple) {
  std::size_t columns = 1;
  for (const std::span<const OperandRow> side : {row.inputs, row.outputs}) {
    for (const OperandRow& operand : side) columns = std::max<std::size_t>(columns, operand.type_column + 1u);
  }
  std::string text = "types";
  for (std::size_t i = 0; i < columns; ++i) text += std::string(" ") + TensorTypeName(tuple[i]);
  return text;
}

std::string OptionWords(const OptionRow& option, std::size_t value_class) {
  constexpr const char* kEnds[] = {" at its least", " between", " at its most"};
  const std::string name = option.name;
  if (!HasFewValues(option)) return name + kEnds[value_class];
  return name + " " + std::to_string(option.least + static_cast<std::int64_t>(value_class));
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
  const auto zero_point = [](const CaseTensor& tensor) {
    return ClassOf(tensor.type, tensor.present && !tensor.scales.empty(), tensor.zero_point);
  };
  for (const CaseTensor& input : subject.inputs) {
    reached.ranks.push_back(input.shape.size());
    reached.zero_points.push_back(zero_point(input));
  }
  reached.output_zero_point = zero_point(subject.output);
  return reached;
}

ReachedOperator ReachedOf(const ModelView& model, std::size_t subgraph, const OperatorView& op) {
  ReachedOperator reached{.code = op.code, .options = op.options};
  const auto take = [&](std::span<const std::int32_t> operands, std::vector<std::optional<TensorType>>& types) {
    for (const std::int32_t operand : operands) {
      const TensorView tensor = operand < 0 ? TensorView{} : model.tensor(subgraph, static_cast<std::size_t>(operand));
      types.push_back(operand < 0 ? std::nullopt : std::optional(tensor.type));
      const bool is_quantized = tensor.quantization.present();
      const ZeroPointClass zero_point =
          ClassOf(tensor.type, is_quantized, is_quantized ? tensor.quantization.zero_point() : 0);
      if (&types == &reached.types.inputs) {
        reached.ranks.push_back(tensor.shape.size());
        reached.zero_points.push_back(zero_point);
      } else if (types.size() == 1) {
        reached.output_zero_point = zero_point;
      }
      reached.per_channel = reached.per_channel || tensor.quantization.scales.size() > 1;
    }
  };
  take(op.inputs, reached.types.inputs);
  take(op.outputs, reached.types.outputs);
  return reached;
}

bool IsInTable(const ReachedOperator& op) {
  if (IsRuntimeOperator(op.code)) return true;
  const OperatorRow* const row = FindOperatorRow(op.code);
  return row != nullptr && TupleOf(*row, op.types).has_value();
}

TableReach::TableReach() : TableReach(OperatorTable()) {}

TableReach::TableReach(std::span<const OperatorRow* const> rows) {
  for (const OperatorRow* row : rows) {
    RowReach& reach = rows_.emplace_back();
    reach.row = row;
    reach.rank_count = MostRank(*row) - LeastRank(*row) + 1;
    for (const TypeTuple& tuple : row->types) {
      for (std::size_t rank = 0; rank < reach.rank_count; ++rank) {
        reach.shapes.Add(HasRank(*row, tuple, LeastRank(*row) + rank));
        reach.shapes.Add(HasChannels(*row, tuple));
      }
      for (std::size_t zero_point = 0; zero_point < kZeroPointClasses; ++zero_point) {
        const bool has_input = !row->inputs.empty() && row->inputs[DataInput(*row)].read;
        reach.zero_points.Add(has_input && HasZeroPoint(*row, row->inputs[DataInput(*row)], tuple, zero_point));
      }
      for (std::size_t zero_point = 0; zero_point < kZeroPointClasses; ++zero_point) {
        reach.zero_points.Add(!row->outputs.empty() && HasZeroPoint(*row, row->outputs[0], tuple, zero_point));
      }
      for (const OptionRow& option : row->options) {
        for (std::size_t value = 0; value < kMostValues; ++value) reach.options.Add(IsPossible(option, value));
      }
    }
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
    found->shapes.Reach(of_tuple * kScaleKinds + (op.per_channel ? 1 : 0));
  }
  const std::size_t of_operands = *tuple * kZeroPointOperands * kZeroPointClasses;
  if (DataInput(row) < op.zero_points.size()) {
    found->zero_points.Reach(of_operands + static_cast<std::size_t>(op.zero_points[DataInput(row)]));
  }
  found->zero_points.Reach(of_operands + kZeroPointClasses + static_cast<std::size_t>(op.output_zero_point));
  // Options that no kernel looks at may be another operator's.
  if (op.options.index() != row.default_options.index()) return;
  for (std::size_t option = 0; option < row.options.size(); ++option) {
    const std::optional<std::size_t> value = ClassOf(row.options[option], op.options);
    if (value) found->options.Reach((*tuple * row.options.size() + option) * kMostValues + *value);
  }
}

void TableReach::Count(const ModelView& model) {
  for (std::size_t subgraph = 0; subgraph < model.subgraph_count(); ++subgraph) {
    for (std::size_t i = 0; i < model.operator_count(subgraph); ++i) {
      Count(ReachedOf(model, subgraph, model.operator_at(subgraph, i)));
    }
  }
}

void TableReach::Classes::Add(bool is_possible) {
  possible.push_back(is_possible);
  reached.push_back(false);
}

TableReach::Numbers TableReach::Of(Classes RowReach::* which) const {
  Numbers numbers;
  for (const RowReach& row : rows_) {
    numbers.reached += CountOf((row.*which).reached);
    numbers.all += CountOf((row.*which).possible);
  }
  return numbers;
}

std::string TableReach::Line() const {
  const auto words = [](const Numbers& numbers) {
    return std::to_string(numbers.reached) + " of " + std::to_string(numbers.all);
  };
  const Numbers shapes = this->shapes(), zero_points = this->zero_points(), options = this->options();
  const Numbers all = {shapes.reached + zero_points.reached + options.reached,
                       shapes.all + zero_points.all + options.all};
  return "table: " + words(all) + " came: " + words(shapes) + " of types, rank and scales, " + words(zero_points) +
         " of types and a zero point's class, " + words(options) + " of types and an option's class\n";
}

std::vector<std::string> TableReach::MissingOf(const RowReach& reach) {
  const OperatorRow& row = *reach.row;
  std::vector<std::string> missing;
  const auto add = [&](const Classes& classes, std::size_t count_of_tuple, auto&& words) {
    for (std::size_t i = 0; i < classes.possible.size(); ++i) {
      if (!classes.possible[i] || classes.reached[i]) continue;
      missing.push_back(TupleWords(row, row.types[i / count_of_tuple]) + ", " + words(i % count_of_tuple));
    }
  };
  add(reach.shapes, reach.rank_count * kScaleKinds, [&](std::size_t place) {
    return "rank " + std::to_string(LeastRank(row) + place / kScaleKinds) +
           (place % kScaleKinds == 0 ? "" : ", a scale for each channel");
  });
  add(reach.zero_points, kZeroPointOperands * kZeroPointClasses, [](std::size_t place) {
    constexpr const char* kWords[] = {"none", "0", "another", "an end of the type"};
    return std::string(place < kZeroPointClasses ? "input" : "output") + "'s zero point " +
           kWords[place % kZeroPointClasses];
  });
  add(reach.options, row.options.size() * kMostValues,
      [&](std::size_t place) { return OptionWords(row.options[place / kMostValues], place % kMostValues); });
  return missing;
}

std::string TableReach::Missing() const {
  constexpr std::size_t kMostNamed = 4;
  std::string text;
  for (const RowReach& reach : rows_) {
    const std::vector<std::string> missing = MissingOf(reach);
    if (missing.empty()) continue;
    const std::size_t all =
        CountOf(reach.shapes.possible) + CountOf(reach.zero_points.possible) + CountOf(reach.options.possible);
    text += std::string("  ") + BuiltinOperatorName(reach.row->code) + " lacks " + std::to_string(missing.size()) +
            " of " + std::to_string(all);
    for (std::size_t i = 0; i < missing.size() && i < kMostNamed; ++i) text += (i == 0 ? ": " : "; ") + missing[i];
    text += missing.size() > kMostNamed ? "; ...\n" : "\n";
  }
  return text;
}

TableReach& ReachOfThisProcess() {
  static TableReach reach;
  return reach;
}

ARENAPROOF_UNGUIDED_END

}  // namespace arenaproof
