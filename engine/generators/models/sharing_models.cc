#include "engine/generators/models/sharing_models.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace arenaproof::testing {
namespace {

using Indices = std::vector<std::int32_t>;

// Values of one class have one shape and type. One element is too small to share where data are modified; a row
// beside a column makes a grid of truths that has as many bytes as the row, though the row is repeated.
enum class ValueClass : std::uint8_t { kOne, kRow, kTable, kColumn, kGrid, kOneTruth, kRowTruth, kGridTruth };
constexpr std::size_t kClassCount = 8;

TensorSpec SpecOf(ValueClass of) {
  switch (of) {
    case ValueClass::kOne:
      return {.shape = {{1}}};
    case ValueClass::kRow:
      return {.shape = {{8}}};
    case ValueClass::kTable:
      return {.shape = {{2, 4}}};
    case ValueClass::kColumn:
      return {.shape = {{4, 1}}};
    case ValueClass::kGrid:
      return {.shape = {{4, 8}}};
    case ValueClass::kOneTruth:
      return {.type = TensorType::kBool, .shape = {{1}}};
    case ValueClass::kRowTruth:
      return {.type = TensorType::kBool, .shape = {{8}}};
    default:
      return {.type = TensorType::kBool, .shape = {{4, 8}}};
  }
}

constexpr std::array kUnary = {BuiltinOperator::kNeg, BuiltinOperator::kAbs, BuiltinOperator::kRelu,
                               BuiltinOperator::kFloor};
constexpr std::array kBinary = {BuiltinOperator::kAdd, BuiltinOperator::kSub, BuiltinOperator::kMaximum,
                                BuiltinOperator::kMinimum};
constexpr std::array kComparison = {BuiltinOperator::kLess, BuiltinOperator::kGreaterEqual, BuiltinOperator::kEqual};
constexpr std::array kModified = {ValueClass::kRow,   ValueClass::kRow,  ValueClass::kTable,
                                  ValueClass::kTable, ValueClass::kGrid, ValueClass::kOne};

class SharingMaker {
 public:
  explicit SharingMaker(Choices& choices) : choices_(choices) {}

  ModelBuilder Make() {
    const std::size_t body_count = choices_.OneIn(2) ? 1 + choices_.Below(4) : 0;
    const std::size_t condition_count = body_count == 0 ? 0 : choices_.Below(3);
    const std::size_t count = 1 + body_count + condition_count;
    for (std::size_t i = 0; i < count; ++i) model_.AddSubgraph();
    Indices others;
    for (std::size_t i = 1; i < count; ++i) others.push_back(static_cast<std::int32_t>(i));
    for (std::size_t i = others.size(); i > 1; --i) std::swap(others[i - 1], others[choices_.Below(i)]);
    bodies_.assign(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(body_count));
    conditions_.assign(others.begin() + static_cast<std::ptrdiff_t>(body_count), others.end());
    MakeMain();
    for (std::size_t rank = 0; rank < bodies_.size(); ++rank) MakeBody(rank);
    for (const std::int32_t condition : conditions_) MakeCondition(condition);
    return std::move(model_);
  }

 private:
  Indices& Of(ValueClass of) { return values_[static_cast<std::size_t>(of)]; }

  void Begin(std::size_t subgraph) {
    graph_ = &model_.subgraphs[subgraph];
    for (Indices& values : values_) values.clear();
  }

  std::int32_t Input(ValueClass of) {
    graph_->inputs.push_back(graph_->AddTensor(SpecOf(of)));
    Of(of).push_back(graph_->inputs.back());
    return graph_->inputs.back();
  }

  std::int32_t Constant(ValueClass of) {
    TensorSpec tensor = SpecOf(of);
    std::size_t count = 1;
    for (const std::int32_t extent : *tensor.shape) count *= static_cast<std::size_t>(extent);
    const std::size_t start = choices_.Below(17);
    if (tensor.type == TensorType::kBool) {
      std::vector<std::uint8_t> truths(count);
      for (std::size_t i = 0; i < count; ++i) truths[i] = static_cast<std::uint8_t>((start + 3 * i) / 2 % 2);
      tensor.buffer = model_.AddBufferOf(truths);
    } else {
      std::vector<float> numbers(count);
      for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>((start + 7 * i) % 17) * 0.25f - 2.0f;
      tensor.buffer = model_.AddBufferOf(numbers);
    }
    return graph_->AddTensor(std::move(tensor));
  }

  // Half of the time the youngest value, so that chains are long; else any, so that values are read again.
  std::int32_t Pick(ValueClass of) {
    Indices& values = Of(of);
    if (values.empty() || choices_.OneIn(16)) {
      values.push_back(Constant(of));
      return values.back();
    }
    return choices_.OneIn(2) ? values.back() : choices_.Of(values);
  }

  std::int32_t Apply(BuiltinOperator code, Indices inputs, ValueClass of, OperatorOptions options = {}) {
    const std::int32_t output = graph_->AddTensor(SpecOf(of));
    graph_->AddOperator({.code = model_.AddCode(code),
                         .inputs = std::move(inputs),
                         .outputs = {output},
                         .options = std::move(options)});
    Of(of).push_back(output);
    return output;
  }

