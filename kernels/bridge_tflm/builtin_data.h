// What a kernel of TensorFlow Lite Micro finds in TfLiteNode::builtin_data, from the options that the library is given.
// Options of the model format that no list of options has keep the format's default:
// asymmetric_quantize_inputs, pot_scale_int16, new_shape, types that an operand has too.
#pragma once

#include <tensorflow/lite/c/builtin_op_data.h>
#include <tensorflow/lite/micro/tflite_bridge/flatbuffer_conversions_bridge.h>

#include <cstddef>
#include <cstdint>

#include "kernels/vendor/kernel_abi.h"

namespace arenaproof_tflm {

class Options {
 public:
  explicit Options(const ArenaproofSetUp& context) : context_(context) {}

  const ArenaproofSetUp& context() const { return context_; }

  // 0 where the operator lacks the option.
  int32_t Integer(int32_t key) const { return Find(key).integer; }
  bool Flag(int32_t key) const { return Find(key).integer != 0; }
  float Real(int32_t key) const { return Find(key).real; }
  TfLiteFusedActivation Activation() const {
    return static_cast<TfLiteFusedActivation>(Integer(ARENAPROOF_OPTION_ACTIVATION));
  }
  // Of a type that this build of tflite-micro does not know, none.
  TfLiteType Type(int32_t key) const {
    TfLiteType type = kTfLiteNoType;
    const auto file_type = static_cast<tflite::TensorType>(Integer(key));
    return tflite::ConvertTensorType(file_type, &type) == kTfLiteOk ? type : kTfLiteNoType;
  }
  TfLitePadding Padding() const {
    return Integer(ARENAPROOF_OPTION_PADDING) == 0 ? kTfLitePaddingSame : kTfLitePaddingValid;
  }

 private:
  ArenaproofOption Find(int32_t key) const {
    for (size_t i = 0; i < context_.option_count; ++i) {
      if (context_.options[i].key == key) return context_.options[i];
    }
    return {};
  }

