#include "core/model/options_decoder.h"

#include "core/model/schema_generated.h"

namespace arenaproof {
namespace {

template <typename WireEnum>
Activation ToActivation(WireEnum value) {
  return static_cast<Activation>(value);
}
template <typename WireEnum>
Padding ToPadding(WireEnum value) {
  return static_cast<Padding>(value);
}
template <typename WireEnum>
TensorType ToType(WireEnum value) {
  return static_cast<TensorType>(value);
}

OperatorOptions Decode(const wire::FullyConnectedOptions& o) {
  return FullyConnectedOptions{ToActivation(o.activation()), o.weights_format(), o.keep_num_dims(),
                               o.asymmetric_quantize_inputs(), ToType(o.quantized_bias_type())};
}
OperatorOptions Decode(const wire::Conv2DOptions& o) {
  return Conv2DOptions{ToPadding(o.padding()),         o.stride_w(),          o.stride_h(),
                       ToActivation(o.activation()),   o.dilation_w_factor(), o.dilation_h_factor(),
                       ToType(o.quantized_bias_type())};
}
OperatorOptions Decode(const wire::DepthwiseConv2DOptions& o) {
  return DepthwiseConv2DOptions{
      ToPadding(o.padding()),       o.stride_w(),          o.stride_h(),         o.depth_multiplier(),
      ToActivation(o.activation()), o.dilation_w_factor(), o.dilation_h_factor()};
}
OperatorOptions Decode(const wire::TransposeConvOptions& o) {
  return TransposeConvOptions{ToPadding(o.padding()), o.stride_w(), o.stride_h(), ToActivation(o.activation()),
                              ToType(o.quantized_bias_type())};
}
OperatorOptions Decode(const wire::Pool2DOptions& o) {
  return Pool2DOptions{ToPadding(o.padding()), o.stride_w(),      o.stride_h(),
                       o.filter_width(),       o.filter_height(), ToActivation(o.activation())};
}
OperatorOptions Decode(const wire::AddOptions& o) {
  return AddOptions{ToActivation(o.activation()), o.pot_scale_int16()};
}
OperatorOptions Decode(const wire::SubOptions& o) {
  return SubOptions{ToActivation(o.activation()), o.pot_scale_int16()};
}
OperatorOptions Decode(const wire::MulOptions& o) { return MulOptions{ToActivation(o.activation())}; }
OperatorOptions Decode(const wire::DivOptions& o) { return DivOptions{ToActivation(o.activation())}; }
OperatorOptions Decode(const wire::L2NormOptions& o) { return L2NormOptions{ToActivation(o.activation())}; }
OperatorOptions Decode(const wire::SoftmaxOptions& o) { return SoftmaxOptions{o.beta()}; }
OperatorOptions Decode(const wire::ReshapeOptions&) { return ReshapeOptions{}; }
OperatorOptions Decode(const wire::ConcatenationOptions& o) {
  return ConcatenationOptions{o.axis(), ToActivation(o.activation())};
}
OperatorOptions Decode(const wire::ReducerOptions& o) { return ReducerOptions{o.keep_dims()}; }
OperatorOptions Decode(const wire::CumsumOptions& o) { return CumsumOptions{o.exclusive(), o.reverse()}; }
OperatorOptions Decode(const wire::LeakyReluOptions& o) { return LeakyReluOptions{o.alpha()}; }
OperatorOptions Decode(const wire::StridedSliceOptions& o) {
  return StridedSliceOptions{o.begin_mask(),    o.end_mask(),         o.ellipsis_mask(),
                             o.new_axis_mask(), o.shrink_axis_mask(), o.offset()};
}
OperatorOptions Decode(const wire::SVDFOptions& o) {
  return SvdfOptions{o.rank(), ToActivation(o.activation()), o.asymmetric_quantize_inputs()};
}
OperatorOptions Decode(const wire::IfOptions& o) { return IfOptions{o.then_subgraph_index(), o.else_subgraph_index()}; }
OperatorOptions Decode(const wire::WhileOptions& o) {
  return WhileOptions{o.cond_subgraph_index(), o.body_subgraph_index()};
}
OperatorOptions Decode(const wire::CallOnceOptions& o) { return CallOnceOptions{o.init_subgraph_index()}; }
OperatorOptions Decode(const wire::VarHandleOptions& o) {
  return VarHandleOptions{o.container() != nullptr ? o.container()->c_str() : nullptr,
                          o.shared_name() != nullptr ? o.shared_name()->c_str() : nullptr};
}
OperatorOptions Decode(const wire::UnidirectionalSequenceLSTMOptions& o) {
  return UnidirectionalSequenceLstmOptions{
      ToActivation(o.activation()),  o.cell_clip(), o.proj_clip(), o.time_major(), o.asymmetric_quantize_inputs(),
      o.diagonal_recurrent_tensors()};
}
OperatorOptions Decode(const wire::SplitOptions& o) { return SplitOptions{o.num_splits()}; }
OperatorOptions Decode(const wire::SplitVOptions& o) { return SplitOptions{o.num_splits()}; }
OperatorOptions Decode(const wire::PackOptions& o) { return PackOptions{o.values_count(), o.axis()}; }
OperatorOptions Decode(const wire::UnpackOptions& o) { return UnpackOptions{o.num(), o.axis()}; }
OperatorOptions Decode(const wire::GatherOptions& o) { return GatherOptions{o.axis(), o.batch_dims()}; }
OperatorOptions Decode(const wire::BatchMatMulOptions& o) {
  return BatchMatMulOptions{o.adj_x(), o.adj_y(), o.asymmetric_quantize_inputs()};
}
OperatorOptions Decode(const wire::SpaceToDepthOptions& o) { return SpaceToDepthOptions{o.block_size()}; }
OperatorOptions Decode(const wire::DepthToSpaceOptions& o) { return DepthToSpaceOptions{o.block_size()}; }
OperatorOptions Decode(const wire::ResizeNearestNeighborOptions& o) {
  return ResizeNearestNeighborOptions{o.align_corners(), o.half_pixel_centers()};
}
OperatorOptions Decode(const wire::ResizeBilinearOptions& o) {
  return ResizeBilinearOptions{o.align_corners(), o.half_pixel_centers()};
}
OperatorOptions Decode(const wire::MirrorPadOptions& o) {
  return MirrorPadOptions{static_cast<MirrorPadMode>(o.mode())};
}
OperatorOptions Decode(const wire::SqueezeOptions& o) {
  if (o.squeeze_dims() == nullptr) return SqueezeOptions{};
  return SqueezeOptions{{o.squeeze_dims()->data(), o.squeeze_dims()->size()}};
}

// Where an absent table is harmless: what the reference computes with then, namely zeros.
OperatorOptions DefaultOptions(BuiltinOperator code) {
  switch (code) {
    case BuiltinOperator::kFullyConnected:
      return FullyConnectedOptions{};
    case BuiltinOperator::kAdd:
      return AddOptions{Activation::kNone, false};
    case BuiltinOperator::kSub:
      return SubOptions{Activation::kNone, false};
    case BuiltinOperator::kMul:
      return MulOptions{};
    case BuiltinOperator::kDiv:
      return DivOptions{};
    case BuiltinOperator::kL2Normalization:
      return L2NormOptions{};
    case BuiltinOperator::kCumsum:
      return CumsumOptions{};
    case BuiltinOperator::kConcatenation:
      return ConcatenationOptions{};
    case BuiltinOperator::kReshape:
      return ReshapeOptions{};
    case BuiltinOperator::kPad:
      return PadOptions{};
    case BuiltinOperator::kPadv2:
      return PadV2Options{};
    case BuiltinOperator::kQuantize:
      return QuantizeOptions{};
    case BuiltinOperator::kDequantize:
      return DequantizeOptions{};
    case BuiltinOperator::kMean:
    case BuiltinOperator::kSum:
    case BuiltinOperator::kReduceMax:
    case BuiltinOperator::kReduceMin:
    case BuiltinOperator::kReduceProd:
    case BuiltinOperator::kReduceAny:
    case BuiltinOperator::kReduceAll:
      return ReducerOptions{};
    case BuiltinOperator::kStridedSlice:
      return StridedSliceOptions{};
    case BuiltinOperator::kGather:
      return GatherOptions{};
    case BuiltinOperator::kBatchMatmul:
      return BatchMatMulOptions{};
    case BuiltinOperator::kSqueeze:
      return SqueezeOptions{};
    case BuiltinOperator::kResizeNearestNeighbor:
      return ResizeNearestNeighborOptions{};
    case BuiltinOperator::kResizeBilinear:
      return ResizeBilinearOptions{};
    default:
      return std::monostate{};
  }
}

}  // namespace

OperatorOptions DecodeOptions(const void* operator_table, BuiltinOperator code) {
  const auto& table = *static_cast<const wire::Operator*>(operator_table);
  const void* const options = table.builtin_options();
  if (options == nullptr || table.builtin_options_type() == wire::BuiltinOptions::NONE) return DefaultOptions(code);
  switch (table.builtin_options_type()) {
#define ARENAPROOF_DECODE(member)    \
  case wire::BuiltinOptions::member: \
    return Decode(*static_cast<const wire::member*>(options))
    ARENAPROOF_DECODE(FullyConnectedOptions);
    ARENAPROOF_DECODE(Conv2DOptions);
    ARENAPROOF_DECODE(DepthwiseConv2DOptions);
    ARENAPROOF_DECODE(TransposeConvOptions);
    ARENAPROOF_DECODE(Pool2DOptions);
    ARENAPROOF_DECODE(AddOptions);
    ARENAPROOF_DECODE(SubOptions);
    ARENAPROOF_DECODE(MulOptions);
    ARENAPROOF_DECODE(DivOptions);
    ARENAPROOF_DECODE(L2NormOptions);
    ARENAPROOF_DECODE(CumsumOptions);
    ARENAPROOF_DECODE(SoftmaxOptions);
    ARENAPROOF_DECODE(ReshapeOptions);
    ARENAPROOF_DECODE(ConcatenationOptions);
    ARENAPROOF_DECODE(ReducerOptions);
    ARENAPROOF_DECODE(LeakyReluOptions);
    ARENAPROOF_DECODE(StridedSliceOptions);
    ARENAPROOF_DECODE(SVDFOptions);
    ARENAPROOF_DECODE(IfOptions);
    ARENAPROOF_DECODE(WhileOptions);
    ARENAPROOF_DECODE(CallOnceOptions);
    ARENAPROOF_DECODE(VarHandleOptions);
    ARENAPROOF_DECODE(UnidirectionalSequenceLSTMOptions);
    ARENAPROOF_DECODE(SplitOptions);
    ARENAPROOF_DECODE(SplitVOptions);
    ARENAPROOF_DECODE(PackOptions);
    ARENAPROOF_DECODE(UnpackOptions);
    ARENAPROOF_DECODE(GatherOptions);
    ARENAPROOF_DECODE(BatchMatMulOptions);
    ARENAPROOF_DECODE(SpaceToDepthOptions);
    ARENAPROOF_DECODE(DepthToSpaceOptions);
    ARENAPROOF_DECODE(ResizeNearestNeighborOptions);
    ARENAPROOF_DECODE(ResizeBilinearOptions);
    ARENAPROOF_DECODE(MirrorPadOptions);
    ARENAPROOF_DECODE(SqueezeOptions);
#undef ARENAPROOF_DECODE
    case wire::BuiltinOptions::Pad:
      return PadOptions{};
    case wire::BuiltinOptions::PadV2:
      return PadV2Options{};
    case wire::BuiltinOptions::Quantize:
      return QuantizeOptions{};
    case wire::BuiltinOptions::Dequantize:
      return DequantizeOptions{};
    default:
      return OtherOptions{static_cast<std::uint8_t>(table.builtin_options_type())};
  }
}

}  // namespace arenaproof
