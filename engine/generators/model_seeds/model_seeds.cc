#include "engine/generators/model_seeds/model_seeds.h"

#include <cstdint>
#include <utility>

#include "corpus/control_models.h"
#include "corpus/fixed_plan_model.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using Shape = std::vector<std::int32_t>;

constexpr float kScale = 0.5f;
constexpr std::int64_t kZeroPoint = 3;

// A graph that grows one operator after another, all activations of one type.
class SeedBuilder {
 public:
  explicit SeedBuilder(bool quantized) : quantized_(quantized), graph_(builder_.AddSubgraph()) {}

  std::int32_t Activation(Shape shape) { return Activation(std::move(shape), {{kScale}, {kZeroPoint}}); }
  std::int32_t Activation(Shape shape, QuantizationSpec quantization) {
    TensorSpec tensor{.type = type(), .shape = std::move(shape)};
    if (quantized_) tensor.quantization = std::move(quantization);
    return graph_.AddTensor(tensor);
  }
  std::int32_t Input(Shape shape) {
    graph_.inputs.push_back(Activation(std::move(shape)));
    return graph_.inputs.back();
  }
  // Weights of small numbers; `channels` scales along `dimension` when there is more than one.
  std::int32_t Weights(Shape shape, std::int32_t dimension = 0, std::size_t channels = 1) {
    std::size_t count = 1;
    for (const std::int32_t extent : shape) count *= static_cast<std::size_t>(extent);
    TensorSpec tensor{.type = type(), .shape = std::move(shape)};
    if (quantized_) {
      std::vector<std::int8_t> values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<std::int8_t>(i * 37 % 64) - 32);
      tensor.buffer = builder_.AddBufferOf(values);
      tensor.quantization =
          channels == 1 ? Scale(0.125f, 0) : ScalesAlong(dimension, std::vector<float>(channels, 0.125f));
    } else {
      std::vector<float> values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i % 7) * 0.25f - 0.75f);
      tensor.buffer = builder_.AddBufferOf(values);
    }
    return graph_.AddTensor(tensor);
  }
  std::int32_t Bias(std::int32_t count) {
    TensorSpec tensor{.type = quantized_ ? TensorType::kInt32 : TensorType::kFloat32, .shape = Shape{count}};
    if (quantized_) {
      tensor.buffer = builder_.AddBufferOf(std::vector<std::int32_t>(static_cast<std::size_t>(count), 40));
      tensor.quantization = Scale(kScale * 0.125f, 0);
    } else {
      tensor.buffer = builder_.AddBufferOf(std::vector<float>(static_cast<std::size_t>(count), 0.5f));
    }
    return graph_.AddTensor(tensor);
  }
  std::int32_t Integers(Shape shape, std::vector<std::int32_t> values) {
    const std::uint32_t buffer = builder_.AddBufferOf(values);
    return graph_.AddTensor({.type = TensorType::kInt32, .shape = std::move(shape), .buffer = buffer});
  }
  std::int32_t Apply(BuiltinOperator code, std::vector<std::int32_t> inputs, std::int32_t output,
                     OperatorOptions options = {}) {
    graph_.AddOperator(
        {.code = builder_.AddCode(code), .inputs = std::move(inputs), .outputs = {output}, .options = options});
    graph_.outputs = {output};
    return output;
  }
  std::vector<std::byte> Finish() const { return builder_.Finish(); }

  ModelBuilder& builder() { return builder_; }
  SubgraphSpec& graph() { return graph_; }
  TensorType type() const { return quantized_ ? TensorType::kInt8 : TensorType::kFloat32; }

 private:
  bool quantized_;
  ModelBuilder builder_;
  SubgraphSpec& graph_;
};

using Body = void (*)(SeedBuilder&);

void Elementwise(SeedBuilder& seed, BuiltinOperator code, QuantizationSpec output, OperatorOptions options = {}) {
  const std::int32_t input = seed.Input({1, 9});
  seed.Apply(code, {input}, seed.Activation({1, 9}, std::move(output)), options);
}

void Pool(SeedBuilder& seed, BuiltinOperator code, Padding padding) {
  const Pool2DOptions options{.padding = padding, .stride_w = 2, .stride_h = 2, .filter_width = 3, .filter_height = 2};
  const std::int32_t input = seed.Input({1, 5, 6, 2});
  const Shape output = padding == Padding::kSame ? Shape{1, 3, 3, 2} : Shape{1, 2, 2, 2};
  seed.Apply(code, {input}, seed.Activation(output), options);
}

void Convolution(SeedBuilder& seed, bool per_channel) {
  const Conv2DOptions options{.stride_w = 1, .stride_h = 2, .activation = Activation::kRelu};
  const std::int32_t input = seed.Input({1, 5, 4, 3});
  const std::int32_t filter = seed.Weights({4, 3, 2, 3}, 0, per_channel ? 4 : 1);
  seed.Apply(BuiltinOperator::kConv2d, {input, filter, seed.Bias(4)}, seed.Activation({1, 3, 4, 4}), options);
}

