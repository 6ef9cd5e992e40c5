#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;
using enum ValueRule;

// Columns of types: 0 data, 1 whole numbers.
constexpr OperandRow kData = {.name = "input", .least_rank = 1};
constexpr OperandRow kScaled = {.name = "input", .least_rank = 1, .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kScaledOut = {.name = "output", .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kSumOut = {.name = "output", .quantization = kByOperator, .wide_quantization = kByOperator};
constexpr OperandRow kOut = {.name = "output"};
constexpr OperandRow kAlike = {.name = "input", .least_rank = 1, .quantization = kAsFirst};
constexpr OperandRow kAlikeOut = {.name = "output", .quantization = kAsFirst};
constexpr OperandRow kIndexOut = {.name = "output", .type_column = 1};

// A list, or one number.
constexpr OperandRow kConstantAxes = {
    .name = "axes", .type_column = 1, .source = Source::kConstant, .most_rank = 1, .values = kByShapeRule};
constexpr OperandRow kAxes = {.name = "axes", .type_column = 1, .most_rank = 1, .values = kByShapeRule};
constexpr OperandRow kAxis = {.name = "axis", .type_column = 1, .most_rank = 1, .values = kByShapeRule};
constexpr OperandRow kIndices = {.name = "indices", .type_column = 1, .values = kByShapeRule};
constexpr OperandRow kRowsOfIndices = {.name = "indices", .type_column = 1, .least_rank = 1, .values = kByShapeRule};

constexpr OperandRow kSumInputs[] = {kScaled, kConstantAxes};
constexpr OperandRow kMeanOutputs[] = {kScaledOut};
constexpr OperandRow kSumOutputs[] = {kSumOut};
constexpr OperandRow kExtremeInputs[] = {kAlike, kAxes};
constexpr OperandRow kExtremeOutputs[] = {kAlikeOut};
constexpr OperandRow kAllInputs[] = {kData, kAxes};
constexpr OperandRow kAllOutputs[] = {kOut};
constexpr OperandRow kArgInputs[] = {kData, kAxis};
constexpr OperandRow kArgOutputs[] = {kIndexOut};
constexpr OperandRow kCumsumInputs[] = {kScaled, kAxis};
constexpr OperandRow kGatherInputs[] = {kData, kIndices};
constexpr OperandRow kGatherNdInputs[] = {kData, kRowsOfIndices};
constexpr OperandRow kLookupInputs[] = {
    {.name = "lookup", .type_column = 1, .least_rank = 1, .most_rank = 1, .values = kByShapeRule},
    {.name = "value", .least_rank = 2, .quantization = QuantizationRule::kSymmetricIfConverted}};
constexpr OperandRow kLookupOutputs[] = {{.name = "output", .type_column = 2, .least_rank = 2}};

constexpr TypeTuple kSums[] = {{kFloat32, kInt32}, {kInt8, kInt32}, {kInt16, kInt32}};
constexpr TypeTuple kFloatOrInt8[] = {{kFloat32, kInt32}, {kInt8, kInt32}};
constexpr TypeTuple kLogical[] = {{kBool, kInt32}};
constexpr TypeTuple kLookups[] = {{kFloat32, kInt32, kFloat32}, {kInt8, kInt32, kInt8}, {kInt8, kInt32, kFloat32}};

constexpr OptionRow kReducer[] = {Unread(Option<&ReducerOptions::keep_dims>("keep dims", 0, 1))};
constexpr OptionRow kCumsum[] = {Option<&CumsumOptions::exclusive>("exclusive", 0, 1),
                                 Option<&CumsumOptions::reverse>("reverse", 0, 1)};
constexpr OptionRow kGather[] = {Option<&GatherOptions::axis>("axis", -6, 5, true),
                                 Option<&GatherOptions::batch_dims>("batch dims", -6, 5, true)};

constexpr const char* kSumLimits =
    "axes may repeat, a negative one counts from the end; up to 4 of them for float32; up to 8388607 elements of int8 "
    "and 32767 of int16 in a sum";
constexpr const char* kSumDeviation = "more than 4 axes of float32 are refused: they overrun a table of the reference";
constexpr const char* kAxesLimits = "axes may repeat, a negative one counts from the end, and may be computed";
constexpr const char* kAxesDeviation =
    "an output whose shape is not the input's without the axes is refused, when the operator runs if the axes are "
    "computed";
constexpr const char* kArgLimits = "a negative axis counts from the rank; option output_type is not read";
constexpr const char* kGatherLimits =
    "a negative axis counts from the data's rank, negative batch dims from the indices' rank; batch dims are not "
    "above the axis";
constexpr const char* kIndexDeviation =
    "an output of another shape is refused, and every index is checked when the operator runs";

constexpr OperatorRow kRows[] = {
    {.code = BuiltinOperator::kMean,
     .shape = ShapeRule::kReduction,
     .inputs = kSumInputs,
     .outputs = kMeanOutputs,
     .types = kSums,
     .default_options = ReducerOptions{},
     .options = kReducer,
     .limits = kSumLimits,
     .deviation = kSumDeviation},
    {.code = BuiltinOperator::kSum,
     .shape = ShapeRule::kReduction,
     .inputs = kSumInputs,
     .outputs = kSumOutputs,
     .types = kSums,
     .default_options = ReducerOptions{},
     .options = kReducer,
     .limits = kSumLimits,
     .deviation = kSumDeviation},
    {.code = BuiltinOperator::kReduceMax,
     .shape = ShapeRule::kReduction,
     .inputs = kExtremeInputs,
     .outputs = kExtremeOutputs,
     .types = kFloatOrInt8,
     .default_options = ReducerOptions{},
     .options = kReducer,
     .limits = kAxesLimits,
     .deviation = kAxesDeviation},
    {.code = BuiltinOperator::kReduceMin,
     .shape = ShapeRule::kReduction,
     .inputs = kExtremeInputs,
     .outputs = kExtremeOutputs,
     .types = kFloatOrInt8,
     .default_options = ReducerOptions{},
     .options = kReducer,
     .limits = kAxesLimits,
     .deviation = kAxesDeviation},
    {.code = BuiltinOperator::kReduceAll,
     .shape = ShapeRule::kReduction,
     .inputs = kAllInputs,
     .outputs = kAllOutputs,
     .types = kLogical,
     .default_options = ReducerOptions{},
     .options = kReducer,
     .limits = kAxesLimits,
     .deviation = kAxesDeviation},
    {.code = BuiltinOperator::kArgMax,
     .shape = ShapeRule::kArgMax,
     .inputs = kArgInputs,
     .outputs = kArgOutputs,
     .types = kFloatOrInt8,
     .limits = kArgLimits,
     .deviation = kAxesDeviation},
    {.code = BuiltinOperator::kArgMin,
     .shape = ShapeRule::kArgMax,
     .inputs = kArgInputs,
     .outputs = kArgOutputs,
     .types = kFloatOrInt8,
     .limits = kArgLimits,
     .deviation = kAxesDeviation},
    {.code = BuiltinOperator::kCumsum,
     .shape = ShapeRule::kCumsum,
     .inputs = kCumsumInputs,
     .outputs = kMeanOutputs,
     .types = kFloatOrInt8,
     .default_options = CumsumOptions{},
     .options = kCumsum,
     .limits = "the axis is one number, may be computed, and counts from the end when negative; int8: twice the "
               "input's scale is below 2^20 times the output's",
     .deviation = "sums of int8 that leave 32 bits saturate; the reference overflows"},
    {.code = BuiltinOperator::kGather,
     .shape = ShapeRule::kGather,
     .inputs = kGatherInputs,
     .outputs = kAllOutputs,
     .types = kFloatOrInt8,
     .default_options = GatherOptions{},
     .options = kGather,
     .limits = kGatherLimits,
     .deviation = kIndexDeviation},
    {.code = BuiltinOperator::kGatherNd,
     .shape = ShapeRule::kGatherNd,
     .inputs = kGatherNdInputs,
     .outputs = kAllOutputs,
     .types = kFloatOrInt8,
     .limits = "the last dimension of the indices is up to 5 and not above the data's rank",
     .deviation = kIndexDeviation},
    {.code = BuiltinOperator::kEmbeddingLookup,
     .shape = ShapeRule::kEmbeddingLookup,
     .inputs = kLookupInputs,
     .outputs = kLookupOutputs,
     .types = kLookups,
     .limits =
         "int8 values become float32 by one scale, with zero point 0; int8 results are copies whatever the scales",
     .deviation = kIndexDeviation},
};

}  // namespace

std::span<const OperatorRow> ReductionRows() { return kRows; }

}  // namespace arenaproof
