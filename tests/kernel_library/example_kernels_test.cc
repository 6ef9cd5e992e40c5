// The example library beside the reference kernels, over shapes, options and scales of every kind that it serves, and
// its own statuses for what it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/kernel_library/example_file.h"
#include "tools/kernel_library/chosen_kernels.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kRows = 3;

struct Product {
  std::int32_t batches = 1, depth = 20;
  bool has_bias = true, constant_weights = true, quantized_output = true;
  Activation activation = Activation::kNone;
  std::vector<float> weight_scales = {0.25f};
  std::int64_t weight_zero_point = 0, output_zero_point = -3;
  float output_scale = 4.0f;
};

std::vector<std::byte> FileOf(const Product& product) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  std::vector<std::int8_t> weights(static_cast<std::size_t>(kRows * product.depth));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<std::int8_t>(37 * i % 251);
  const std::uint32_t buffer = builder.AddBufferOf(weights);
  QuantizationSpec of_weights = ScalesAlong(0, product.weight_scales);
  for (std::int64_t& zero_point : of_weights.zero_points) zero_point = product.weight_zero_point;
  graph.AddTensor(
      {.type = TensorType::kInt8, .shape = {{product.batches, product.depth}}, .quantization = Scale(0.5f, 7)});
  graph.AddTensor({.type = TensorType::kInt8,
                   .shape = {{kRows, product.depth}},
                   .buffer = product.constant_weights ? buffer : 0,
                   .quantization = of_weights});
  graph.AddTensor({.type = TensorType::kInt32,
                   .shape = {{kRows}},
                   .buffer = builder.AddBufferOf(std::vector<std::int32_t>{1000, -2000, 30})});
  TensorSpec output{.type = TensorType::kInt8, .shape = {{product.batches, kRows}}};
  if (product.quantized_output) output.quantization = Scale(product.output_scale, product.output_zero_point);
  graph.AddTensor(output);
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kFullyConnected),
                     .inputs = {0, 1, product.has_bias ? 2 : -1},
                     .outputs = {3},
                     .options = FullyConnectedOptions{.activation = product.activation}});
  graph.inputs = product.constant_weights ? std::vector<std::int32_t>{0} : std::vector<std::int32_t>{0, 1};
  graph.outputs = {3};
  return builder.Finish();
}

class ExampleKernels : public ::testing::Test {
 protected:
  ExampleKernels() { EXPECT_FALSE(kernels_.Choose({.kernels = testing::ExamplePath("plain")}, "none")); }

  static Status Run(const KernelSet& kernels, const std::vector<std::byte>& file, std::vector<std::byte>* output) {
    const ValidatedModel model = Validated(file);
    std::vector<std::byte> arena(8192);
    Interpreter interpreter(model, kernels, arena.data(), arena.size());
    if (const Status status = interpreter.AllocateTensors(); !status.ok()) return status;
    for (const Operand& input : interpreter.inputs()) {
      for (std::size_t i = 0; i < input.bytes; ++i) input.data[i] = static_cast<std::byte>(101 * i + 5);
    }
    const Status status = interpreter.Invoke();
    output->assign(interpreter.outputs()[0].data, interpreter.outputs()[0].data + interpreter.outputs()[0].bytes);
    return status;
  }
  void ExpectTheReferences(const Product& product) {
    const std::vector<std::byte> file = FileOf(product);
    std::vector<std::byte> own, reference;
    ASSERT_EQ(Run(kernels_.set(), file, &own), Ok());
    ASSERT_EQ(Run(ReferenceKernels(), file, &reference), Ok());
    EXPECT_EQ(own, reference);
    EXPECT_GT(std::ranges::count_if(own, [&](std::byte value) { return value != own[0]; }), 0) << "it shows something";
  }
  std::int64_t OwnStatus(const Product& product) {
    std::vector<std::byte> output;
    const Status status = Run(kernels_.set(), FileOf(product), &output);
    EXPECT_EQ(status.code, StatusCode::kKernelFailed);
    return static_cast<std::int64_t>(status.detail[0]);
  }

  ChosenKernels kernels_;
};

TEST_F(ExampleKernels, ComputeProductsAsTheReferenceDoes) {
  for (const std::int32_t depth : {1, 15, 16, 17, 40}) {
    for (const std::int32_t batches : {1, 3}) {
      SCOPED_TRACE(std::to_string(batches) + " of " + std::to_string(depth));
      // So that sums of any depth fill the range of the output.
      const float scale = depth == 1 ? 16.0f : 64.0f;
      ExpectTheReferences({.batches = batches, .depth = depth, .output_scale = scale});
      ExpectTheReferences({.batches = batches, .depth = depth, .has_bias = false, .output_scale = scale});
      ExpectTheReferences(
          {.batches = batches, .depth = depth, .weight_scales = {0.25f, 0.125f, 0.375f}, .output_scale = scale});
      ExpectTheReferences(
          {.batches = batches, .depth = depth, .activation = Activation::kRelu, .output_scale = scale / 2});
    }
  }
  ExpectTheReferences({.weight_scales = {3.0f, 0.01f, 0.5f}, .output_zero_point = 90, .output_scale = 0.75f});
}

TEST_F(ExampleKernels, SayWithTheirOwnStatusWhatTheyDoNotTake) {
  EXPECT_EQ(OwnStatus({.quantized_output = false}), 2);
  EXPECT_EQ(OwnStatus({.weight_zero_point = 1}), 2);
  EXPECT_EQ(OwnStatus({.constant_weights = false}), 3);
  EXPECT_EQ(OwnStatus({.activation = Activation::kRelu6}), 4);
  EXPECT_EQ(OwnStatus({.output_scale = 1e-30f}), 5);
}

}  // namespace
}  // namespace arenaproof
