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
                                     .least_scale = 0.001f,
                                     .most_scale = 16.0f,
                                     .wide_factor = 1.0f / 16.0f}};
constexpr OperandRow kLogarithmInput[] = {
    {.name = "input", .least_rank = 1, .quantization = kFree, .least_scale = 0.001f, .most_scale = 64.0f}};
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
    {.name = "bias", .type_column = 2, .presence = Presence::kOptional, .quantization = kByOperator},
    {.name = "state",
     .type_column = 1,
     .source = Source::kVariable,
     .least_rank = 2,
     .most_rank = 2,
     .quantization = kFree,
     .wide_quantization = kFree}};
constexpr OperandRow kSvdfOutputs[] = {{.name = "output", .least_rank = 2, .most_rank = 2, .quantization = kFree}};

// Columns: 0 data, 1 weights, 2 biases, 3 cell state.
consteval OperandRow LstmWeights(const char* name) {
  return {.name = name, .type_column = 1, .least_rank = 2, .most_rank = 2, .quantization = kByOperator};
}
consteval OperandRow LstmBias(const char* name) { return {.name = name, .type_column = 2}; }
consteval OperandRow LeftOut(const char* name) { return {.name = name, .presence = Presence::kForbidden}; }
consteval OperandRow LstmState(const char* name, std::uint8_t column) {
  return {.name = name,
          .type_column = column,
          .source = Source::kVariable,
          .least_rank = 2,
          .most_rank = 2,
          .quantization = kByOperator,
          .wide_quantization = kByOperator};
}
constexpr OperandRow kLstmInputs[] = {
    {.name = "input", .least_rank = 3, .most_rank = 3, .quantization = kFree, .wide_quantization = kFree},
    LstmWeights("input to input gate"),
    LstmWeights("input to forget gate"),
    LstmWeights("input to cell gate"),
    LstmWeights("input to output gate"),
    LstmWeights("hidden state to input gate"),
    LstmWeights("hidden state to forget gate"),
    LstmWeights("hidden state to cell gate"),
    LstmWeights("hidden state to output gate"),
    LeftOut("cell to input gate"),
    LeftOut("cell to forget gate"),
    LeftOut("cell to output gate"),
    LstmBias("input gate bias"),
    LstmBias("forget gate bias"),
    LstmBias("cell gate bias"),
    LstmBias("output gate bias"),
    LeftOut("projection weights"),
    LeftOut("projection bias"),
    LstmState("hidden state", 0),
    LstmState("cell state", 3),
    LeftOut("input layer norm"),
    LeftOut("forget layer norm"),
    LeftOut("cell layer norm"),
    LeftOut("output layer norm")};
constexpr OperandRow kLstmOutputs[] = {{.name = "output", .least_rank = 3, .most_rank = 3}};

constexpr TypeTuple kLstmTypes[] = {
    {kFloat32, kFloat32, kFloat32, kFloat32}, {kInt8, kInt8, kInt32, kInt16}, {kInt16, kInt8, kInt64, kInt16}};
constexpr TypeTuple kSvdfTypes[] = {{kFloat32, kFloat32, kFloat32}, {kInt8, kInt8, kInt32}, {kInt8, kInt16, kInt32}};
constexpr TypeTuple kShareTypes[] = {{kFloat32, kFloat32}, {kInt8, kInt8}, {kInt8, kInt16}, {kInt16, kInt16}};
constexpr TypeTuple kFloatAndInt8[] = {{kFloat32}, {kInt8}};

constexpr LongestRow kShareRows[] = {{kInt8, 8191}, {kInt16, 65538}};
constexpr LongestRow kLogarithmRows[] = {{kInt8, 4095}};
constexpr LongestRow kNormalizedRows[] = {{kInt8, 33025}};

constexpr OptionRow kSoftmax[] = {OfMore(Option<&SoftmaxOptions::beta>("beta in millionths", 1000, 4 * kMillionths))};
constexpr OptionRow kSvdf[] = {OfMore(Option<&SvdfOptions::rank>("rank", 1, 3, true)),
                               OfMore(ActivationOption<&SvdfOptions::activation>())};
using LstmOptions = UnidirectionalSequenceLstmOptions;
constexpr OptionRow kLstm[] = {
    Option<&LstmOptions::activation>("activation: TANH", 4, 4),
    OfMore(Option<&LstmOptions::cell_clip>("cell clip in millionths", 0, 1'000'000'000, true)),
    Option<&LstmOptions::time_major>("time major", 0, 1)};
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
     .limits = "beta is finite; int8: beta times the input's scale is above 2^-26; int16: below 5, and the "
               "output's scale is within a thousandth of 2^-15"},
    {.code = BuiltinOperator::kLogSoftmax,
     .shape = ShapeRule::kLastAxis,
     .inputs = kLogarithmInput,
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
     .limits = "the rank divides the filters; float32: an activation up to 3; int8: the bias's scale is within 1e-5 of "
               "the state's times that of the time weights, up to 65793 inputs, and the activation is not read",
     .deviation = "an absent bias is zeros; the reference dereferences it"},
    {.code = BuiltinOperator::kUnidirectionalSequenceLstm,
     .shape = ShapeRule::kLstm,
     .inputs = kLstmInputs,
     .outputs = kLstmOutputs,
     .types = kLstmTypes,
     .default_options = LstmOptions{.activation = Activation::kTanh},
     .options = kLstm,
     .limits =
         "weights have one scale and zero point 0, the cell state zero point 0 and a scale from 2^-43 to 2^2; "
         "intermediates and the output's quantisation are not read; any cell clip, of which one that is not above 0 is "
         "none"},
};

}  // namespace

std::span<const OperatorRow> SequenceRows() { return kRows; }

}  // namespace arenaproof
