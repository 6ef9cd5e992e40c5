#include <array>
#include <limits>

#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;

constexpr std::int64_t kMostStep = std::numeric_limits<std::int32_t>::max();

// ---- sums of products of activations and weights: input, filter, bias

constexpr TypeTuple kWeighted[] = {{kFloat32, kFloat32, kFloat32},
                                   {kInt8, kInt8, kInt32},
                                   {kInt8, kInt4, kInt32},
                                   {kInt16, kInt8, kInt64},
                                   {kInt16, kInt8, kInt32}};
constexpr TypeTuple kWideWeighted[] = {
    {kFloat32, kFloat32, kFloat32}, {kInt8, kInt8, kInt32}, {kInt8, kInt4, kInt32}, {kInt16, kInt8, kInt64}};
// And the output's shape.
constexpr TypeTuple kSpread[] = {{kFloat32, kFloat32, kFloat32, kInt32},
                                 {kInt8, kInt8, kInt32, kInt32},
                                 {kInt16, kInt8, kInt64, kInt32},
                                 {kInt16, kInt8, kInt16, kInt32}};

consteval OperandRow ImageOf(const char* name) {
  return {.name = name, .least_rank = 4, .most_rank = 4, .quantization = kFree, .wide_quantization = kSymmetric};
}

consteval OperandRow FilterOf(std::uint8_t rank, std::uint8_t channel_axis) {
  return {.name = "filter",
          .type_column = 1,
          .least_rank = rank,
          .most_rank = rank,
          .quantization = kChannels,
          .channel_axis = channel_axis,
          .least_scale = 0.005f,
          .most_scale = 0.03f,
          .int4_source = Source::kConstant};
}

consteval OperandRow BiasOf(QuantizationRule rule, bool quantization_in_limits = false) {
  return {.name = "bias",
          .type_column = 2,
          .presence = Presence::kOptional,
          .quantization = rule,
          .wide_quantization = kSymmetric,
          .values = ValueRule::kByShapeRule,
          .quantization_read = QuantizationRead::kNothing,
          .wide_quantization_read = QuantizationRead::kNothing,
          .quantization_in_limits = quantization_in_limits};
}

constexpr OperandRow kConvolutionInputs[] = {ImageOf("input"), FilterOf(4, 0), BiasOf(kProduct)};
constexpr OperandRow kDepthwiseInputs[] = {ImageOf("input"), FilterOf(4, 3), BiasOf(kProduct)};
constexpr OperandRow kSpreadInputs[] = {
    {.name = "output shape", .type_column = 3, .values = ValueRule::kByShapeRule, .read = false},
    FilterOf(4, 0),
    ImageOf("input"),
    BiasOf(kNone),
};
constexpr OperandRow kImage[] = {ImageOf("output")};

constexpr OperandRow kDenseInputs[] = {
    {.name = "input", .quantization = kFree, .wide_quantization = kFree}, FilterOf(2, 0), BiasOf(kProduct, true)};
constexpr OperandRow kDenseOutput[] = {
    {.name = "output", .least_rank = 1, .quantization = kFree, .wide_quantization = kFree}};

template <typename Options>
constexpr auto kStrides = std::array{Option<&Options::padding>("padding", 0, 1, true),
                                     Option<&Options::stride_w>("stride width", 1, kMostStep, true),
                                     Option<&Options::stride_h>("stride height", 1, kMostStep, true)};
template <typename Options>
constexpr auto kDilations = std::array{Option<&Options::dilation_w>("dilation width", 1, kMostStep, true),
                                       Option<&Options::dilation_h>("dilation height", 1, kMostStep, true)};

constexpr OptionRow kConvolutionOptions[] = {
    kStrides<Conv2DOptions>[0],   kStrides<Conv2DOptions>[1],   kStrides<Conv2DOptions>[2],
    kDilations<Conv2DOptions>[0], kDilations<Conv2DOptions>[1], ActivationOption<&Conv2DOptions::activation>()};
constexpr OptionRow kDepthwiseOptions[] = {
    kStrides<DepthwiseConv2DOptions>[0],
    kStrides<DepthwiseConv2DOptions>[1],
    kStrides<DepthwiseConv2DOptions>[2],
    kDilations<DepthwiseConv2DOptions>[0],
    kDilations<DepthwiseConv2DOptions>[1],
    Option<&DepthwiseConv2DOptions::depth_multiplier>("depth multiplier", 1, kMostStep, true),
    ActivationOption<&DepthwiseConv2DOptions::activation>()};