constexpr std::pair<const char*, Body> kBodies[] = {
    {"add",
     [](SeedBuilder& seed) {
       const std::int32_t a = seed.Input({2, 3, 4});
       const std::int32_t b = seed.Input({3, 1});
       seed.Apply(BuiltinOperator::kAdd, {a, b}, seed.Activation({2, 3, 4}), AddOptions{});
     }},
    {"add_twice_the_same",
     [](SeedBuilder& seed) {
       const std::int32_t a = seed.Input({17});
       seed.Apply(BuiltinOperator::kAdd, {a, a}, seed.Activation({17}), AddOptions{.activation = Activation::kRelu6});
     }},
    {"mul",
     [](SeedBuilder& seed) {
       const std::int32_t a = seed.Input({2, 8});
       seed.Apply(BuiltinOperator::kMul, {a, seed.Weights({8})}, seed.Activation({2, 8}), MulOptions{});
     }},
    {"average_pool_same", [](SeedBuilder& seed) { Pool(seed, BuiltinOperator::kAveragePool2d, Padding::kSame); }},
    {"max_pool_valid", [](SeedBuilder& seed) { Pool(seed, BuiltinOperator::kMaxPool2d, Padding::kValid); }},
    {"concatenation",
     [](SeedBuilder& seed) {
       const std::int32_t a = seed.Input({2, 3});
       const std::int32_t b = seed.Input({2, 5});
       seed.Apply(BuiltinOperator::kConcatenation, {a, b}, seed.Activation({2, 8}), ConcatenationOptions{.axis = -1});
     }},
    {"conv_2d", [](SeedBuilder& seed) { Convolution(seed, false); }},
    {"conv_2d_per_channel", [](SeedBuilder& seed) { Convolution(seed, true); }},
    {"conv_2d_dilated_without_bias",
     [](SeedBuilder& seed) {
       const Conv2DOptions options{
           .padding = Padding::kValid, .stride_w = 1, .stride_h = 1, .dilation_w = 2, .dilation_h = 2};
       const std::int32_t input = seed.Input({1, 5, 5, 1});
       seed.Apply(BuiltinOperator::kConv2d, {input, seed.Weights({2, 2, 2, 1}), -1}, seed.Activation({1, 3, 3, 2}),
                  options);
     }},
    {"depthwise_conv_2d",
     [](SeedBuilder& seed) {
       const DepthwiseConv2DOptions options{.stride_w = 2, .stride_h = 2, .depth_multiplier = 2};
       const std::int32_t input = seed.Input({1, 6, 5, 3});
       const std::int32_t filter = seed.Weights({1, 3, 3, 6}, 3, 6);
       seed.Apply(BuiltinOperator::kDepthwiseConv2d, {input, filter, seed.Bias(6)}, seed.Activation({1, 3, 3, 6}),
                  options);
     }},
    {"fully_connected",
     [](SeedBuilder& seed) {
       const std::int32_t input = seed.Input({2, 10});
       seed.Apply(BuiltinOperator::kFullyConnected, {input, seed.Weights({7, 10}), seed.Bias(7)},
                  seed.Activation({2, 7}), FullyConnectedOptions{.activation = Activation::kRelu});
     }},
    {"mean",
     [](SeedBuilder& seed) {
       const std::int32_t input = seed.Input({1, 4, 3, 5});
       seed.Apply(BuiltinOperator::kMean, {input, seed.Integers({2}, {1, 2})}, seed.Activation({1, 5}),
                  ReducerOptions{});
     }},
    {"two_means",  // scratch buffers at two places: between the operators the memory has changed hands
     [](SeedBuilder& seed) {
       const std::int32_t axes = seed.Integers({2}, {1, 2});
       const std::int32_t narrow = seed.Input({1, 2, 2, 3});
       const std::int32_t wide = seed.Input({1, 2, 3, 40});
       const std::int32_t a =
           seed.Apply(BuiltinOperator::kMean, {narrow, axes}, seed.Activation({1, 3}), ReducerOptions{});
       const std::int32_t relu = seed.Apply(BuiltinOperator::kRelu, {wide}, seed.Activation({1, 2, 3, 40}));
       const std::int32_t b =
           seed.Apply(BuiltinOperator::kMean, {relu, axes}, seed.Activation({1, 40}), ReducerOptions{});
       seed.Apply(BuiltinOperator::kConcatenation, {a, b}, seed.Activation({1, 43}), ConcatenationOptions{.axis = 1});
     }},
    {"pad",
     [](SeedBuilder& seed) {
       const std::int32_t input = seed.Input({1, 3, 2, 1});
       const std::int32_t paddings = seed.Integers({4, 2}, {0, 0, 1, 2, 0, 1, 0, 0});
       seed.Apply(BuiltinOperator::kPad, {input, paddings}, seed.Activation({1, 6, 3, 1}), PadOptions{});
     }},
    {"reshape",
     [](SeedBuilder& seed) {
       const std::int32_t input = seed.Input({2, 6});
       seed.Apply(BuiltinOperator::kReshape, {input, seed.Integers({3}, {3, 2, 2})}, seed.Activation({3, 2, 2}),
                  ReshapeOptions{});
     }},
    {"relu", [](SeedBuilder& seed) { Elementwise(seed, BuiltinOperator::kRelu, Scale(kScale, kZeroPoint)); }},
    {"relu6", [](SeedBuilder& seed) { Elementwise(seed, BuiltinOperator::kRelu6, Scale(kScale, kZeroPoint)); }},
    {"logistic", [](SeedBuilder& seed) { Elementwise(seed, BuiltinOperator::kLogistic, Scale(1.0f / 256, -128)); }},
    {"tanh", [](SeedBuilder& seed) { Elementwise(seed, BuiltinOperator::kTanh, Scale(1.0f / 128, 0)); }},
    {"softmax",
     [](SeedBuilder& seed) {
       Elementwise(seed, BuiltinOperator::kSoftmax, Scale(1.0f / 256, -128), SoftmaxOptions{.beta = 1.0f});
     }},
    {"residual",
     [](SeedBuilder& seed) {
       const Conv2DOptions options{.stride_w = 1, .stride_h = 1, .activation = Activation::kRelu};
       const std::int32_t input = seed.Input({1, 4, 4, 2});
       const std::int32_t first =
           seed.Apply(BuiltinOperator::kConv2d, {input, seed.Weights({2, 3, 3, 2}), seed.Bias(2)},
                      seed.Activation({1, 4, 4, 2}), options);
       const std::int32_t second =
           seed.Apply(BuiltinOperator::kConv2d, {first, seed.Weights({2, 1, 1, 2}), seed.Bias(2)},
                      seed.Activation({1, 4, 4, 2}), options);
       const std::int32_t sum =
           seed.Apply(BuiltinOperator::kAdd, {input, second}, seed.Activation({1, 4, 4, 2}), AddOptions{});
       const std::int32_t row =
           seed.Apply(BuiltinOperator::kReshape, {sum}, seed.Activation({1, 32}), ReshapeOptions{});
       seed.Apply(BuiltinOperator::kSoftmax, {row}, seed.Activation({1, 32}, Scale(1.0f / 256, -128)),
                  SoftmaxOptions{.beta = 1.0f});
     }},
};

