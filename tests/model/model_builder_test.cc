// What the builder writes is what the view reads.
#include "tools/model_builder/model_builder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/model/model_view.h"
#include "tests/model/models_support.h"

namespace arenaproof::testing {
namespace {

ModelView Opened(const std::vector<std::byte>& file) {
  ModelView view;
  EXPECT_TRUE(ModelView::Open(file, &view).ok());
  return view;
}

TEST(ModelBuilder, WritesTensorsAsSpecified) {
  SmallModel m;
  m.tensor(SmallModel::kWeights).quantization = ScalesAlong(0, {0.5f, 0.25f, 2.0f});
  m.tensor(SmallModel::kX).quantization = Scale(0.125f, -7);
  m.tensor(SmallModel::kY).is_variable = true;
  m.tensor(SmallModel::kY).quantization = std::nullopt;
  const auto file = m.builder.Finish();
  const ModelView view = Opened(file);
  EXPECT_EQ(view.version(), 3u);
  EXPECT_EQ(view.subgraph_name(0), "main");
  const TensorView weights = view.tensor(0, SmallModel::kWeights);
  EXPECT_EQ(weights.name, "weights");
  EXPECT_EQ(weights.type, TensorType::kInt8);
  EXPECT_EQ(Listed(weights.shape), (std::vector<std::int32_t>{3, 4}));
  EXPECT_TRUE(weights.is_constant());
  ASSERT_EQ(weights.data.size(), 12u);
  EXPECT_EQ(weights.data[11], std::byte{1});
  EXPECT_EQ(weights.quantization.scale(2), 2.0f);
  const TensorView x = view.tensor(0, SmallModel::kX);
  EXPECT_FALSE(x.is_constant());
  EXPECT_EQ(x.quantization.scale(), 0.125f);
  EXPECT_EQ(x.quantization.zero_point(), -7);
  EXPECT_TRUE(view.tensor(0, SmallModel::kY).is_variable);
  EXPECT_FALSE(view.tensor(0, SmallModel::kY).has_quantization);
}

TEST(ModelBuilder, AlignsDataTo16UnlessAskedNotTo) {
  for (const bool aligned : {true, false}) {
    for (std::size_t bytes = 1; bytes < 40; ++bytes) {
      ModelBuilder builder;
      builder.AddSubgraph("some name to shift things");
      const std::vector<std::byte> data(bytes, std::byte{42});
      const std::uint32_t index = builder.AddBuffer(data, aligned);
      const auto file = builder.Finish();
      const ModelView view = Opened(file);
      const auto found = view.buffer(index).data;
      ASSERT_EQ(found.size(), bytes);
      EXPECT_EQ(found.back(), std::byte{42});
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.data()) % 16, aligned ? 0u : 4u);
    }
  }
}

TEST(ModelBuilder, GivesTheSameBytesForTheSameDescription) {
  const SmallModel m;
  EXPECT_EQ(m.builder.Finish(), m.builder.Finish());
}

TEST(ModelBuilder, WritesMetadataSignaturesAndBuffers) {
  SmallModel m;
  const std::vector<std::byte> plan(12, std::byte{9});
  m.builder.AddMetadata("OfflineMemoryAllocation", plan);
  m.builder.signatures = {{"serve", 0, {0}, {4, 3}}};
  m.builder.description = "small";
  const auto file = m.builder.Finish();
  const ModelView view = Opened(file);
  ASSERT_EQ(view.metadata_count(), 1u);
  EXPECT_EQ(view.metadata(0).name, "OfflineMemoryAllocation");
  EXPECT_EQ(view.metadata(0).data.size(), 12u);
  EXPECT_EQ(view.buffer_count(), 4u);
  EXPECT_EQ(view.signature(0).output_count, 2u);
  EXPECT_EQ(view.signature_input(0, 0), 0u);
  EXPECT_EQ(view.signature_output(0, 1), 3u);
  EXPECT_EQ(view.description(), "small");
}

TEST(ModelBuilder, WritesOperatorsAsSpecified) {
  SmallModel m;
  m.relu().code = m.builder.AddCustomCode("mine");
  m.relu().custom_options = {std::byte{1}, std::byte{2}};
  m.relu().intermediates = {3};
  m.relu().inputs = {3, -1};
  const auto file = m.builder.Finish();
  const OperatorView op = Opened(file).operator_at(0, 1);
  EXPECT_EQ(op.code, BuiltinOperator::kCustom);
  EXPECT_EQ(op.custom_name, "mine");
  EXPECT_EQ(op.custom_options.size(), 2u);
  EXPECT_EQ(Listed(op.intermediates), (std::vector<std::int32_t>{3}));
  EXPECT_EQ(Listed(op.inputs), (std::vector<std::int32_t>{3, -1}));
  EXPECT_EQ(op.options_type, 0);
}

TEST(ModelBuilder, KeepsOneCodeForEachOperatorAndVersion) {
  ModelBuilder builder;
  EXPECT_EQ(builder.AddCode(BuiltinOperator::kAdd), builder.AddCode(BuiltinOperator::kAdd));
  EXPECT_NE(builder.AddCode(BuiltinOperator::kAdd), builder.AddCode(BuiltinOperator::kAdd, 2));
}