constexpr OptionRow kSpreadOptions[] = {kStrides<TransposeConvOptions>[0], kStrides<TransposeConvOptions>[1],
                                        kStrides<TransposeConvOptions>[2],
                                        ActivationOption<&TransposeConvOptions::activation>()};
constexpr OptionRow kDenseOptions[] = {Option<&FullyConnectedOptions::weights_format>("weights format", 0, 0),
                                       ActivationOption<&FullyConnectedOptions::activation>()};

// ---- windows without weights

constexpr TypeTuple kPooled[] = {{kFloat32}, {kInt8}, {kInt16}};
constexpr TypeTuple kFloatsOnly[] = {{kFloat32}};

consteval OperandRow PooledOf(const char* name, QuantizationRule rule, QuantizationRead read) {
  return {.name = name,
          .least_rank = 4,
          .most_rank = 4,
          .quantization = rule,
          .wide_quantization = rule,
          .quantization_read = read,
          .wide_quantization_read = read};
}
constexpr OperandRow kPoolInput[] = {PooledOf("input", kFree, QuantizationRead::kAll)};
constexpr OperandRow kPoolOutput[] = {PooledOf("output", kAsFirst, QuantizationRead::kNearly)};
constexpr OptionRow kPoolOptions[] = {kStrides<Pool2DOptions>[0],
                                      kStrides<Pool2DOptions>[1],
                                      kStrides<Pool2DOptions>[2],
                                      Option<&Pool2DOptions::filter_width>("filter width", 1, kMostStep, true),
                                      Option<&Pool2DOptions::filter_height>("filter height", 1, kMostStep, true),
                                      ActivationOption<&Pool2DOptions::activation>()};

// ---- matrices

consteval OperandRow MatricesOf(const char* name) {
  return {.name = name, .least_rank = 2, .most_rank = 5, .quantization = kFree, .wide_quantization = kSymmetric};
}
constexpr OperandRow kMatrices[] = {MatricesOf("first"), MatricesOf("second")};
constexpr OperandRow kMatrixProducts[] = {MatricesOf("output")};
constexpr OptionRow kMatrixOptions[] = {Option<&BatchMatMulOptions::adj_x>("adjoint first", 0, 1),
                                        Option<&BatchMatMulOptions::adj_y>("adjoint second", 0, 1)};

// ---- images of another size

constexpr TypeTuple kNearestTypes[] = {{kFloat32, kInt32}, {kInt8, kInt32}, {kInt16, kInt32}};
constexpr TypeTuple kBilinearTypes[] = {{kFloat32, kInt32}, {kInt8, kInt32}};
constexpr OperandRow kResizeInputs[] = {{.name = "input", .least_rank = 4, .most_rank = 4},
                                        {.name = "size",
                                         .type_column = 1,
                                         .source = Source::kConstant,
                                         .least_rank = 1,
                                         .most_rank = 1,
                                         .values = ValueRule::kByShapeRule}};
constexpr OperandRow kResizeOutput[] = {{.name = "output", .least_rank = 4, .most_rank = 4}};
constexpr OptionRow kNearestOptions[] = {
    Option<&ResizeNearestNeighborOptions::align_corners>("align corners", 0, 1),
    Option<&ResizeNearestNeighborOptions::half_pixel_centers>("half-pixel centers", 0, 1)};
constexpr OptionRow kBilinearOptions[] = {
    Option<&ResizeBilinearOptions::align_corners>("align corners", 0, 1),
    Option<&ResizeBilinearOptions::half_pixel_centers>("half-pixel centers", 0, 1, true)};

constexpr const char* kWindowLimits =
    "The output's height and width are what padding, stride, filter and dilation make of the input's. With padding "
    "VALID no window is wider than the input.";
constexpr const char* kWindowDeviation =
    "A stride, dilation or filter below 1 and a window wider than the input are refused; the reference goes on without "
    "padding.";
constexpr const char* kPoolLimits =
    "Scales of input and output may differ by 1e-6. The output's height and width are what padding, stride and filter "
    "make of the input's.";

