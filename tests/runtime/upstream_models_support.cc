#include "upstream_models_support.h"

#include <optional>

#include "core/model/offline_plan.h"
#include "engine/cases/validated.h"

namespace arenaproof::testing {
namespace {

TensorSpec Int32(std::vector<std::int32_t> shape = {1}, bool variable = false) {
  return {.type = TensorType::kInt32, .shape = std::move(shape), .is_variable = variable};
}

// then = 1, else = 2: two binary operators over the same three shapes.
void AddBranches(ModelBuilder& builder, const std::vector<TensorSpec>& tensors) {
  for (const BuiltinOperator code : {BuiltinOperator::kAdd, BuiltinOperator::kMul}) {
    SubgraphSpec& branch = builder.AddSubgraph();
    branch.tensors = tensors;
    OperatorSpec op{.code = builder.AddCode(code), .inputs = {0, 1}, .outputs = {2}};
    if (code == BuiltinOperator::kAdd) op.options = AddOptions{};
    if (code == BuiltinOperator::kMul) op.options = MulOptions{};
    branch.AddOperator(op);
    branch.inputs = {0, 1};
    branch.outputs = {2};
  }
}

}  // namespace

UpstreamModel::UpstreamModel(const ModelBuilder& builder) : UpstreamModel(builder.Finish()) {}

UpstreamModel::UpstreamModel(std::vector<std::byte> file) : file_(std::move(file)), view_(Validated(file_)) {}

std::unique_ptr<UpstreamModel> SimpleModel() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor(Int32());
  graph.AddTensor({.type = TensorType::kInt8, .shape = {{1}}, .buffer = builder.AddBufferOf<std::uint8_t>({21})});
  graph.AddTensor(Int32());
  graph.AddTensor(Int32());
  const std::uint32_t code = builder.AddCustomCode("mock_custom");
  graph.AddOperator({.code = code, .inputs = {0, 1}, .outputs = {2}});
  graph.AddOperator({.code = code, .inputs = {0, 1}, .outputs = {3}});
  graph.inputs = {0};
  graph.outputs = {2, 3};
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> ComplexModel() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  builder.buffers.emplace_back();  // buffer 1, empty: of the variables
  const std::uint32_t weight = builder.AddBufferOf<std::uint8_t>({21});
  for (int i = 0; i < 10; ++i) {
    if (i % 3 == 2) {
      graph.AddTensor({.type = TensorType::kInt8, .shape = {{1}}, .buffer = weight});
    } else {
      TensorSpec tensor = Int32({1}, i % 3 == 1);
      if (i % 3 == 1) tensor.buffer = 1;
      graph.AddTensor(tensor);
    }
  }
  const std::uint32_t code = builder.AddCustomCode("mock_custom");
  for (std::int32_t i = 0; i < 9; i += 3) {
    graph.AddOperator({.code = code, .inputs = {i, i + 1, i + 2}, .outputs = {i + 3}});
  }
  graph.inputs = {0};
  graph.outputs = {9};
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> OfflineModel(int tensor_count, const std::vector<std::int32_t>& words,
                                            const std::vector<OfflineOperator>& operators, std::size_t most_inputs) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < tensor_count; ++i) graph.AddTensor({.type = TensorType::kFloat32, .shape = {{2, 2, 3}}});
  const std::uint32_t code = builder.AddCustomCode("mock_custom");
  for (const OfflineOperator& op : operators) {
    graph.AddOperator({.code = code, .inputs = op.inputs, .outputs = op.outputs});
  }
  graph.inputs = operators.front().inputs;
  if (most_inputs > 0 && graph.inputs.size() > most_inputs) graph.inputs.resize(most_inputs);
  graph.outputs = operators.back().outputs;
  builder.AddMetadata(std::string(kOfflinePlanName), std::as_bytes(std::span(words)));
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> UnusedInputsModel() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 4; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{1, 64}}});
  graph.AddOperator({.code = builder.AddCustomCode("mock_custom"), .inputs = {0}, .outputs = {2}});
  graph.inputs = {0, 1};
  graph.outputs = {2};
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> IfModel() {
  ModelBuilder builder;
  SubgraphSpec& main = builder.AddSubgraph();
  const TensorSpec pair{.type = TensorType::kFloat32, .shape = {{1, 2}}};
  main.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
  for (int i = 0; i < 3; ++i) main.AddTensor(pair);
  main.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kIf), .inputs = {0, 1, 2}, .outputs = {3}, .options = IfOptions{1, 2}});
  main.inputs = {0, 1, 2};
  main.outputs = {3};
  AddBranches(builder, {pair, pair, pair});
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> IfWithInputOverlapModel() {
  ModelBuilder builder;
  SubgraphSpec& main = builder.AddSubgraph();
  const auto blocks = [](std::int32_t count) { return Int32({4 * count}); };
  main.AddTensor({.type = TensorType::kBool, .shape = {{1}}});
  for (const std::int32_t count : {2, 4, 3, 8}) main.AddTensor(blocks(count));
  main.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kIf), .inputs = {0, 1, 2}, .outputs = {3}, .options = IfOptions{1, 2}});
  main.AddOperator({.code = builder.AddCustomCode("mock_custom"), .inputs = {3, 2}, .outputs = {4}});
  main.inputs = {0, 1, 2};
  main.outputs = {4};
  AddBranches(builder, {blocks(2), blocks(4), blocks(3)});
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> NullInputOutputModel() {
  ModelBuilder builder;
  SubgraphSpec& main = builder.AddSubgraph();
  main.AddTensor(Int32({0}));
  main.AddOperator({.code = builder.AddCode(BuiltinOperator::kCallOnce), .options = CallOnceOptions{1}});
  main.inputs = {0};
  main.outputs = {0};
  SubgraphSpec& init = builder.AddSubgraph();
  init.AddTensor(Int32({0}));
  init.AddOperator({.code = builder.AddCustomCode("mock_custom")});
  return std::make_unique<UpstreamModel>(builder);
}

