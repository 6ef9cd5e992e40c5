#include "corpus/control_models.h"

#include <cstdint>
#include <vector>

#include "corpus/small_graph.h"

namespace arenaproof {
namespace {

using Graph = SmallGraph;

// Two inputs, `code` applied to them and `code` applied to that and the first.
void Twice(ModelBuilder& model, const char* name, BuiltinOperator code, const OperatorOptions& options) {
  Graph graph(model, name);
  const std::int32_t a = graph.Value("a", kValueCount);
  const std::int32_t b = graph.Value("b", kValueCount);
  const std::int32_t once = graph.Value("once", kValueCount);
  const std::int32_t twice = graph.Value("twice", kValueCount);
  graph.Apply(code, {a, b}, {once}, options);
  graph.Apply(code, {once, a}, {twice}, options);
  graph.Bounds({a, b}, {twice});
}

}  // namespace

std::vector<std::byte> ControlBranches() {
  ModelBuilder model;
  model.description = "IF within IF";
  {
    Graph main(model, "main");
    const std::int32_t outer = main.Tensor("outer condition", TensorType::kBool, {1});
    const std::int32_t inner = main.Tensor("inner condition", TensorType::kBool, {1});
    const std::int32_t x = main.Value("x", kValueCount);
    const std::int32_t y = main.Value("y", kValueCount);
    const std::int32_t positive = main.Value("positive", kValueCount);
    const std::int32_t chosen = main.Value("chosen", kValueCount);
    const std::int32_t sum = main.Value("sum", kValueCount);
    main.Apply(BuiltinOperator::kRelu, {x}, {positive});
    main.Apply(BuiltinOperator::kIf, {outer, inner, x, y}, {chosen}, IfOptions{1, 2});
    main.Apply(BuiltinOperator::kAdd, {chosen, positive}, {sum}, AddOptions{});
    main.Bounds({outer, inner, x, y}, {sum});
  }
  {
    Graph nested(model, "condition again");
    const std::int32_t condition = nested.Tensor("condition", TensorType::kBool, {1});
    const std::int32_t a = nested.Value("a", kValueCount);
    const std::int32_t b = nested.Value("b", kValueCount);
    const std::int32_t chosen = nested.Value("chosen", kValueCount);
    const std::int32_t product = nested.Value("product", kValueCount);
    nested.Apply(BuiltinOperator::kIf, {condition, b, a}, {chosen}, IfOptions{3, 4});
    nested.Apply(BuiltinOperator::kMul, {chosen, b}, {product}, MulOptions{});
    nested.Bounds({condition, a, b}, {product});
  }
  {
    Graph plain(model, "no condition");
    const std::int32_t condition = plain.Tensor("condition", TensorType::kBool, {1});
    const std::int32_t a = plain.Value("a", kValueCount);
    const std::int32_t b = plain.Value("b", kValueCount);
    const std::int32_t sum = plain.Value("sum", kValueCount);
    plain.Apply(BuiltinOperator::kAdd, {a, b}, {sum}, AddOptions{});
    plain.Bounds({condition, a, b}, {sum});
  }
  Twice(model, "sums", BuiltinOperator::kAdd, AddOptions{});
  Twice(model, "products", BuiltinOperator::kMul, MulOptions{});
  return model.Finish();
}

std::vector<std::byte> ControlLoop() {
  ModelBuilder model;
  model.description = "WHILE";
  {
    Graph main(model, "main");
    const std::int32_t x = main.Value("x", kValueCount);
    const std::int32_t count = main.Constant("start", {0.0f});
    const std::int32_t beside = main.Value("beside", kValueCount);
    const std::int32_t counted = main.Value("counted", 1);
    const std::int32_t looped = main.Value("looped", kValueCount);
    const std::int32_t sum = main.Value("sum", kValueCount);
    main.Apply(BuiltinOperator::kRelu, {x}, {beside});
    main.Apply(BuiltinOperator::kWhile, {count, x}, {counted, looped}, WhileOptions{1, 2});
    main.Apply(BuiltinOperator::kAdd, {looped, beside}, {sum}, AddOptions{});
    main.Bounds({x}, {sum, counted});
  }
  {
    Graph condition(model, "condition");
    const std::int32_t count = condition.Value("count", 1);
    const std::int32_t value = condition.Value("value", kValueCount);
    const std::int32_t again = condition.Tensor("again", TensorType::kBool, {1});
    condition.Apply(BuiltinOperator::kLess, {count, condition.Constant("limit", {3.0f})}, {again});
    condition.Bounds({count, value}, {again});
  }
  {
    Graph body(model, "body");
    const std::int32_t count = body.Value("count", 1);
    const std::int32_t value = body.Value("value", kValueCount);
    const std::int32_t next = body.Value("next", 1);
    const std::int32_t half = body.Value("half", kValueCount);
    const std::int32_t moved = body.Value("moved", kValueCount);
    body.Apply(BuiltinOperator::kMul, {value, body.Constant("a half", {0.5f})}, {half}, MulOptions{});
    body.Apply(BuiltinOperator::kAdd, {count, body.Constant("one", {1.0f})}, {next}, AddOptions{});
    body.Apply(BuiltinOperator::kAdd, {half, next}, {moved}, AddOptions{});
    body.Bounds({count, value}, {next, moved});
  }
  return model.Finish();
}

std::vector<std::byte> ControlVariables() {
  constexpr float kScale = 0.0078125f;
  constexpr std::int64_t kZeroPoint = 5;
  ModelBuilder model;
  model.description = "resource variables, set up by CALL_ONCE";
  {
    Graph main(model, "main");
    const std::int32_t x = main.Value("x", kValueCount);
    const std::int32_t old_total = main.Value("old total", kValueCount);
    const std::int32_t total = main.Value("total", kValueCount);
    const std::int32_t small = main.Int8("x as int8", kValueCount, kScale, kZeroPoint);
    const std::int32_t last_small = main.Int8("last x as int8", kValueCount, kScale, kZeroPoint);
    const std::int32_t last = main.Value("last x", kValueCount);
    main.Apply(BuiltinOperator::kCallOnce, {}, {}, CallOnceOptions{1});
    const std::int32_t total_handle = main.Handle("total's handle", "total");
    const std::int32_t last_handle = main.Handle("last x's handle", "last");
    main.Apply(BuiltinOperator::kReadVariable, {total_handle}, {old_total});
    main.Apply(BuiltinOperator::kReadVariable, {last_handle}, {last_small});
    main.Apply(BuiltinOperator::kAdd, {old_total, x}, {total}, AddOptions{});
    main.Apply(BuiltinOperator::kAssignVariable, {total_handle, total}, {});
    main.Apply(BuiltinOperator::kQuantize, {x}, {small}, QuantizeOptions{});
    main.Apply(BuiltinOperator::kAssignVariable, {last_handle, small}, {});
    main.Apply(BuiltinOperator::kDequantize, {last_small}, {last}, DequantizeOptions{});
    main.Bounds({x}, {total, last});
  }
  {
    Graph start(model, "start");
    const std::int32_t handle = start.Handle("total's handle", "total");
    const std::int32_t first = start.Constant("first total", {1, 2, 3, 4, 5, 6, 7, 8, 9});
    start.Apply(BuiltinOperator::kAssignVariable, {handle, first}, {});
    start.Bounds({}, {});
  }
  return model.Finish();
}

}  // namespace arenaproof
