#include "props/reports/chain_model.h"

#include <algorithm>

#include "core/base/alignment.h"
#include "core/model/offline_plan.h"
#include "props/support/draws.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using Indices = std::vector<std::int32_t>;

constexpr int kDeepestCall = 2;
constexpr std::size_t kEnoughSubgraphs = 7;  // with so many no further operator calls; those begun are ended

std::size_t RoundedUp(std::size_t bytes) {
  return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

class Author {
 public:
  explicit Author(int call_weight) : call_weight_(call_weight) {}

  ChainModel Make() {
    Subgraph(0);
    ChainModel made{{}, builder_.Finish(), {}, operators_};
    if (Below(3) != 0) AddPlan();
    made.described = described_;
    made.file = builder_.Finish();
    return made;
  }

 private:
  std::int32_t Vector(SubgraphSpec& graph) { return graph.AddTensor({.shape = {{1, length_}}}); }

  std::int32_t Constant(SubgraphSpec& graph, std::int32_t rows, std::int32_t columns) {
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    for (float& value : values) value = static_cast<float>(Below(9) - 4) * 0.25f;
    return graph.AddTensor({.shape = {{rows, columns}}, .buffer = builder_.AddBufferOf(values)});
  }

  void Apply(SubgraphSpec& graph, BuiltinOperator code, Indices inputs, std::int32_t output, OperatorOptions options) {
    const std::int32_t index = graph.AddOperator({.code = builder_.AddCode(code),
                                                  .inputs = std::move(inputs),
                                                  .outputs = {output},
                                                  .options = std::move(options)});
    const auto number = std::find_if(builder_.subgraphs.begin(), builder_.subgraphs.end(),
                                     [&](const SubgraphSpec& each) { return &each == &graph; });
    std::size_t scratch_bytes = 0;
    if (code == BuiltinOperator::kMean) scratch_bytes = 2 * kTensorAlignment;  // two indices, one axis
    if (code == BuiltinOperator::kSvdf) scratch_bytes = RoundedUp(4 * static_cast<std::size_t>(length_));
    operators_.push_back({static_cast<std::size_t>(number - builder_.subgraphs.begin()),
                          static_cast<std::size_t>(index), BuiltinOperatorName(code), output, scratch_bytes});
  }

  // Inputs: a condition and a vector; the output is a vector.
  std::int32_t Subgraph(int depth) {
    const auto number = static_cast<std::int32_t>(builder_.subgraphs.size());
    SubgraphSpec& graph = builder_.AddSubgraph();
    const std::int32_t condition = graph.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
    const std::int32_t first = Vector(graph);
    graph.inputs = {condition, first};
    described_ += "subgraph " + std::to_string(number) + ":";
    std::int32_t last = first;
    for (int left = 1 + Below(4); left > 0; --left) last = Link(graph, depth, condition, first, last);
    described_ += "\n";
    graph.outputs = {last};
    return number;
  }

  // One operator more; its result.
  std::int32_t Link(SubgraphSpec& graph, int depth, std::int32_t condition, std::int32_t first, std::int32_t last) {
    const std::int32_t result = Vector(graph);
    const bool may_call = depth < kDeepestCall && builder_.subgraphs.size() < kEnoughSubgraphs;
    const int kind = std::min(Below(may_call ? 5 + call_weight_ : 5), 5);
    constexpr const char* kNames[] = {" SVDF", " MEAN", " ADD", " SOFTMAX", " FULLY_CONNECTED", " IF"};
    described_ += kNames[kind];
    switch (kind) {
      case 0: {
        const std::int32_t memory = 1 + Below(3);
        const Indices weights = {Constant(graph, length_, length_), Constant(graph, length_, memory)};
        const std::int32_t state = graph.AddTensor({.shape = {{1, length_ * memory}}, .is_variable = true});
        Apply(graph, BuiltinOperator::kSvdf, {last, weights[0], weights[1], -1, state}, result, SvdfOptions{.rank = 1});
        break;
      }
      case 1: {
        const std::int32_t axes =
            graph.AddTensor({.type = TensorType::kInt32, .shape = {{1}}, .buffer = builder_.AddBufferOf(Indices{0})});
        Apply(graph, BuiltinOperator::kMean, {last, axes}, result, ReducerOptions{.keep_dims = true});
        break;
      }
      case 2:
        Apply(graph, BuiltinOperator::kAdd, {last, first}, result, AddOptions{});
        break;
      case 3:
        Apply(graph, BuiltinOperator::kSoftmax, {last}, result, SoftmaxOptions{.beta = 1.0f});
        break;
      case 4:
        Apply(graph, BuiltinOperator::kFullyConnected, {last, Constant(graph, length_, length_), -1}, result,
              FullyConnectedOptions{});
        break;
      default: {
        const std::string until_here = described_;
        described_.clear();
        const IfOptions branches{Subgraph(depth + 1), Subgraph(depth + 1)};
        described_ = described_ + until_here;
        Apply(graph, BuiltinOperator::kIf, {condition, condition, last}, result, branches);
        operators_.back().then_branch = branches.then_subgraph_index;
        operators_.back().else_branch = branches.else_subgraph_index;
      }
    }
    return result;
  }

  // Each tensor is left to the planner, or has bytes of its own.
  void AddPlan() {
    Indices plan;
    std::size_t end = 0;
    for (const SubgraphSpec& graph : builder_.subgraphs) {
      for (const TensorSpec& tensor : graph.tensors) {
        const bool fixed = tensor.buffer == 0 && Below(2) == 0;
        plan.push_back(fixed ? static_cast<std::int32_t>(end) : kPlannedAtRunTime);
        if (!fixed) continue;
        std::size_t bytes = ElementBytes(tensor.type);
        for (const std::int32_t extent : *tensor.shape) bytes *= static_cast<std::size_t>(extent);
        end += RoundedUp(bytes) + kTensorAlignment * static_cast<std::size_t>(Below(3));
      }
    }
    described_ += "with a plan";
    std::vector<std::byte> bytes(OfflinePlanBytes(plan.size()));
    EncodeOfflinePlan({.version = 1, .subgraph_count = static_cast<std::uint32_t>(builder_.subgraphs.size())}, plan,
                      bytes);
    builder_.AddMetadata(std::string(kOfflinePlanName), bytes);
  }

  ModelBuilder builder_;
  std::string described_;
  std::vector<ChainOperator> operators_;
  const int call_weight_;
  const std::int32_t length_ = 1 + Below(9);
};

}  // namespace

ChainModel DrawChainModel(int call_weight) { return Author(call_weight).Make(); }

}  // namespace arenaproof::testing
