#include "engine/oracles/model/options_oracle.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::oracle {
namespace {

// A field is named by its place in the table of the schema.
constexpr flatbuffers::voffset_t PlaceOf(std::size_t field) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * field);
}

// Truth values and enumerations are bytes in a file.
template <typename Value>
using WireType = std::conditional_t<std::is_same_v<Value, bool> || std::is_enum_v<Value>, std::int8_t, Value>;

template <typename Value>
bool IsRead(const flatbuffers::Table& table, std::size_t field, Value found, Value absent) {
  using Wire = WireType<Value>;
  const Wire expected = table.GetField<Wire>(PlaceOf(field), static_cast<Wire>(absent));
  if constexpr (std::is_floating_point_v<Value>) {
    return std::bit_cast<std::uint32_t>(expected) == std::bit_cast<std::uint32_t>(found);  // what is no number too
  } else {
    return found == static_cast<Value>(expected);
  }
}

const char* const kOtherStructure = "the view decodes another structure than the options of ";

class OptionsCheck {
 public:
  OptionsCheck(const void* options, const OperatorOptions& decoded)
      : table_(*static_cast<const flatbuffers::Table*>(options)), decoded_(decoded) {}

  // The structure's members stand in the order of the schema, which has `skipped` fields before them.
  template <typename Options, typename... Values>
  std::string Fields(std::size_t skipped, Values Options::*... members) const {
    const auto* const options = std::get_if<Options>(&decoded_);
    if (options == nullptr) return kOtherStructure;
    std::size_t field = skipped;
    const bool same = (IsRead(table_, field++, options->*members, Options{}.*members) && ...);
    return same ? std::string() : "the view misreads field " + std::to_string(field - 1) + " of the options of ";
  }

  std::string Texts() const {
    const auto* const options = std::get_if<VarHandleOptions>(&decoded_);
    if (options == nullptr) return kOtherStructure;
    return IsText(0, options->container) && IsText(1, options->shared_name) ? "" : "the view misreads the names of ";
  }

  std::string List() const {
    const auto* const options = std::get_if<SqueezeOptions>(&decoded_);
    if (options == nullptr) return kOtherStructure;
    const auto* const list = table_.GetPointer<const flatbuffers::Vector<std::int32_t>*>(PlaceOf(0));
    const bool same = list == nullptr ? options->squeeze_dims.empty()
                                      : options->squeeze_dims.size() == list->size() &&
                                            (list->size() == 0 || options->squeeze_dims.data() == list->data());
    return same ? "" : "the view misreads the list of dimensions of ";
  }

 private:
  bool IsText(std::size_t field, const char* found) const {
    const auto* const text = table_.GetPointer<const flatbuffers::String*>(PlaceOf(field));
    return text == nullptr ? found == nullptr : found == text->c_str();
  }

  const flatbuffers::Table& table_;
  const OperatorOptions& decoded_;
};

}  // namespace