std::vector<std::byte> QuantizeAndBack() {
  SeedBuilder seed(false);
  const std::int32_t input = seed.Input({11});
  const std::int32_t small = seed.graph().AddTensor(
      {.type = TensorType::kInt8, .shape = Shape{11}, .quantization = Scale(kScale, kZeroPoint)});
  seed.Apply(BuiltinOperator::kQuantize, {input}, small, QuantizeOptions{});
  seed.Apply(BuiltinOperator::kDequantize, {small}, seed.Activation({11}), DequantizeOptions{});
  return seed.Finish();
}

// Sound files that nobody here runs, and parts that most files do without.
std::vector<std::byte> OfflinePlan() {
  SeedBuilder seed(true);
  Elementwise(seed, BuiltinOperator::kRelu, Scale(kScale, kZeroPoint));
  const std::vector<std::int32_t> plan = {1, 0, 2, 0, 16};
  seed.builder().AddMetadata("OfflineMemoryAllocation", std::as_bytes(std::span<const std::int32_t>(plan)));
  return seed.Finish();
}

std::vector<std::byte> SignatureAndMetadata() {
  SeedBuilder seed(false);
  Elementwise(seed, BuiltinOperator::kRelu, {});
  const std::vector<std::int32_t> version = {1};
  seed.builder().AddMetadata("min_runtime_version", std::as_bytes(std::span<const std::int32_t>(version)));
  seed.builder().signatures.push_back({.key = "serving_default", .subgraph = 0, .inputs = {0}, .outputs = {1}});
  seed.builder().description = "seed";
  return seed.Finish();
}