// Each options struct with no value at its default goes out and comes back.
template <typename Options, typename Equal>
void ExpectRoundTrip(BuiltinOperator code, std::uint8_t union_type, const Options& options, Equal equal) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddOperator({.code = builder.AddCode(code), .options = options});
  const auto file = builder.Finish();
  const OperatorView op = Opened(file).operator_at(0, 0);
  EXPECT_EQ(op.options_type, union_type) << BuiltinOperatorName(code);
  const auto* const read = std::get_if<Options>(&op.options);
  ASSERT_NE(read, nullptr) << BuiltinOperatorName(code);
  EXPECT_TRUE(equal(*read)) << BuiltinOperatorName(code);
}

TEST(ModelBuilder, RoundTripsTheOptionsOfEveryOperator) {
  using B = BuiltinOperator;
  const auto always = [](const auto&) { return true; };
  ExpectRoundTrip(B::kFullyConnected, 8, FullyConnectedOptions{Activation::kRelu6, 1, true, true, TensorType::kInt32},
                  [](const auto& o) {
                    return o.activation == Activation::kRelu6 && o.weights_format == 1 && o.keep_num_dims &&
                           o.asymmetric_quantize_inputs && o.quantized_bias_type == TensorType::kInt32;
                  });
  ExpectRoundTrip(B::kConv2d, 1, Conv2DOptions{Padding::kValid, 2, 3, Activation::kRelu, 4, 5, TensorType::kInt64},
                  [](const auto& o) {
                    return o.padding == Padding::kValid && o.stride_w == 2 && o.stride_h == 3 &&
                           o.activation == Activation::kRelu && o.dilation_w == 4 && o.dilation_h == 5 &&
                           o.quantized_bias_type == TensorType::kInt64;
                  });
  ExpectRoundTrip(B::kDepthwiseConv2d, 2, DepthwiseConv2DOptions{Padding::kValid, 2, 3, 6, Activation::kTanh, 4, 5},
                  [](const auto& o) {
                    return o.padding == Padding::kValid && o.stride_w == 2 && o.stride_h == 3 &&
                           o.depth_multiplier == 6 && o.activation == Activation::kTanh && o.dilation_w == 4 &&
                           o.dilation_h == 5;
                  });
  ExpectRoundTrip(B::kTransposeConv, 49,
                  TransposeConvOptions{Padding::kValid, 2, 3, Activation::kRelu, TensorType::kInt16},
                  [](const auto& o) {
                    return o.padding == Padding::kValid && o.stride_w == 2 && o.stride_h == 3 &&
                           o.activation == Activation::kRelu && o.quantized_bias_type == TensorType::kInt16;
                  });
  ExpectRoundTrip(B::kMaxPool2d, 5, Pool2DOptions{Padding::kValid, 2, 3, 4, 5, Activation::kReluN1To1},
                  [](const auto& o) {
                    return o.padding == Padding::kValid && o.stride_w == 2 && o.stride_h == 3 && o.filter_width == 4 &&
                           o.filter_height == 5 && o.activation == Activation::kReluN1To1;
                  });
  ExpectRoundTrip(B::kAdd, 11, AddOptions{Activation::kRelu, false},
                  [](const auto& o) { return o.activation == Activation::kRelu && !o.pot_scale_int16; });
  ExpectRoundTrip(B::kSub, 28, SubOptions{Activation::kRelu, false},
                  [](const auto& o) { return o.activation == Activation::kRelu && !o.pot_scale_int16; });
  ExpectRoundTrip(B::kMul, 21, MulOptions{Activation::kSignBit},
                  [](const auto& o) { return o.activation == Activation::kSignBit; });
  ExpectRoundTrip(B::kDiv, 29, DivOptions{Activation::kRelu6},
                  [](const auto& o) { return o.activation == Activation::kRelu6; });
  ExpectRoundTrip(B::kL2Normalization, 12, L2NormOptions{Activation::kRelu},
                  [](const auto& o) { return o.activation == Activation::kRelu; });
  ExpectRoundTrip(B::kCumsum, 102, CumsumOptions{true, false}, [](const auto& o) { return o.exclusive && !o.reverse; });
  ExpectRoundTrip(B::kCumsum, 102, CumsumOptions{false, true}, [](const auto& o) { return !o.exclusive && o.reverse; });
  ExpectRoundTrip(B::kSoftmax, 9, SoftmaxOptions{1.5f}, [](const auto& o) { return o.beta == 1.5f; });
  ExpectRoundTrip(B::kReshape, 17, ReshapeOptions{}, always);
  ExpectRoundTrip(B::kPad, 22, PadOptions{}, always);
  ExpectRoundTrip(B::kPadv2, 43, PadV2Options{}, always);
  ExpectRoundTrip(B::kQuantize, 89, QuantizeOptions{}, always);
  ExpectRoundTrip(B::kDequantize, 38, DequantizeOptions{}, always);
  ExpectRoundTrip(B::kConcatenation, 10, ConcatenationOptions{-2, Activation::kRelu},
                  [](const auto& o) { return o.axis == -2 && o.activation == Activation::kRelu; });
  ExpectRoundTrip(B::kMean, 27, ReducerOptions{true}, [](const auto& o) { return o.keep_dims; });
  ExpectRoundTrip(B::kLeakyRelu, 75, LeakyReluOptions{0.1f}, [](const auto& o) { return o.alpha == 0.1f; });
  ExpectRoundTrip(B::kStridedSlice, 32, StridedSliceOptions{1, 2, 3, 4, 5, true}, [](const auto& o) {
    return o.begin_mask == 1 && o.end_mask == 2 && o.ellipsis_mask == 3 && o.new_axis_mask == 4 &&
           o.shrink_axis_mask == 5 && o.offset;
  });
  ExpectRoundTrip(B::kSvdf, 6, SvdfOptions{2, Activation::kRelu, true}, [](const auto& o) {
    return o.rank == 2 && o.activation == Activation::kRelu && o.asymmetric_quantize_inputs;
  });
  ExpectRoundTrip(B::kIf, 92, IfOptions{3, 4},
                  [](const auto& o) { return o.then_subgraph_index == 3 && o.else_subgraph_index == 4; });
  ExpectRoundTrip(B::kWhile, 93, WhileOptions{3, 4},
                  [](const auto& o) { return o.cond_subgraph_index == 3 && o.body_subgraph_index == 4; });
  ExpectRoundTrip(B::kCallOnce, 103, CallOnceOptions{5}, [](const auto& o) { return o.init_subgraph_index == 5; });
  ExpectRoundTrip(B::kVarHandle, 111, VarHandleOptions{"box", "name"}, [](const auto& o) {
    return std::strcmp(o.container, "box") == 0 && std::strcmp(o.shared_name, "name") == 0;
  });
  ExpectRoundTrip(B::kVarHandle, 111, VarHandleOptions{},
                  [](const auto& o) { return o.container == nullptr && o.shared_name == nullptr; });
  ExpectRoundTrip(B::kUnidirectionalSequenceLstm, 71,
                  UnidirectionalSequenceLstmOptions{Activation::kTanh, 1.0f, 2.0f, true, true, true},
                  [](const auto& o) {
                    return o.activation == Activation::kTanh && o.cell_clip == 1.0f && o.proj_clip == 2.0f &&
                           o.time_major && o.asymmetric_quantize_inputs && o.diagonal_recurrent_tensors;
                  });
  ExpectRoundTrip(B::kSplit, 35, SplitOptions{3}, [](const auto& o) { return o.num_splits == 3; });
  ExpectRoundTrip(B::kSplitV, 79, SplitOptions{3}, [](const auto& o) { return o.num_splits == 3; });
  ExpectRoundTrip(B::kPack, 59, PackOptions{3, -1}, [](const auto& o) { return o.values_count == 3 && o.axis == -1; });
  ExpectRoundTrip(B::kUnpack, 64, UnpackOptions{3, -1}, [](const auto& o) { return o.num == 3 && o.axis == -1; });
  ExpectRoundTrip(B::kGather, 23, GatherOptions{1, 2}, [](const auto& o) { return o.axis == 1 && o.batch_dims == 2; });
  ExpectRoundTrip(B::kBatchMatmul, 101, BatchMatMulOptions{true, false, true},
                  [](const auto& o) { return o.adj_x && !o.adj_y && o.asymmetric_quantize_inputs; });
  ExpectRoundTrip(B::kSpaceToDepth, 19, SpaceToDepthOptions{2}, [](const auto& o) { return o.block_size == 2; });
  ExpectRoundTrip(B::kDepthToSpace, 94, DepthToSpaceOptions{2}, [](const auto& o) { return o.block_size == 2; });
  ExpectRoundTrip(B::kResizeNearestNeighbor, 74, ResizeNearestNeighborOptions{false, true},
                  [](const auto& o) { return !o.align_corners && o.half_pixel_centers; });
  ExpectRoundTrip(B::kResizeBilinear, 15, ResizeBilinearOptions{false, true},
                  [](const auto& o) { return !o.align_corners && o.half_pixel_centers; });
  ExpectRoundTrip(B::kMirrorPad, 77, MirrorPadOptions{MirrorPadMode::kSymmetric},
                  [](const auto& o) { return o.mode == MirrorPadMode::kSymmetric; });
  ExpectRoundTrip(B::kHardSwish, 91, OtherOptions{91}, [](const auto& o) { return o.union_type == 91; });
}

TEST(ModelBuilder, RoundTripsTheDimensionsOfSqueeze) {
  const std::vector<std::int32_t> dims = {1, -1};
  ModelBuilder builder;
  builder.AddSubgraph().AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kSqueeze), .options = SqueezeOptions{dims}});
  const auto file = builder.Finish();
  const OperatorView op = Opened(file).operator_at(0, 0);
  EXPECT_EQ(op.options_type, 30);
  EXPECT_EQ(Listed(std::get<SqueezeOptions>(op.options).squeeze_dims), dims);
}

}  // namespace
}  // namespace arenaproof::testing