std::string CheckOptions(const wire::Operator& table, const OperatorOptions& decoded) {
  const auto kind = table.builtin_options_type();
  if (table.builtin_options() == nullptr || kind == wire::BuiltinOptions::NONE) return {};
  const OptionsCheck check(table.builtin_options(), decoded);
  switch (kind) {
#define ARENAPROOF_CHECK(kind, structure, ...)                  \
  case wire::BuiltinOptions::kind: {                            \
    using Options = structure;                                  \
    return check.Fields<Options>(0 __VA_OPT__(, ) __VA_ARGS__); \
  }
    ARENAPROOF_CHECK(FullyConnectedOptions, FullyConnectedOptions, &Options::activation, &Options::weights_format,
                     &Options::keep_num_dims, &Options::asymmetric_quantize_inputs, &Options::quantized_bias_type)
    ARENAPROOF_CHECK(Conv2DOptions, Conv2DOptions, &Options::padding, &Options::stride_w, &Options::stride_h,
                     &Options::activation, &Options::dilation_w, &Options::dilation_h, &Options::quantized_bias_type)
    ARENAPROOF_CHECK(DepthwiseConv2DOptions, DepthwiseConv2DOptions, &Options::padding, &Options::stride_w,
                     &Options::stride_h, &Options::depth_multiplier, &Options::activation, &Options::dilation_w,
                     &Options::dilation_h)
    ARENAPROOF_CHECK(TransposeConvOptions, TransposeConvOptions, &Options::padding, &Options::stride_w,
                     &Options::stride_h, &Options::activation, &Options::quantized_bias_type)
    ARENAPROOF_CHECK(Pool2DOptions, Pool2DOptions, &Options::padding, &Options::stride_w, &Options::stride_h,
                     &Options::filter_width, &Options::filter_height, &Options::activation)
    ARENAPROOF_CHECK(AddOptions, AddOptions, &Options::activation, &Options::pot_scale_int16)
    ARENAPROOF_CHECK(SubOptions, SubOptions, &Options::activation, &Options::pot_scale_int16)
    ARENAPROOF_CHECK(MulOptions, MulOptions, &Options::activation)
    ARENAPROOF_CHECK(DivOptions, DivOptions, &Options::activation)
    ARENAPROOF_CHECK(L2NormOptions, L2NormOptions, &Options::activation)
    ARENAPROOF_CHECK(CumsumOptions, CumsumOptions, &Options::exclusive, &Options::reverse)
    ARENAPROOF_CHECK(SoftmaxOptions, SoftmaxOptions, &Options::beta)
    ARENAPROOF_CHECK(ReshapeOptions, ReshapeOptions)
    ARENAPROOF_CHECK(Pad, PadOptions)
    ARENAPROOF_CHECK(PadV2, PadV2Options)
    ARENAPROOF_CHECK(Quantize, QuantizeOptions)
    ARENAPROOF_CHECK(Dequantize, DequantizeOptions)
    ARENAPROOF_CHECK(ConcatenationOptions, ConcatenationOptions, &Options::axis, &Options::activation)
    ARENAPROOF_CHECK(ReducerOptions, ReducerOptions, &Options::keep_dims)
    ARENAPROOF_CHECK(LeakyReluOptions, LeakyReluOptions, &Options::alpha)
    ARENAPROOF_CHECK(StridedSliceOptions, StridedSliceOptions, &Options::begin_mask, &Options::end_mask,
                     &Options::ellipsis_mask, &Options::new_axis_mask, &Options::shrink_axis_mask, &Options::offset)
    ARENAPROOF_CHECK(SVDFOptions, SvdfOptions, &Options::rank, &Options::activation,
                     &Options::asymmetric_quantize_inputs)
    ARENAPROOF_CHECK(IfOptions, IfOptions, &Options::then_subgraph_index, &Options::else_subgraph_index)
    ARENAPROOF_CHECK(WhileOptions, WhileOptions, &Options::cond_subgraph_index, &Options::body_subgraph_index)
    ARENAPROOF_CHECK(CallOnceOptions, CallOnceOptions, &Options::init_subgraph_index)
    ARENAPROOF_CHECK(UnidirectionalSequenceLSTMOptions, UnidirectionalSequenceLstmOptions, &Options::activation,
                     &Options::cell_clip, &Options::proj_clip, &Options::time_major,
                     &Options::asymmetric_quantize_inputs, &Options::diagonal_recurrent_tensors)
    ARENAPROOF_CHECK(SplitOptions, SplitOptions, &Options::num_splits)
    ARENAPROOF_CHECK(SplitVOptions, SplitOptions, &Options::num_splits)
    ARENAPROOF_CHECK(PackOptions, PackOptions, &Options::values_count, &Options::axis)
    ARENAPROOF_CHECK(UnpackOptions, UnpackOptions, &Options::num, &Options::axis)
    ARENAPROOF_CHECK(GatherOptions, GatherOptions, &Options::axis, &Options::batch_dims)
    ARENAPROOF_CHECK(BatchMatMulOptions, BatchMatMulOptions, &Options::adj_x, &Options::adj_y,
                     &Options::asymmetric_quantize_inputs)
    ARENAPROOF_CHECK(SpaceToDepthOptions, SpaceToDepthOptions, &Options::block_size)
    ARENAPROOF_CHECK(DepthToSpaceOptions, DepthToSpaceOptions, &Options::block_size)
    ARENAPROOF_CHECK(ResizeNearestNeighborOptions, ResizeNearestNeighborOptions, &Options::align_corners,
                     &Options::half_pixel_centers)
    ARENAPROOF_CHECK(MirrorPadOptions, MirrorPadOptions, &Options::mode)
#undef ARENAPROOF_CHECK
    case wire::BuiltinOptions::ResizeBilinearOptions:  // a height and a width of earlier days stand before them
      return check.Fields<ResizeBilinearOptions>(2, &ResizeBilinearOptions::align_corners,
                                                 &ResizeBilinearOptions::half_pixel_centers);
    case wire::BuiltinOptions::VarHandleOptions:
      return check.Texts();
    case wire::BuiltinOptions::SqueezeOptions:
      return check.List();
    default: {
      const auto* const other = std::get_if<OtherOptions>(&decoded);
      return other != nullptr && other->union_type == static_cast<std::uint8_t>(kind) ? "" : kOtherStructure;
    }
  }
}

}  // namespace arenaproof::oracle
ARENAPROOF_UNGUIDED_END