std::vector<std::byte> CallsSubgraphs() {
  SeedBuilder seed(false);
  const std::int32_t condition = seed.graph().AddTensor({.type = TensorType::kBool, .shape = Shape{1}});
  seed.graph().inputs.push_back(condition);
  const std::int32_t value = seed.Input({4});
  seed.Apply(BuiltinOperator::kIf, {condition, value}, seed.Activation({4}),
             IfOptions{.then_subgraph_index = 1, .else_subgraph_index = 2});
  for (const BuiltinOperator code : {BuiltinOperator::kRelu, BuiltinOperator::kTanh}) {
    SubgraphSpec& branch = seed.builder().AddSubgraph();
    for (int i = 0; i < 2; ++i) branch.AddTensor({.shape = Shape{4}});
    branch.AddOperator({.code = seed.builder().AddCode(code), .inputs = {0}, .outputs = {1}});
    branch.inputs = {0};
    branch.outputs = {1};
  }
  return seed.Finish();
}

// Refused: the second branch gives fewer bytes than the operator has to fill, and the condition is a constant.
std::vector<std::byte> UnequalBranches() {
  SeedBuilder seed(false);
  const std::int32_t condition =
      seed.graph().AddTensor({.type = TensorType::kBool,
                              .shape = Shape{1},
                              .buffer = seed.builder().AddBufferOf(std::vector<std::uint8_t>{0})});
  const std::int32_t value = seed.Input({4});
  seed.Apply(BuiltinOperator::kIf, {condition, value}, seed.Activation({4}),
             IfOptions{.then_subgraph_index = 1, .else_subgraph_index = 2});
  for (const std::int32_t extent : {4, 3}) {
    SubgraphSpec& branch = seed.builder().AddSubgraph();
    branch.AddTensor({.shape = Shape{4}});
    branch.AddTensor({.shape = Shape{extent}});
    if (extent == 4) {
      branch.AddOperator({.code = seed.builder().AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1}});
    } else {
      branch.AddOperator({.code = seed.builder().AddCode(BuiltinOperator::kMul), .inputs = {1, 1}, .outputs = {2}});
      branch.AddTensor({.shape = Shape{extent}});
    }
    branch.inputs = {0};
    branch.outputs = {extent == 4 ? 1 : 2};
  }
  return seed.Finish();
}

// Prepared, and ended by the budget: a loop without an end and without an operator.
std::vector<std::byte> EmptyLoop() {
  SeedBuilder seed(false);
  const std::int32_t always =
      seed.graph().AddTensor({.type = TensorType::kBool,
                              .shape = Shape{1},
                              .buffer = seed.builder().AddBufferOf(std::vector<std::uint8_t>{1})});
  const std::int32_t output = seed.graph().AddTensor({.type = TensorType::kBool, .shape = Shape{1}});
  seed.Apply(BuiltinOperator::kWhile, {always}, output,
             WhileOptions{.cond_subgraph_index = 1, .body_subgraph_index = 2});
  for (int i = 0; i < 2; ++i) {
    SubgraphSpec& part = seed.builder().AddSubgraph();
    part.AddTensor({.type = TensorType::kBool, .shape = Shape{1}});
    part.inputs = {0};
    part.outputs = {0};
  }
  return seed.Finish();
}

std::vector<std::byte> VariableAndCustom() {
  SeedBuilder seed(true);
  const std::int32_t input = seed.Input({6});
  const std::int32_t state = seed.graph().AddTensor(
      {.type = TensorType::kInt8, .shape = Shape{6}, .quantization = Scale(kScale, kZeroPoint), .is_variable = true});
  const std::int32_t sum = seed.Apply(BuiltinOperator::kAdd, {input, state}, seed.Activation({6}), AddOptions{});
  const std::int32_t output = seed.Activation({6});
  seed.graph().AddOperator({.code = seed.builder().AddCustomCode("something_else"),
                            .inputs = {sum},
                            .outputs = {output},
                            .custom_options = std::vector<std::byte>(5)});
  seed.graph().outputs = {output};
  return seed.Finish();
}

}  // namespace

std::vector<ModelSeed> AllModelSeeds() {
  std::vector<ModelSeed> seeds;
  for (const auto& [name, body] : kBodies) {
    for (const bool quantized : {false, true}) {
      SeedBuilder seed(quantized);
      body(seed);
      seeds.push_back({std::string(name) + (quantized ? "_int8" : "_float"), seed.Finish()});
    }
  }
  seeds.push_back({"quantize_and_back", QuantizeAndBack()});
  seeds.push_back({"signature_and_metadata", SignatureAndMetadata()});
  seeds.push_back({"offline_plan", OfflinePlan()});
  seeds.push_back({"calls_subgraphs", CallsSubgraphs()});
  seeds.push_back({"control_branches", ControlBranches()});
  seeds.push_back({"control_loop", ControlLoop()});
  seeds.push_back({"control_variables", ControlVariables()});
  seeds.push_back({"fixed_plan", FixedPlan()});
  seeds.push_back({"unequal_branches", UnequalBranches(), false});
  seeds.push_back({"empty_loop", EmptyLoop(), false});
  seeds.push_back({"variable_and_custom", VariableAndCustom(), false});
  return seeds;
}

}  // namespace arenaproof
