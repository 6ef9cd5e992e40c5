// Operators' options as plain values, decoded from the model file once, so that no kernel walks the file's tables.
// Values are the file's own, unchecked: a kernel's prepare refuses what it cannot serve. Defaults are the schema's.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/model/tensor_type.h"

namespace arenaproof {

enum class Padding : std::int8_t { kSame = 0, kValid = 1 };

enum class Activation : std::int8_t { kNone = 0, kRelu = 1, kReluN1To1 = 2, kRelu6 = 3, kTanh = 4, kSignBit = 5 };

struct FullyConnectedOptions {
  Activation activation = Activation::kNone;
  std::int8_t weights_format = 0;
  bool keep_num_dims = false;
  bool asymmetric_quantize_inputs = false;
  TensorType quantized_bias_type = TensorType::kFloat32;
};
struct Conv2DOptions {
  Padding padding = Padding::kSame;
  std::int32_t stride_w = 0;
  std::int32_t stride_h = 0;
  Activation activation = Activation::kNone;
  std::int32_t dilation_w = 1;
  std::int32_t dilation_h = 1;
  TensorType quantized_bias_type = TensorType::kFloat32;
};
struct DepthwiseConv2DOptions {
  Padding padding = Padding::kSame;
  std::int32_t stride_w = 0;
  std::int32_t stride_h = 0;
  std::int32_t depth_multiplier = 0;
  Activation activation = Activation::kNone;
  std::int32_t dilation_w = 1;
  std::int32_t dilation_h = 1;
};
struct TransposeConvOptions {
  Padding padding = Padding::kSame;
  std::int32_t stride_w = 0;
  std::int32_t stride_h = 0;
  Activation activation = Activation::kNone;
  TensorType quantized_bias_type = TensorType::kFloat32;
};
struct Pool2DOptions {
  Padding padding = Padding::kSame;
  std::int32_t stride_w = 0;
  std::int32_t stride_h = 0;
  std::int32_t filter_width = 0;
  std::int32_t filter_height = 0;
  Activation activation = Activation::kNone;
};
struct AddOptions {
  Activation activation = Activation::kNone;
  bool pot_scale_int16 = true;
};
struct SubOptions {
  Activation activation = Activation::kNone;
  bool pot_scale_int16 = true;
};
struct MulOptions {
  Activation activation = Activation::kNone;
};
struct DivOptions {
  Activation activation = Activation::kNone;
};
struct L2NormOptions {
  Activation activation = Activation::kNone;
};
struct SoftmaxOptions {
  float beta = 0.0f;
};
struct ReshapeOptions {};  // new_shape is not read: the output tensor's shape counts
struct PadOptions {};
struct PadV2Options {};
struct QuantizeOptions {};
struct DequantizeOptions {};
struct ConcatenationOptions {
  std::int32_t axis = 0;
  Activation activation = Activation::kNone;
};
struct ReducerOptions {
  bool keep_dims = false;
};
struct CumsumOptions {
  bool exclusive = false;  // an element is not part of its own sum
  bool reverse = false;    // sums begin at the axis's end
};
struct LeakyReluOptions {
  float alpha = 0.0f;
};
struct StridedSliceOptions {
  std::int32_t begin_mask = 0;
  std::int32_t end_mask = 0;
  std::int32_t ellipsis_mask = 0;
  std::int32_t new_axis_mask = 0;
  std::int32_t shrink_axis_mask = 0;
  bool offset = false;
};
struct SvdfOptions {
  std::int32_t rank = 0;
  Activation activation = Activation::kNone;
  bool asymmetric_quantize_inputs = false;
};
struct IfOptions {
  std::int32_t then_subgraph_index = 0;
  std::int32_t else_subgraph_index = 0;
};
struct WhileOptions {
  std::int32_t cond_subgraph_index = 0;
  std::int32_t body_subgraph_index = 0;
};
struct CallOnceOptions {
  std::int32_t init_subgraph_index = 0;
};
struct VarHandleOptions {
  const char* container = nullptr;  // in the file; null when absent
  const char* shared_name = nullptr;
};
struct UnidirectionalSequenceLstmOptions {
  Activation activation = Activation::kNone;
  float cell_clip = 0.0f;  // 0: no clip
  float proj_clip = 0.0f;
  bool time_major = false;
  bool asymmetric_quantize_inputs = false;
  bool diagonal_recurrent_tensors = false;
};
struct SplitOptions {  // SPLIT and SPLIT_V
  std::int32_t num_splits = 0;
};
struct PackOptions {
  std::int32_t values_count = 0;
  std::int32_t axis = 0;
};
struct UnpackOptions {
  std::int32_t num = 0;
  std::int32_t axis = 0;
};
struct GatherOptions {
  std::int32_t axis = 0;
  std::int32_t batch_dims = 0;
};
struct BatchMatMulOptions {
  bool adj_x = false;
  bool adj_y = false;
  bool asymmetric_quantize_inputs = false;
};
struct SpaceToDepthOptions {
  std::int32_t block_size = 0;
};
struct DepthToSpaceOptions {
  std::int32_t block_size = 0;
};
struct ResizeNearestNeighborOptions {
  bool align_corners = false;
  bool half_pixel_centers = false;
};
struct ResizeBilinearOptions {
  bool align_corners = false;
  bool half_pixel_centers = false;
};
enum class MirrorPadMode : std::int8_t { kReflect = 0, kSymmetric = 1 };
struct MirrorPadOptions {
  MirrorPadMode mode = MirrorPadMode::kReflect;
};
struct SqueezeOptions {
  std::span<const std::int32_t> squeeze_dims;  // in the file
};
// Options of an operator that none of the above describes: present, not decoded.
struct OtherOptions {
  std::uint8_t union_type = 0;
};

using OperatorOptions =
    std::variant<std::monostate, FullyConnectedOptions, Conv2DOptions, DepthwiseConv2DOptions, TransposeConvOptions,
                 Pool2DOptions, AddOptions, SubOptions, MulOptions, SoftmaxOptions, ReshapeOptions, PadOptions,
                 PadV2Options, QuantizeOptions, DequantizeOptions, ConcatenationOptions, ReducerOptions,
                 LeakyReluOptions, StridedSliceOptions, SvdfOptions, IfOptions, WhileOptions, CallOnceOptions,
                 VarHandleOptions, UnidirectionalSequenceLstmOptions, SplitOptions, PackOptions, UnpackOptions,
                 GatherOptions, BatchMatMulOptions, SpaceToDepthOptions, DepthToSpaceOptions,
                 ResizeNearestNeighborOptions, ResizeBilinearOptions, MirrorPadOptions, SqueezeOptions, DivOptions,
                 L2NormOptions, CumsumOptions, OtherOptions>;

}  // namespace arenaproof
