#include "engine/generators/models/sharing_models.h"

#include <algorithm>
#include <array>
#include <utility>

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
  explicit SharingMaker(RandomSource& choices) : choices_(choices) {}

  ModelBuilder Make() {
    const std::size_t body_count = choices_.OneIn(2) ? 1 + choices_.Below(5) : 0;
    const std::size_t condition_count = body_count == 0 ? 0 : choices_.Below(4);
    const std::size_t count = 1 + body_count + condition_count;
    for (std::size_t i = 0; i < count; ++i) model_.AddSubgraph();
    Indices others;
    for (std::size_t i = 1; i < count; ++i) others.push_back(static_cast<std::int32_t>(i));
    // In a third of the models all callees stand before their callers in the file: what holds of a caller is known only
    // after its callees were looked at.
    if (choices_.OneIn(3)) {
      std::reverse(others.begin(), others.end());
    } else {
      for (std::size_t i = others.size(); i > 1; --i) std::swap(others[i - 1], others[choices_.Below(i)]);
    }
    bodies_.assign(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(body_count));
    conditions_.assign(others.begin() + static_cast<std::ptrdiff_t>(body_count), others.end());
    MakeMain();
    for (std::size_t rank = 0; rank < bodies_.size(); ++rank) MakeBody(rank);
    for (const std::int32_t condition : conditions_) MakeCondition(condition);
    if (choices_.OneIn(6)) MakeUncalled();
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

  bool IsRead(std::int32_t tensor) const {
    return std::any_of(graph_->operators.begin(), graph_->operators.end(), [&](const OperatorSpec& op) {
      return std::find(op.inputs.begin(), op.inputs.end(), tensor) != op.inputs.end();
    });
  }

  // Half of the time the youngest value that nobody reads, so that chains are long; else any, so that values are read
  // again. Seldom the one that the operator reads already: then it shares nothing.
  std::int32_t Pick(ValueClass of, std::int32_t beside = -1) {
    Indices& values = Of(of);
    const auto make = [&] {
      values.push_back(Constant(of));
      return values.back();
    };
    if (values.empty() || choices_.OneIn(16)) return make();
    std::int32_t picked = choices_.Of(values);
    if (!choices_.OneIn(2)) {
      const auto unread = std::find_if(values.rbegin(), values.rend(),
                                       [&](std::int32_t value) { return value != beside && !IsRead(value); });
      picked = unread == values.rend() ? values.back() : *unread;
    }
    if (picked != beside || choices_.OneIn(6)) return picked;
    const auto other = std::find_if(values.begin(), values.end(), [&](std::int32_t value) { return value != beside; });
    return other == values.end() ? make() : *other;
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
    const std::int32_t second = Pick(choices_.OneIn(6) ? ValueClass::kOne : of, first);
    const bool swapped = choices_.OneIn(3);
    Apply(code, swapped ? Indices{second, first} : Indices{first, second}, of, OptionsOf(code));
  }

  void AddReshape() {
    const ValueClass from = choices_.Of(kModified);
    ValueClass to = from;
    if (from == ValueClass::kRow && choices_.OneIn(2)) to = ValueClass::kTable;
    if (from == ValueClass::kTable && choices_.OneIn(2)) to = ValueClass::kRow;
    const std::int32_t input = Pick(from);
    const std::int32_t output = Apply(BuiltinOperator::kReshape, {input}, to, ReshapeOptions{});
    // An operator that reads two names of the same bytes.
    if (to == from && choices_.OneIn(4)) {
      Apply(BuiltinOperator::kMaximum, choices_.OneIn(2) ? Indices{input, output} : Indices{output, input}, from);
    }
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

  // The update is as large as what it changes, and its bytes are not for the output.
  void AddUpdate() {
    const std::int32_t start = graph_->AddTensor(
        {.type = TensorType::kInt32, .shape = {{1}}, .buffer = model_.AddBufferOf(std::vector<std::int32_t>{0})});
    const std::int32_t changed = Pick(ValueClass::kRow);
    Apply(BuiltinOperator::kDynamicUpdateSlice, {changed, Pick(ValueClass::kRow, changed), start}, ValueClass::kRow);
  }

  void AddComparison() {
    const BuiltinOperator code = choices_.Of(kComparison);
    const std::int32_t row = Pick(ValueClass::kRow);
    if (choices_.OneIn(4)) {
      Apply(code, {row, Pick(ValueClass::kRow, row)}, ValueClass::kRowTruth);
      return;
    }
    const std::int32_t column = Pick(ValueClass::kColumn);
    const std::int32_t truths =
        Apply(code, choices_.OneIn(2) ? Indices{row, column} : Indices{column, row}, ValueClass::kGridTruth);
    // What nobody reads is an output, and lies in no input.
    if (choices_.OneIn(2)) Apply(BuiltinOperator::kLogicalNot, {truths}, ValueClass::kGridTruth);
  }

  void AddLogical() {
    const ValueClass of = choices_.OneIn(2) ? ValueClass::kRowTruth : ValueClass::kGridTruth;
    if (choices_.OneIn(2)) {
      Apply(BuiltinOperator::kLogicalNot, {Pick(of)}, of);
    } else {
      const std::int32_t first = Pick(of);
      Apply(BuiltinOperator::kLogicalAnd, {first, Pick(of, first)}, of);
    }
  }

  // By way of 16 and 8 bits: of eight elements both get a place of 16 bytes, and have not as many.
  void AddCasts() {
    const auto cast = [&](std::int32_t from, TensorType type) {
      const std::int32_t to = graph_->AddTensor({.type = type, .shape = {{8}}});
      graph_->AddOperator({.code = model_.AddCode(BuiltinOperator::kCast), .inputs = {from}, .outputs = {to}});
      return to;
    };
    const std::int32_t narrow = cast(cast(Pick(ValueClass::kRowTruth), TensorType::kInt16), TensorType::kInt8);
    Of(ValueClass::kRow).push_back(cast(narrow, TensorType::kFloat32));
  }

  void AddSelection() {
    const bool grid = choices_.OneIn(2);
    const ValueClass of = grid ? ValueClass::kGrid : ValueClass::kRow;
    const std::int32_t condition = Pick(grid ? ValueClass::kGridTruth : ValueClass::kRowTruth);
    const auto value = [&](std::int32_t beside) {
      return Pick(grid && choices_.OneIn(2) ? ValueClass::kRow : of, beside);
    };
    const std::int32_t first = value(-1);
    Apply(BuiltinOperator::kSelectV2, {condition, first, value(first)}, of);
  }

  // One, counted up, and a row go into whatever is called, and come out of it. A loop calls its body from one place, a
  // branch may call one subgraph from two.
  void AddCall(std::size_t rank) {
    const auto callee = [&] {
      const std::size_t further = bodies_.size() - rank;
      return bodies_[rank + (choices_.OneIn(2) ? 0 : choices_.Below(further))];
    };
    const std::int32_t count = Pick(ValueClass::kOne), row = Pick(ValueClass::kRow);
    Indices inputs{count, row};
    const Indices outputs{graph_->AddTensor(SpecOf(ValueClass::kOne)), graph_->AddTensor(SpecOf(ValueClass::kRow))};
    const std::int32_t first = callee();
    if (!conditions_.empty() && !choices_.OneIn(3)) {
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
    switch (choices_.Below(may_call ? 19 : 17)) {
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
        Indices terms{Pick(of)};
        for (std::size_t left = 2 + choices_.Below(2); left > 0; --left) terms.push_back(Pick(of, terms[0]));
        return void(Apply(BuiltinOperator::kAddN, std::move(terms), of));
      }
      case 7:
      case 8:
      case 9:
        return AddReshape();
      case 10:
        return choices_.OneIn(3) ? AddUpdate() : AddCumsum();
      case 11:
      case 12:
      case 13:
        return AddComparison();
      case 14:
        return AddLogical();
      case 15:
        return AddSelection();
      case 16:
        return AddCasts();
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

  // Outputs are what operators have written, of any class; mostly what nobody reads, so that little is computed in
  // vain.
  void MakeMain() {
    Begin(0);
    Input(ValueClass::kOne);
    Input(ValueClass::kRow);
    if (choices_.OneIn(2)) Input(ValueClass::kTable);
    if (choices_.OneIn(2)) Input(ValueClass::kColumn);
    AddVariableSometimes();
    AddOperators(12, 0);
    if (!bodies_.empty() && !choices_.OneIn(4)) {
      AddCall(0);
      AddOperators(4, 0);
    }
    Indices written;
    for (const OperatorSpec& op : graph_->operators)
      written.insert(written.end(), op.outputs.begin(), op.outputs.end());
    for (std::size_t left = 1 + choices_.Below(4); left > 0 && !written.empty(); --left) {
      auto at = written.begin() + static_cast<std::ptrdiff_t>(choices_.Below(written.size()));
      if (!choices_.OneIn(4)) {
        const auto unread =
            std::find_if(written.begin(), written.end(), [&](std::int32_t value) { return !IsRead(value); });
        if (unread != written.end()) at = unread;
      }
      graph_->outputs.push_back(*at);
      written.erase(at);
    }
    // What an application gives in and takes back; now and then there is an operator that could hand on its bytes.
    if (choices_.OneIn(4)) {
      const std::int32_t row = graph_->inputs[1];
      if (choices_.OneIn(2)) Apply(BuiltinOperator::kReshape, {row}, ValueClass::kRow, ReshapeOptions{});
      graph_->outputs.push_back(choices_.OneIn(2) ? row : graph_->inputs[choices_.Below(graph_->inputs.size())]);
    }
  }

  void MakeBody(std::size_t rank) {
    Begin(static_cast<std::size_t>(bodies_[rank]));
    const std::int32_t count = Input(ValueClass::kOne);
    Input(ValueClass::kRow);
    AddVariableSometimes();
    AddOperators(6, rank + 1);
    if (rank + 1 < bodies_.size() && !choices_.OneIn(4)) {
      AddCall(rank + 1);
      AddOperators(3, rank + 1);
    }
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

  // Nobody calls it, so none of its tensors is alive; one of them nobody writes.
  void MakeUncalled() {
    model_.AddSubgraph();
    Begin(model_.subgraphs.size() - 1);
    const std::int32_t row = Input(ValueClass::kRow);
    const std::int32_t unwritten = graph_->AddTensor(SpecOf(ValueClass::kRow));
    graph_->outputs = {Apply(BuiltinOperator::kAdd, {row, unwritten}, ValueClass::kRow, AddOptions{})};
  }

  RandomSource& choices_;
  ModelBuilder model_;
  SubgraphSpec* graph_ = nullptr;
  Indices bodies_;      // subgraphs; each calls those behind it only
  Indices conditions_;  // of loops
  std::array<Indices, kClassCount> values_;
};

}  // namespace

ModelBuilder MakeSharingModel(RandomSource& choices) { return SharingMaker(choices).Make(); }

}  // namespace arenaproof::testing