std::unique_ptr<UpstreamModel> ConvModel() {
  constexpr std::int32_t kFilters = 4;
  constexpr std::int32_t kHidden = 8;
  constexpr std::int32_t kClasses = 4;
  constexpr float kWeightScale = 0.125f;
  const QuantizationSpec outer = Scale(0.5f, 3);
  const QuantizationSpec inner = Scale(0.25f, -2);
  const float bias_scale = inner.scales[0] * kWeightScale;
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto activation = [&](std::vector<std::int32_t> shape, const QuantizationSpec& quantization) {
    return graph.AddTensor({.type = TensorType::kInt8, .shape = std::move(shape), .quantization = quantization});
  };
  const auto weights = [&](const std::vector<std::int32_t>& shape, const QuantizationSpec& quantization) {
    std::size_t count = 1;
    for (const std::int32_t extent : shape) count *= static_cast<std::size_t>(extent);
    std::vector<std::int8_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int8_t>(static_cast<int>(i * 37 % 64) - 32);
    return graph.AddTensor({.type = TensorType::kInt8,
                            .shape = shape,
                            .buffer = builder.AddBufferOf(values),
                            .quantization = quantization});
  };
  const auto int32_constant = [&](const std::vector<std::int32_t>& values, std::optional<QuantizationSpec> scale) {
    TensorSpec tensor = Int32({static_cast<std::int32_t>(values.size())});
    tensor.buffer = builder.AddBufferOf(values);
    tensor.quantization = std::move(scale);
    return graph.AddTensor(tensor);
  };
  const auto apply = [&](BuiltinOperator code, std::vector<std::int32_t> inputs, std::int32_t output,
                         OperatorOptions options) {
    graph.AddOperator({.code = builder.AddCode(code),
                       .inputs = std::move(inputs),
                       .outputs = {output},
                       .options = std::move(options)});
    return output;
  };
  const auto fully_connected = [&](std::int32_t input, std::int32_t inputs, std::int32_t units) {
    const std::int32_t matrix = weights({units, inputs}, Scale(kWeightScale, 0));
    const std::int32_t bias =
        int32_constant(std::vector<std::int32_t>(static_cast<std::size_t>(units), 40), Scale(bias_scale, 0));
    return apply(BuiltinOperator::kFullyConnected, {input, matrix, bias}, activation({1, units}, inner),
                 FullyConnectedOptions{});
  };

  const std::int32_t input = activation({1, 12, 12, 1}, outer);
  const std::int32_t small =
      apply(BuiltinOperator::kQuantize, {input}, activation({1, 12, 12, 1}, inner), QuantizeOptions{});
  const std::vector<float> filter_scales(kFilters, kWeightScale);
  const std::int32_t filters = weights({kFilters, 3, 3, 1}, ScalesAlong(0, filter_scales));
  const std::int32_t bias =
      int32_constant(std::vector<std::int32_t>(kFilters, 40), ScalesAlong(0, std::vector<float>(kFilters, bias_scale)));
  const std::int32_t convolved =
      apply(BuiltinOperator::kConv2d, {small, filters, bias}, activation({1, 12, 12, kFilters}, inner),
            Conv2DOptions{.stride_w = 1, .stride_h = 1, .activation = Activation::kRelu});
  const std::int32_t pooled = apply(
      BuiltinOperator::kMaxPool2d, {convolved}, activation({1, 6, 6, kFilters}, inner),
      Pool2DOptions{.padding = Padding::kValid, .stride_w = 2, .stride_h = 2, .filter_width = 2, .filter_height = 2});
  const std::int32_t row_length = 6 * 6 * kFilters;
  const std::int32_t row_shape = int32_constant({1, row_length}, std::nullopt);
  const std::int32_t row =
      apply(BuiltinOperator::kReshape, {pooled, row_shape}, activation({1, row_length}, inner), ReshapeOptions{});
  const std::int32_t classes = fully_connected(fully_connected(row, row_length, kHidden), kHidden, kClasses);
  const std::int32_t output = graph.AddTensor({.type = TensorType::kFloat32, .shape = {{1, kClasses}}});
  apply(BuiltinOperator::kDequantize, {classes}, output, DequantizeOptions{});
  graph.inputs = {input};
  graph.outputs = {output};
  return std::make_unique<UpstreamModel>(builder);
}