constexpr OperatorRow kWindowRows[] = {
    {.code = BuiltinOperator::kConv2d,
     .shape = ShapeRule::kConvolution,
     .inputs = kConvolutionInputs,
     .outputs = kImage,
     .types = kWeighted,
     .default_options = Conv2DOptions{.stride_w = 1, .stride_h = 1},
     .options = kConvolutionOptions,
     .limits = kWindowLimits,
     .deviation = kWindowDeviation},
    {.code = BuiltinOperator::kDepthwiseConv2d,
     .shape = ShapeRule::kDepthwise,
     .inputs = kDepthwiseInputs,
     .outputs = kImage,
     .types = kWideWeighted,
     .default_options = DepthwiseConv2DOptions{.stride_w = 1, .stride_h = 1, .depth_multiplier = 1},
     .options = kDepthwiseOptions,
     .limits = kWindowLimits,
     .deviation = "A depth multiplier that is not the ratio of the channels is refused. The bias may be left out."},
    {.code = BuiltinOperator::kTransposeConv,
     .shape = ShapeRule::kTransposeConvolution,
     .inputs = kSpreadInputs,
     .outputs = kImage,
     .types = kSpread,
     .default_options = TransposeConvOptions{.stride_w = 1, .stride_h = 1},
     .options = kSpreadOptions,
     .limits = "The first input is not read. With padding VALID the filter is no wider than the output.",
     .deviation = kWindowDeviation},
    {.code = BuiltinOperator::kFullyConnected,
     .shape = ShapeRule::kFullyConnected,
     .inputs = kDenseInputs,
     .outputs = kDenseOutput,
     .types = kWeighted,
     .default_options = FullyConnectedOptions{},
     .options = kDenseOptions,
     .limits =
         "Weights of int4 have one scale. Where the filter has one scale, that of the bias, or 0 when it has none, "
         "is the product of the input's and the filter's within 2 % of the output's; else it is not read. The output "
         "may use fewer rows of the filter than there are.",
     .deviation = "Input, filter, bias and output have to fit each other; the reference checks that in debug builds."},
    {.code = BuiltinOperator::kBatchMatmul,
     .shape = ShapeRule::kBatchMatMul,
     .inputs = kMatrices,
     .outputs = kMatrixProducts,
     .types = kPooled,
     .default_options = BatchMatMulOptions{},
     .options = kMatrixOptions,
     .limits = "Leading dimensions are broadcast."},
    {.code = BuiltinOperator::kAveragePool2d,
     .shape = ShapeRule::kPool,
     .inputs = kPoolInput,
     .outputs = kPoolOutput,
     .types = kPooled,
     .default_options = Pool2DOptions{.stride_w = 1, .stride_h = 1, .filter_width = 1, .filter_height = 1},
     .options = kPoolOptions,
     .limits = kPoolLimits,
     .deviation = kWindowDeviation},
    {.code = BuiltinOperator::kMaxPool2d,
     .shape = ShapeRule::kPool,
     .inputs = kPoolInput,
     .outputs = kPoolOutput,
     .types = kPooled,
     .default_options = Pool2DOptions{.stride_w = 1, .stride_h = 1, .filter_width = 1, .filter_height = 1},
     .options = kPoolOptions,
     .limits = kPoolLimits,
     .deviation = kWindowDeviation},
    {.code = BuiltinOperator::kL2Pool2d,
     .shape = ShapeRule::kPool,
     .inputs = kPoolInput,
     .outputs = kPoolOutput,
     .types = kFloatsOnly,
     .default_options = Pool2DOptions{.stride_w = 1, .stride_h = 1, .filter_width = 1, .filter_height = 1},
     .options = kPoolOptions,
     .deviation = "An output of another shape is refused; the reference writes behind it."},
    {.code = BuiltinOperator::kResizeNearestNeighbor,
     .shape = ShapeRule::kResize,
     .inputs = kResizeInputs,
     .outputs = kResizeOutput,
     .types = kNearestTypes,
     .default_options = ResizeNearestNeighborOptions{},
     .options = kNearestOptions},
    {.code = BuiltinOperator::kResizeBilinear,
     .shape = ShapeRule::kResize,
     .inputs = kResizeInputs,
     .outputs = kResizeOutput,
     .types = kBilinearTypes,
     .default_options = ResizeBilinearOptions{},
     .options = kBilinearOptions,
     .limits = "Aligned corners and half-pixel centers exclude each other.",
     .deviation = "Sizes of int8 images whose rounded steps lead behind the last pixel (1 to 55, 2 to 65, 3 to 89 are "
                  "the first) are refused; the reference reads there."},
};

}  // namespace

std::span<const OperatorRow> WindowRows() { return kWindowRows; }

}  // namespace arenaproof