  OperatorOptions OptionsOf(BuiltinOperator code) {
    if (code == BuiltinOperator::kAdd) return AddOptions{};
    if (code == BuiltinOperator::kSub) return SubOptions{};
    return {};
  }

  void AddBinary() {
    const BuiltinOperator code = choices_.Of(kBinary);
    const ValueClass of = choices_.Of(kModified);
    const std::int32_t first = Pick(of);
    const std::int32_t second = choices_.OneIn(8) ? first : Pick(choices_.OneIn(6) ? ValueClass::kOne : of);
    const bool swapped = choices_.OneIn(3);
    Apply(code, swapped ? Indices{second, first} : Indices{first, second}, of, OptionsOf(code));
  }

  void AddReshape() {
    const ValueClass from = choices_.Of(kModified);
    ValueClass to = from;
    if (from == ValueClass::kRow && choices_.OneIn(2)) to = ValueClass::kTable;
    if (from == ValueClass::kTable && choices_.OneIn(2)) to = ValueClass::kRow;
    Apply(BuiltinOperator::kReshape, {Pick(from)}, to, ReshapeOptions{});
  }

  void AddCumsum() {
    const ValueClass of = choices_.OneIn(2) ? ValueClass::kTable : ValueClass::kRow;
    const std::int32_t last_axis = of == ValueClass::kTable ? 1 : 0;
    const std::int32_t axis =
        graph_->AddTensor({.type = TensorType::kInt32,
                           .shape = {{1}},
                           .buffer = model_.AddBufferOf(std::vector<std::int32_t>{choices_.Between(0, last_axis)})});
    const bool exclusive = choices_.OneIn(2);
    Apply(BuiltinOperator::kCumsum, {Pick(of), axis}, of, CumsumOptions{exclusive, choices_.OneIn(2)});
  }

  void AddComparison() {
    const BuiltinOperator code = choices_.Of(kComparison);
    const std::int32_t row = Pick(ValueClass::kRow);
    if (choices_.OneIn(4)) {
      Apply(code, {row, Pick(ValueClass::kRow)}, ValueClass::kRowTruth);
      return;
    }
    const std::int32_t column = Pick(ValueClass::kColumn);
    Apply(code, choices_.OneIn(2) ? Indices{row, column} : Indices{column, row}, ValueClass::kGridTruth);
  }

  void AddLogical() {
    const ValueClass of = choices_.OneIn(2) ? ValueClass::kRowTruth : ValueClass::kGridTruth;
    if (choices_.OneIn(2)) {
      Apply(BuiltinOperator::kLogicalNot, {Pick(of)}, of);
    } else {
      Apply(BuiltinOperator::kLogicalAnd, {Pick(of), Pick(of)}, of);
    }
  }

  void AddSelection() {
    const bool grid = choices_.OneIn(2);
    const ValueClass of = grid ? ValueClass::kGrid : ValueClass::kRow;
    const std::int32_t condition = Pick(grid ? ValueClass::kGridTruth : ValueClass::kRowTruth);
    const auto value = [&] { return Pick(grid && choices_.OneIn(2) ? ValueClass::kRow : of); };
    const std::int32_t first = value();
    Apply(BuiltinOperator::kSelectV2, {condition, first, value()}, of);
  }

  // One, counted up, and a row go into whatever is called, and come out of it.
  void AddCall(std::size_t rank) {
    const auto callee = [&] {
      const std::size_t further = bodies_.size() - rank;
      return bodies_[rank + (choices_.OneIn(2) ? 0 : choices_.Below(further))];
    };
    const std::int32_t count = Pick(ValueClass::kOne), row = Pick(ValueClass::kRow);
    Indices inputs{count, row};
    const Indices outputs{graph_->AddTensor(SpecOf(ValueClass::kOne)), graph_->AddTensor(SpecOf(ValueClass::kRow))};
    const std::int32_t first = callee();
    if (!conditions_.empty() && choices_.OneIn(3)) {
      graph_->AddOperator({.code = model_.AddCode(BuiltinOperator::kWhile),
                           .inputs = std::move(inputs),
                           .outputs = outputs,
                           .options = WhileOptions{choices_.Of(conditions_), first}});
    } else {
      inputs.insert(inputs.begin(), Pick(ValueClass::kOneTruth));
      graph_->AddOperator({.code = model_.AddCode(BuiltinOperator::kIf),
                           .inputs = std::move(inputs),
                           .outputs = outputs,
                           .options = IfOptions{first, callee()}});
    }
    Of(ValueClass::kOne).push_back(outputs[0]);
    Of(ValueClass::kRow).push_back(outputs[1]);
  }