AllocatorIn::AllocatorIn(std::size_t bytes, const InterpreterOptions& options) : memory_(bytes) {
  creation_ = ModelAllocator::Create(memory_.data(), bytes, options, &allocator_);
}

AllocatorIn::AllocatorIn(std::size_t persistent_bytes, std::size_t non_persistent_bytes)
    : memory_(persistent_bytes), other_memory_(non_persistent_bytes) {
  creation_ = ModelAllocator::Create(
      ArenaBuffers{memory_.data(), persistent_bytes, other_memory_.data(), non_persistent_bytes}, {}, &allocator_);
}

Status AllocatorIn::Allocate(const UpstreamModel& model, ModelAllocation* allocation, const OfflinePlanPolicy& policy) {
  ARENAPROOF_RETURN_IF_ERROR(allocator_->StartModelAllocation(model.view(), allocation));
  return allocator_->FinishModelAllocation(model.view(), allocation, policy);
}

Status AllocatorIn::PersistentStructs(const UpstreamModel& model, const ModelAllocation& allocation,
                                      const std::vector<std::int32_t>& tensors, std::vector<const Operand*>* structs) {
  for (const std::int32_t tensor : tensors) {
    ARENAPROOF_RETURN_IF_ERROR(
        allocator_->AllocatePersistentTensor(model.view(), &allocation, 0, tensor, &structs->emplace_back()));
  }
  return Ok();
}

}  // namespace arenaproof::testing