  const ArenaproofSetUp& context_;
};

// Strides, dilation and activation have the same names in several structures.
template <typename Params>
void FillWindow(const Options& options, Params& params) {
  params.padding = options.Padding();
  params.stride_width = options.Integer(ARENAPROOF_OPTION_STRIDE_WIDTH);
  params.stride_height = options.Integer(ARENAPROOF_OPTION_STRIDE_HEIGHT);
  params.activation = options.Activation();
}

template <typename Params>
void FillDilation(const Options& options, Params& params) {
  params.dilation_width_factor = options.Integer(ARENAPROOF_OPTION_DILATION_WIDTH);
  params.dilation_height_factor = options.Integer(ARENAPROOF_OPTION_DILATION_HEIGHT);
}

inline void Fill(const Options& options, TfLiteConvParams& params) {
  FillWindow(options, params);
  FillDilation(options, params);
  params.quantized_bias_type = options.Type(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE);
}

inline void Fill(const Options& options, TfLiteDepthwiseConvParams& params) {
  FillWindow(options, params);
  FillDilation(options, params);
  params.depth_multiplier = options.Integer(ARENAPROOF_OPTION_DEPTH_MULTIPLIER);
}

inline void Fill(const Options& options, TfLiteTransposeConvParams& params) {
  FillWindow(options, params);
  params.quantized_bias_type = options.Type(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE);
}

inline void Fill(const Options& options, TfLitePoolParams& params) {
  FillWindow(options, params);
  params.filter_width = options.Integer(ARENAPROOF_OPTION_FILTER_WIDTH);
  params.filter_height = options.Integer(ARENAPROOF_OPTION_FILTER_HEIGHT);
}

inline void Fill(const Options& options, TfLiteFullyConnectedParams& params) {
  params.activation = options.Activation();
  params.weights_format =
      static_cast<TfLiteFullyConnectedWeightsFormat>(options.Integer(ARENAPROOF_OPTION_WEIGHTS_FORMAT));
  params.keep_num_dims = options.Flag(ARENAPROOF_OPTION_KEEP_DIMS);
  params.quantized_bias_type = options.Type(ARENAPROOF_OPTION_QUANTIZED_BIAS_TYPE);
}

inline void Fill(const Options& options, TfLiteAddParams& params) { params.activation = options.Activation(); }
inline void Fill(const Options& options, TfLiteSubParams& params) { params.activation = options.Activation(); }
inline void Fill(const Options& options, TfLiteMulParams& params) { params.activation = options.Activation(); }
inline void Fill(const Options& options, TfLiteDivParams& params) { params.activation = options.Activation(); }
inline void Fill(const Options& options, TfLiteL2NormParams& params) { params.activation = options.Activation(); }

inline void Fill(const Options& options, TfLiteSVDFParams& params) {
  params.rank = options.Integer(ARENAPROOF_OPTION_RANK);
  params.activation = options.Activation();
}

inline void Fill(const Options& options, TfLiteUnidirectionalSequenceLSTMParams& params) {
  params.activation = options.Activation();
  params.cell_clip = options.Real(ARENAPROOF_OPTION_CELL_CLIP);
  params.proj_clip = options.Real(ARENAPROOF_OPTION_PROJECTION_CLIP);
  params.time_major = options.Flag(ARENAPROOF_OPTION_TIME_MAJOR);
}

inline void Fill(const Options& options, TfLiteSoftmaxParams& params) {
  params.beta = options.Real(ARENAPROOF_OPTION_BETA);
}

inline void Fill(const Options& options, TfLiteLeakyReluParams& params) {
  params.alpha = options.Real(ARENAPROOF_OPTION_ALPHA);
}

inline void Fill(const Options& options, TfLiteConcatenationParams& params) {
  params.axis = options.Integer(ARENAPROOF_OPTION_AXIS);
  params.activation = options.Activation();
}

inline void Fill(const Options& options, TfLiteBatchMatMulParams& params) {
  params.adj_x = options.Flag(ARENAPROOF_OPTION_ADJOINT_X);
  params.adj_y = options.Flag(ARENAPROOF_OPTION_ADJOINT_Y);
}

template <typename Params>
void FillResize(const Options& options, Params& params) {
  params.align_corners = options.Flag(ARENAPROOF_OPTION_ALIGN_CORNERS);
  params.half_pixel_centers = options.Flag(ARENAPROOF_OPTION_HALF_PIXEL_CENTERS);
}

inline void Fill(const Options& options, TfLiteResizeBilinearParams& params) { FillResize(options, params); }
inline void Fill(const Options& options, TfLiteResizeNearestNeighborParams& params) { FillResize(options, params); }

inline void Fill(const Options& options, TfLiteSpaceToDepthParams& params) {
  params.block_size = options.Integer(ARENAPROOF_OPTION_BLOCK_SIZE);
}

inline void Fill(const Options& options, TfLiteDepthToSpaceParams& params) {
  params.block_size = options.Integer(ARENAPROOF_OPTION_BLOCK_SIZE);
}

inline void Fill(const Options& options, TfLiteGatherParams& params) {
  params.axis = options.Integer(ARENAPROOF_OPTION_AXIS);
  params.batch_dims = options.Integer(ARENAPROOF_OPTION_BATCH_DIMS);
}

inline void Fill(const Options& options, TfLiteReducerParams& params) {
  params.keep_dims = options.Flag(ARENAPROOF_OPTION_KEEP_DIMS);
}

inline void Fill(const Options& options, TfLiteSplitParams& params) {
  params.num_splits = options.Integer(ARENAPROOF_OPTION_COUNT);
}

inline void Fill(const Options& options, TfLiteSplitVParams& params) {
  params.num_splits = options.Integer(ARENAPROOF_OPTION_COUNT);
}

inline void Fill(const Options& options, TfLitePackParams& params) {
  params.values_count = options.Integer(ARENAPROOF_OPTION_COUNT);
  params.axis = options.Integer(ARENAPROOF_OPTION_AXIS);
}

inline void Fill(const Options& options, TfLiteUnpackParams& params) {
  params.num = options.Integer(ARENAPROOF_OPTION_COUNT);
  params.axis = options.Integer(ARENAPROOF_OPTION_AXIS);
}

inline void Fill(const Options& options, TfLiteMirrorPaddingParams& params) {
  params.mode =
      options.Integer(ARENAPROOF_OPTION_MIRROR_MODE) == 0 ? kTfLiteMirrorPaddingReflect : kTfLiteMirrorPaddingSymmetric;
}

inline void Fill(const Options& options, TfLiteCumsumParams& params) {
  params.exclusive = options.Flag(ARENAPROOF_OPTION_EXCLUSIVE);
  params.reverse = options.Flag(ARENAPROOF_OPTION_REVERSE);
}

inline void Fill(const Options& options, TfLiteStridedSliceParams& params) {
  params.begin_mask = options.Integer(ARENAPROOF_OPTION_BEGIN_MASK);
  params.end_mask = options.Integer(ARENAPROOF_OPTION_END_MASK);
  params.ellipsis_mask = options.Integer(ARENAPROOF_OPTION_ELLIPSIS_MASK);
  params.new_axis_mask = options.Integer(ARENAPROOF_OPTION_NEW_AXIS_MASK);
  params.shrink_axis_mask = options.Integer(ARENAPROOF_OPTION_SHRINK_AXIS_MASK);
  params.offset = options.Flag(ARENAPROOF_OPTION_OFFSET);
}

// Which dimensions are left out is no option here, and follows from the shapes: any choice that leads to the output's.
inline void Fill(const Options& options, TfLiteSqueezeParams& params) {
  const ArenaproofOperand& input = options.context().inputs[0];
  const ArenaproofOperand& output = options.context().outputs[0];
  int32_t kept = 0;
  for (int32_t i = 0; i < input.rank; ++i) {
    const bool is_kept = kept < output.rank && input.dims[i] == output.dims[kept];
    kept += is_kept ? 1 : 0;
    if (!is_kept) params.squeeze_dims[params.num_squeeze_dims++] = i;
  }
}

// Their kernels take nothing of these but that they are there.
inline void Fill(const Options&, TfLiteReshapeParams&) {}
inline void Fill(const Options&, TfLiteCastParams&) {}
inline void Fill(const Options&, TfLiteArgMaxParams&) {}
inline void Fill(const Options&, TfLiteArgMinParams&) {}
inline void Fill(const Options&, TfLiteShapeParams&) {}

}  // namespace arenaproof_tflm
