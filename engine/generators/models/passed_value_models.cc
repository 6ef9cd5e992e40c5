#include "engine/generators/models/passed_value_models.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "core/operators/operator_table.h"
#include "engine/oracles/model/broken_rules.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using enum BuiltinOperator;
using Indices = std::vector<std::int32_t>;

constexpr std::size_t kMostRank = 6;
constexpr const char* kAgain = "again";

class Maker {
 public:
  Maker(RandomSource& random, const OperatorRow& row)
      : random_(random), code_(row.code), type_(random.Of(row.types)[1]) {}

  std::vector<std::byte> Make() {
    if (code_ == kIf) {
      MakeIf();
    } else if (code_ == kWhile) {
      MakeWhile();
    } else {
      MakeVariable();
    }
    return model_.Finish();
  }

 private:
  std::vector<std::int32_t> ShapeOf(std::int32_t most_extent) {
    std::vector<std::int32_t> shape(random_.Below(kMostRank + 1));
    for (std::int32_t& extent : shape) extent = random_.Between(1, most_extent);
    return shape;
  }

  void Quantize(TensorSpec& tensor) {
    using enum TensorType;
    if (type_ != kInt8 && type_ != kUInt8 && type_ != kInt16 && type_ != kInt4) return;
    if (random_.OneIn(4)) return;
    const oracle::Range range = oracle::ZeroPointsOf(static_cast<std::int64_t>(type_));
    const std::array<std::int64_t, 5> zero_points = {0, 1, range.least, range.most, random_.Between(0, 6)};
    tensor.quantization = Scale(0.25f, random_.Of(zero_points));
  }

  std::vector<TensorSpec> Values() {
    std::vector<TensorSpec> values(1 + random_.Below(3));
    for (TensorSpec& value : values) value = Value();
    return values;
  }

  TensorSpec Value() {
    TensorSpec value{.type = type_, .shape = ShapeOf(2)};
    Quantize(value);
    return value;
  }

  static Indices AddAll(SubgraphSpec& graph, const std::vector<TensorSpec>& values) {
    Indices added;
    for (const TensorSpec& value : values) added.push_back(graph.AddTensor(value));
    return added;
  }

