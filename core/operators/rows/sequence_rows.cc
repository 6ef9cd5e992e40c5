#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;

// Along the last axis.
constexpr OperandRow kRowInput[] = {{.name = "input",
                                     .least_rank = 1,
                                     .quantization = kFree,
                                     .wide_quantization = kFree,
                                     .least_scale = 0.0001f,
                                     .most_scale = 1.0f}};
constexpr OperandRow kShares[] = {
    {.name = "output", .type_column = 1, .least_rank = 1, .quantization = kUnit8, .wide_quantization = kUnit8}};
constexpr OperandRow kLogarithms[] = {{.name = "output", .least_rank = 1, .quantization = kLogarithm}};
constexpr OperandRow kNormalizedInput[] = {{.name = "input", .least_rank = 1, .most_rank = 4, .quantization = kFree}};
constexpr OperandRow kNormalized[] = {{.name = "output",
                                       .least_rank = 1,
                                       .most_rank = 4,
                                       .quantization = kSymmetric,
                                       .least_scale = 1.0f / 128.0f,
                                       .most_scale = 1.0f / 128.0f}};

// Columns: 0 data, 1 what lasts, 2 bias.
constexpr OperandRow kSvdfInputs[] = {
    {.name = "input", .least_rank = 2, .most_rank = 2, .quantization = kFree},
    {.name = "feature weights", .least_rank = 2, .most_rank = 2, .quantization = kSymmetric},
    {.name = "time weights",
     .type_column = 1,
     .least_rank = 2,
     .most_rank = 2,
     .quantization = kSymmetric,
     .wide_quantization = kSymmetric},
    {.name = "bias",
     .type_column = 2,
     .presence = Presence::kOptional,
     .least_rank = 1,
     .most_rank = 1,
     .quantization = kByOperator},
    {.name = "state",
     .type_column = 1,
     .source = Source::kVariable,
     .least_rank = 2,
     .most_rank = 2,
     .quantization = kFree,
     .wide_quantization = kFree}};
constexpr OperandRow kSvdfOutputs[] = {{.name = "output", .least_rank = 2, .most_rank = 2, .quantization = kFree}};

constexpr TypeTuple kSvdfTypes[] = {{kFloat32, kFloat32, kFloat32}, {kInt8, kInt8, kInt32}, {kInt8, kInt16, kInt32}};
constexpr TypeTuple kShareTypes[] = {{kFloat32, kFloat32}, {kInt8, kInt8}, {kInt8, kInt16}, {kInt16, kInt16}};
constexpr TypeTuple kFloatAndInt8[] = {{kFloat32}, {kInt8}};

constexpr LongestRow kShareRows[] = {{kInt8, 8191}, {kInt16, 65538}};
constexpr LongestRow kLogarithmRows[] = {{kInt8, 4095}};
constexpr LongestRow kNormalizedRows[] = {{kInt8, 33025}};

constexpr OptionRow kSoftmax[] = {OfMore(Option<&SoftmaxOptions::beta>("beta in millionths", 1000, 4 * kMillionths))};
constexpr OptionRow kSvdf[] = {Option<&SvdfOptions::rank>("rank", 1, 3, true),
                               ActivationOption<&SvdfOptions::activation>()};
constexpr OptionRow kL2Norm[] = {Option<&L2NormOptions::activation>("fused activation", 0, 0)};

constexpr OperatorRow kRows[] = {
    {.code = BuiltinOperator::kSoftmax,
     .shape = ShapeRule::kLastAxis,
     .inputs = kRowInput,
     .outputs = kShares,
     .types = kShareTypes,
     .default_options = SoftmaxOptions{},
     .options = kSoftmax,
     .longest_rows = kShareRows,
     .limits =
         "any finite beta for float32; int8: beta times the input's scale is above 2^-26; int16: below 5, and the "
         "output's scale is within a thousandth of 2^-15"},
    {.code = BuiltinOperator::kLogSoftmax,
     .shape = ShapeRule::kLastAxis,
     .inputs = kRowInput,
     .outputs = kLogarithms,
     .types = kFloatAndInt8,
     .longest_rows = kLogarithmRows,
     .limits = "int8: the input's scale is above 2^-26",
     .deviation = "rows of int8 that are longer are refused: their sum leaves 32 bits"},
    {.code = BuiltinOperator::kL2Normalization,
     .shape = ShapeRule::kLastAxis,
     .inputs = kNormalizedInput,
     .outputs = kNormalized,
     .types = kFloatAndInt8,
     .default_options = L2NormOptions{},
     .options = kL2Norm,
     .longest_rows = kNormalizedRows,
     .deviation = "an int8 output of another scale or zero point is refused, and so are rows whose squares leave 32 "
                  "bits"},
    {.code = BuiltinOperator::kSvdf,
     .shape = ShapeRule::kSvdf,
     .inputs = kSvdfInputs,
     .outputs = kSvdfOutputs,
     .types = kSvdfTypes,
     .default_options = SvdfOptions{},
     .options = kSvdf,
     .limits = "the rank divides the filters; int8: the bias's scale is within 1e-5 of the state's times that of the "
               "time weights, up to 65793 inputs, and the activation is not read",
     .deviation = "an absent bias is zeros; the reference dereferences it"},
};

}  // namespace

std::span<const OperatorRow> SequenceRows() { return kRows; }

}  // namespace arenaproof
