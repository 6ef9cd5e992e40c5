#include "corpus/fixed_plan_model.h"

#include <cstdint>
#include <string>

#include "core/model/offline_plan.h"
#include "corpus/small_graph.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kMemory = 2;
constexpr std::int32_t kOnline = kPlannedAtRunTime;

// Small multiples of `unit` on both sides of zero; no two rows of nine or of two are alike.
std::vector<float> Weights(std::int32_t count, std::int32_t step, float unit) {
  std::vector<float> values;
  for (std::int32_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * step % 11 - 5) * unit);
  return values;
}

// Appends the offset of each tensor to the plan.
class PlannedGraph : public SmallGraph {
 public:
  PlannedGraph(ModelBuilder& model, const char* name, std::vector<std::int32_t>& plan)
      : SmallGraph(model, name), plan_(plan) {}

  std::int32_t At(std::int32_t offset, std::int32_t tensor) {
    plan_.push_back(offset);
    return tensor;
  }
  std::int32_t ValueAt(std::int32_t offset, const char* name) {
    return At(offset, Tensor(name, TensorType::kFloat32, {1, kValueCount}));
  }

 private:
  std::vector<std::int32_t>& plan_;
};

// Two inputs and what `code` makes of them.
void Branch(ModelBuilder& model, std::vector<std::int32_t>& plan, const char* name, BuiltinOperator code,
            const OperatorOptions& options, std::int32_t first_offset, std::int32_t result_offset) {
  PlannedGraph graph(model, name, plan);
  const std::int32_t a = graph.ValueAt(first_offset, "a");
  const std::int32_t b = graph.ValueAt(kOnline, "b");
  const std::int32_t result = graph.ValueAt(result_offset, "result");
  graph.Apply(code, {a, b}, {result}, options);
  graph.Bounds({a, b}, {result});
}

}  // namespace

std::vector<std::byte> FixedPlan() {
  ModelBuilder model;
  model.description = "a fixed plan";
  std::vector<std::int32_t> plan;
  {
    PlannedGraph main(model, "main", plan);
    const std::int32_t x = main.ValueAt(0, "x");
    const std::int32_t condition = main.At(kOnline, main.Tensor("condition", TensorType::kBool, {1}));
    const std::int32_t feature_weights = main.At(kOnline, main.Constant("feature weights", {kValueCount, kValueCount},
                                                                        Weights(kValueCount * kValueCount, 5, 0.25f)));
    const std::int32_t time_weights = main.At(
        kOnline, main.Constant("time weights", {kValueCount, kMemory}, Weights(kValueCount * kMemory, 4, 0.5f)));
    const std::int32_t state = main.At(160, main.Variable("state", {1, kValueCount * kMemory}));
    const std::int32_t filtered = main.ValueAt(48, "filtered");
    const std::int32_t positive = main.ValueAt(kOnline, "positive");
    const std::int32_t chosen = main.ValueAt(112, "chosen");
    const std::int32_t sum = main.ValueAt(48, "sum");
    main.Apply(BuiltinOperator::kSvdf, {x, feature_weights, time_weights, -1, state}, {filtered}, SvdfOptions{1});
    main.Apply(BuiltinOperator::kRelu, {filtered}, {positive});
    main.Apply(BuiltinOperator::kIf, {condition, filtered, positive}, {chosen}, IfOptions{1, 2});
    main.Apply(BuiltinOperator::kAdd, {chosen, x}, {sum}, AddOptions{});
    main.Bounds({x, condition}, {sum});
  }
  Branch(model, plan, "sum", BuiltinOperator::kAdd, AddOptions{}, 240, 288);
  Branch(model, plan, "product", BuiltinOperator::kMul, MulOptions{}, kOnline, kOnline);
  std::vector<std::byte> bytes(OfflinePlanBytes(plan.size()));
  EncodeOfflinePlan({.version = 1, .subgraph_count = 3}, plan, bytes);
  model.AddMetadata(std::string(kOfflinePlanName), bytes);
  return model.Finish();
}

}  // namespace arenaproof