  std::int32_t AddFlag(SubgraphSpec& graph, bool value) {
    const std::uint32_t buffer =
        model_.AddBufferOf(std::vector<std::uint8_t>{value ? std::uint8_t{1} : std::uint8_t{0}});
    return graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}, .buffer = buffer});
  }

  // Takes the values and gives them back, or copies of them, which may lie where an input lay that is no longer read,
  // or a constant.
  void AddPassingSubgraph(const std::vector<TensorSpec>& values) {
    SubgraphSpec& graph = model_.AddSubgraph();
    graph.inputs = graph.outputs = AddAll(graph, values);
    const bool from_last = random_.OneIn(2);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t value = from_last ? values.size() - 1 - i : i;
      if (random_.OneIn(2)) continue;
      graph.outputs[value] = graph.AddTensor(values[value]);
      graph.AddOperator({.code = model_.AddCode(kReshape),
                         .inputs = {graph.inputs[value]},
                         .outputs = {graph.outputs[value]},
                         .options = ReshapeOptions{}});
    }
    if (type_ != TensorType::kFloat32 || !random_.OneIn(4)) return;
    std::size_t count = 1;
    for (const std::int32_t extent : *values[0].shape) count *= static_cast<std::size_t>(extent);
    TensorSpec constant = values[0];
    constant.buffer = model_.AddBufferOf(std::vector<float>(count, 1.5f));
    graph.outputs[0] = graph.AddTensor(constant);
  }

  // The caller is the first subgraph, or the last, which nobody calls.
  void MakeIf() {
    const std::vector<TensorSpec> values = Values();
    const bool caller_is_last = random_.OneIn(4);
    const auto add_caller = [&] {
      SubgraphSpec& graph = model_.AddSubgraph();
      Indices inputs = {graph.AddTensor(
          {.type = TensorType::kBool, .shape = std::vector<std::int32_t>(random_.Below(kMostRank + 1), 1)})};
      for (const std::int32_t value : AddAll(graph, values)) inputs.push_back(value);
      const std::int32_t first = caller_is_last ? 0 : 1;
      const IfOptions options{first + random_.Between(0, 1), first + random_.Between(0, 1)};
      Call(graph, std::move(inputs), AddAll(graph, values), options);
    };
    if (!caller_is_last) add_caller();
    for (int i = 0; i < 2; ++i) AddPassingSubgraph(values);
    if (caller_is_last) add_caller();
  }

  // The caller is the first subgraph, or the last, which nobody calls.
  void MakeWhile() {
    const std::vector<TensorSpec> values = Values();
    const bool caller_is_last = random_.OneIn(4);
    const bool condition_is_first = random_.OneIn(2);
    const bool runs_once = !caller_is_last && random_.OneIn(2);
    const std::int32_t first = caller_is_last ? 0 : 1;
    const std::int32_t second = first + 1;
    const auto add_caller = [&] {
      SubgraphSpec& graph = model_.AddSubgraph();
      const Indices inputs = AddAll(graph, values);
      if (runs_once) Assign(graph, AddHandle(graph, kAgain, 1), AddFlag(graph, true));
      Call(graph, inputs, AddAll(graph, values),
           WhileOptions{condition_is_first ? first : second, condition_is_first ? second : first});
    };
    if (!caller_is_last) add_caller();
    if (condition_is_first) AddCondition(values, runs_once);
    AddPassingSubgraph(values);
    if (!condition_is_first) AddCondition(values, runs_once);
    if (caller_is_last) add_caller();
  }

  // Reads a variable that says once that the loop goes on; or gives a constant that never does.
  void AddCondition(const std::vector<TensorSpec>& values, bool runs_once) {
    SubgraphSpec& graph = model_.AddSubgraph();
    graph.inputs = AddAll(graph, values);
    if (!runs_once) {
      graph.outputs = {AddFlag(graph, false)};
      return;
    }
    const std::int32_t handle = AddHandle(graph, kAgain, 1);
    graph.outputs = {graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}})};
    graph.AddOperator({.code = model_.AddCode(kReadVariable), .inputs = {handle}, .outputs = graph.outputs});
    Assign(graph, handle, AddFlag(graph, false));
  }

  // What came before is read, then an input is kept, and read back.
  void MakeVariable() {
    SubgraphSpec& main = model_.AddSubgraph();
    const TensorSpec value = Value();
    const std::int32_t handle = AddHandle(main, "kept", random_.Below(kMostRank + 1));
    const auto read = [&] {
      const std::int32_t into = main.AddTensor(value);
      main.AddOperator({.code = model_.AddCode(kReadVariable), .inputs = {handle}, .outputs = {into}});
      main.outputs.push_back(into);
      return into;
    };
    // Elements of int4 are in bytes of their own once they are computed: an input's are packed.
    const bool is_packed = type_ == TensorType::kInt4;
    const bool reads_first = is_packed || random_.OneIn(2);
    const std::int32_t before = reads_first ? read() : -1;
    if (!is_packed) main.inputs = {main.AddTensor(value)};
    Assign(main, handle, is_packed ? before : main.inputs[0]);
    if (random_.OneIn(2)) read();
  }

  void Call(SubgraphSpec& graph, Indices inputs, Indices outputs, const OperatorOptions& options) {
    graph.inputs = inputs;
    graph.outputs = outputs;
    graph.AddOperator({.code = model_.AddCode(code_),
                       .inputs = std::move(inputs),
                       .outputs = std::move(outputs),
                       .options = options});
  }

  std::int32_t AddHandle(SubgraphSpec& graph, const char* name, std::size_t rank) {
    const std::int32_t handle =
        graph.AddTensor({.type = TensorType::kResource, .shape = std::vector<std::int32_t>(rank, 1)});
    graph.AddOperator({.code = model_.AddCode(kVarHandle),
                       .outputs = {handle},
                       .options = VarHandleOptions{.container = "", .shared_name = name}});
    return handle;
  }

  void Assign(SubgraphSpec& graph, std::int32_t handle, std::int32_t value) {
    graph.AddOperator({.code = model_.AddCode(kAssignVariable), .inputs = {handle, value}});
  }

  RandomSource& random_;
  BuiltinOperator code_;
  TensorType type_;
  ModelBuilder model_;
};

}  // namespace

std::span<const OperatorRow* const> RowsOfPassedValues() {
  static const std::array rows = {FindOperatorRow(kIf), FindOperatorRow(kWhile), FindOperatorRow(kReadVariable),
                                  FindOperatorRow(kAssignVariable)};
  return rows;
}

std::vector<std::byte> MakePassedValueModel(RandomSource& random, const OperatorRow& row) {
  return Maker(random, row).Make();
}

}  // namespace arenaproof