  // `rank`: the first of the bodies that may be called.
  void AddOperator(std::size_t rank) {
    const bool may_call = rank < bodies_.size();
    switch (choices_.Below(may_call ? 16 : 14)) {
      case 0:
      case 1:
      case 2: {
        const ValueClass of = choices_.Of(kModified);
        return void(Apply(choices_.Of(kUnary), {Pick(of)}, of));
      }
      case 3:
      case 4:
      case 5:
        return AddBinary();
      case 6: {
        const ValueClass of = choices_.Of(kModified);
        const std::int32_t first = Pick(of), second = Pick(of);
        return void(Apply(BuiltinOperator::kAddN, {first, second, Pick(of)}, of));
      }
      case 7:
      case 8:
      case 9:
        return AddReshape();
      case 10:
        return AddCumsum();
      case 11:
        return AddComparison();
      case 12:
        return AddLogical();
      case 13:
        return AddSelection();
      default:
        return AddCall(rank);
    }
  }

  void AddOperators(std::size_t most, std::size_t rank) {
    for (std::size_t left = 1 + choices_.Below(most); left > 0; --left) AddOperator(rank);
  }

  void AddVariableSometimes() {
    if (!choices_.OneIn(5)) return;
    TensorSpec variable = SpecOf(ValueClass::kRow);
    variable.is_variable = true;
    Of(ValueClass::kRow).push_back(graph_->AddTensor(std::move(variable)));
  }

  // Outputs are what operators have written, of any class.
  void MakeMain() {
    Begin(0);
    Input(ValueClass::kOne);
    Input(ValueClass::kRow);
    if (choices_.OneIn(2)) Input(ValueClass::kTable);
    if (choices_.OneIn(2)) Input(ValueClass::kColumn);
    AddVariableSometimes();
    AddOperators(14, 0);
    Indices written;
    for (const OperatorSpec& op : graph_->operators)
      written.insert(written.end(), op.outputs.begin(), op.outputs.end());
    for (std::size_t left = 1 + choices_.Below(3); left > 0 && !written.empty(); --left) {
      const auto at = written.begin() + static_cast<std::ptrdiff_t>(choices_.OneIn(2) ? written.size() - 1
                                                                                      : choices_.Below(written.size()));
      graph_->outputs.push_back(*at);
      written.erase(at);
    }
  }

  void MakeBody(std::size_t rank) {
    Begin(static_cast<std::size_t>(bodies_[rank]));
    const std::int32_t count = Input(ValueClass::kOne);
    Input(ValueClass::kRow);
    AddVariableSometimes();
    AddOperators(8, rank + 1);
    TensorSpec one = SpecOf(ValueClass::kOne);
    one.buffer = model_.AddBufferOf(std::vector<float>{1.0f});
    const std::int32_t step = graph_->AddTensor(std::move(one));
    const std::int32_t counted = Apply(BuiltinOperator::kAdd, {count, step}, ValueClass::kOne, AddOptions{});
    // Whoever calls this often gets no larger numbers.
    graph_->outputs = {counted, Apply(BuiltinOperator::kRelu6, {Pick(ValueClass::kRow)}, ValueClass::kRow)};
  }

  // Whether the count is below a number up to 3.
  void MakeCondition(std::int32_t subgraph) {
    Begin(static_cast<std::size_t>(subgraph));
    const std::int32_t count = Input(ValueClass::kOne);
    Input(ValueClass::kRow);
    TensorSpec limit = SpecOf(ValueClass::kOne);
    limit.buffer = model_.AddBufferOf(std::vector<float>{static_cast<float>(choices_.Below(4))});
    const std::int32_t end = graph_->AddTensor(std::move(limit));
    if (choices_.OneIn(2)) AddOperators(3, bodies_.size());
    graph_->outputs = {Apply(BuiltinOperator::kLess, {count, end}, ValueClass::kOneTruth)};
  }

  Choices& choices_;
  ModelBuilder model_;
  SubgraphSpec* graph_ = nullptr;
  Indices bodies_;      // subgraphs; each calls those behind it only
  Indices conditions_;  // of loops
  std::array<Indices, kClassCount> values_;
};

std::string Listed(const char* what, const Indices& tensors) {
  std::string text = what;
  for (const std::int32_t tensor : tensors) text += " " + std::to_string(tensor);
  return text;
}

}  // namespace

ModelBuilder MakeSharingModel(Choices& choices) { return SharingMaker(choices).Make(); }

std::string SharingModelText(const ModelBuilder& model) {
  std::string text;
  for (std::size_t s = 0; s < model.subgraphs.size(); ++s) {
    const SubgraphSpec& graph = model.subgraphs[s];
    text +=
        "subgraph " + std::to_string(s) + Listed(": inputs", graph.inputs) + Listed(", outputs", graph.outputs) + "\n";
    for (const OperatorSpec& op : graph.operators) {
      text += std::string("  ") + BuiltinOperatorName(static_cast<BuiltinOperator>(model.codes[op.code].builtin_code)) +
              Listed("", op.inputs) + Listed(" ->", op.outputs);
      if (const auto* branch = std::get_if<IfOptions>(&op.options)) {
        text += Listed(" calls", {branch->then_subgraph_index, branch->else_subgraph_index});
      } else if (const auto* loop = std::get_if<WhileOptions>(&op.options)) {
        text += Listed(" calls", {loop->cond_subgraph_index, loop->body_subgraph_index});
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace arenaproof::testing
