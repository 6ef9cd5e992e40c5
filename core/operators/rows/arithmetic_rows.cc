#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;

// Of one type and any quantisation.
consteval OperandRow Rescaled(const char* name, ValueRule values = ValueRule::kAny) {
  return {.name = name, .quantization = kFree, .wide_quantization = kFree, .values = values};
}
// int16 with zero points of 0 only.
consteval OperandRow RescaledSymmetric(const char* name) {
  return {.name = name, .quantization = kFree, .wide_quantization = kSymmetric};
}
// Raw values.
consteval OperandRow Raw(const char* name, std::uint8_t type_column = 0, ValueRule values = ValueRule::kAny) {
  return {.name = name, .type_column = type_column, .values = values};
}

constexpr OperandRow kTerms[] = {Rescaled("first"), Rescaled("second")};
constexpr OperandRow kResult[] = {Rescaled("output")};
constexpr OperandRow kSymmetricTerms[] = {RescaledSymmetric("first"), RescaledSymmetric("second")};
constexpr OperandRow kSymmetricResult[] = {RescaledSymmetric("output")};
constexpr OperandRow kFraction[] = {Rescaled("dividend"), Rescaled("divisor", ValueRule::kNotZero)};
constexpr OperandRow kPlainFraction[] = {Raw("dividend"), Raw("divisor", 0, ValueRule::kNotZero)};
constexpr OperandRow kModulus[] = {Raw("dividend"), Raw("divisor")};
constexpr OperandRow kRawTerms[] = {Raw("first"), Raw("second")};
constexpr OperandRow kRawResult[] = {Raw("output")};
constexpr OperandRow kTruth[] = {Raw("output", 1)};
constexpr OperandRow kChoice[] = {Raw("condition", 1), Raw("when true"), Raw("when false")};
constexpr OperandRow kPreluInputs[] = {Rescaled("input"), {.name = "alpha", .type_column = 1, .quantization = kFree}};
constexpr OperandRow kSummands[] = {Rescaled("first"),
                                    {.name = "more", .presence = Presence::kRepeated, .quantization = kAsFirst}};
constexpr OperandRow kSumOfAll[] = {
    {.name = "output", .quantization = kFree, .least_scale = 0.05f, .most_scale = 1.0f}};

constexpr TypeTuple kFloat[] = {{kFloat32}};
constexpr TypeTuple kBools[] = {{kBool}};
constexpr TypeTuple kFloatAndInt8[] = {{kFloat32}, {kInt8}};
constexpr TypeTuple kFloatAndIntegers[] = {{kFloat32}, {kInt8}, {kInt16}, {kInt32}};
constexpr TypeTuple kDivided[] = {{kFloat32}, {kInt8}, {kInt32}};
constexpr TypeTuple kOrdered[] = {{kFloat32}, {kInt8}, {kInt16}, {kInt32}, {kInt64}};
constexpr TypeTuple kCompared[] = {{kFloat32, kBool}, {kInt8, kBool}, {kInt32, kBool}, {kInt64, kBool}};
constexpr TypeTuple kEquated[] = {{kFloat32, kBool}, {kInt8, kBool}, {kInt32, kBool}, {kInt64, kBool}, {kBool, kBool}};
constexpr TypeTuple kSelected[] = {{kFloat32, kBool}, {kInt8, kBool}, {kInt16, kBool}};
constexpr TypeTuple kPreluTypes[] = {{kFloat32, kFloat32}, {kInt8, kInt8}, {kInt16, kInt8}};

constexpr OptionRow kAddOptions[] = {ActivationOption<&AddOptions::activation>(),
                                     Unread(Option<&AddOptions::pot_scale_int16>("pot_scale_int16", 0, 1))};
constexpr OptionRow kSubOptions[] = {ActivationOption<&SubOptions::activation>(),
                                     Unread(Option<&SubOptions::pot_scale_int16>("pot_scale_int16", 0, 1))};
constexpr OptionRow kMulOptions[] = {ActivationOption<&MulOptions::activation>()};
constexpr OptionRow kDivOptions[] = {ActivationOption<&DivOptions::activation>()};

constexpr const char kWraps[] = "int32 results beyond 32 bits wrap, which the reference leaves undefined";
constexpr const char kBroadcastChecked[] =
    "shapes that do not broadcast to the output's are refused, which the reference sees in debug builds only";

consteval OperatorRow Comparison(BuiltinOperator code, std::span<const TypeTuple> types, const char* deviation = "") {
  return {.code = code,
          .shape = ShapeRule::kBroadcast,
          .inputs = kTerms,
          .outputs = kTruth,
          .types = types,
          .limits = "int8: scales are below 1; values are compared with 8 fraction bits",
          .deviation = deviation};
}

consteval OperatorRow OfRaw(BuiltinOperator code, std::span<const TypeTuple> types) {
  return {.code = code, .shape = ShapeRule::kBroadcast, .inputs = kRawTerms, .outputs = kRawResult, .types = types};
}

constexpr OperatorRow kArithmeticRows[] = {
    {.code = BuiltinOperator::kAdd,
     .shape = ShapeRule::kBroadcast,
     .inputs = kTerms,
     .outputs = kResult,
     .types = kFloatAndIntegers,
     .default_options = AddOptions{},
     .options = kAddOptions,
     .limits = "twice the larger input scale is below 2^20 (int16: 2^15) output scales; int32: the activation is not "
               "read",
     .deviation = kWraps},
    {.code = BuiltinOperator::kSub,
     .shape = ShapeRule::kBroadcast,
     .inputs = kSymmetricTerms,
     .outputs = kSymmetricResult,
     .types = kFloatAndIntegers,
     .default_options = SubOptions{},
     .options = kSubOptions,
     .limits = "twice the larger input scale is below 2^20 (int16: 2^15) output scales",
     .deviation = kWraps},
    {.code = BuiltinOperator::kMul,
     .shape = ShapeRule::kBroadcast,
     .inputs = kSymmetricTerms,
     .outputs = kSymmetricResult,
     .types = kFloatAndIntegers,
     .default_options = MulOptions{},
     .options = kMulOptions,
     .limits = "a product of int16 values, rescaled, stays within 32 bits when the ratio of scales is below 1",
     .deviation = kWraps},
    {.code = BuiltinOperator::kDiv,
     .shape = ShapeRule::kBroadcast,
     .inputs = kFraction,
     .outputs = kResult,
     .types = kDivided,
     .default_options = DivOptions{},
     .options = kDivOptions,
     .limits = "int32 inputs have no quantisation; int8: the ratio of scales is below 2^23; no divisor is 0, no int32 "
               "quotient 2^31",
     .deviation = "a divisor of 0 fails invoke; a dividend of 0 has the quotient 0 where the reference's last shift "
                  "leaves its range"},
    {.code = BuiltinOperator::kSquaredDifference,
     .shape = ShapeRule::kBroadcast,
     .inputs = kSymmetricTerms,
     .outputs = kSymmetricResult,
     .types = kFloatAndIntegers,
     .limits = "the square of twice the larger input scale is below 2^14 (int16: 1) output scales",
     .deviation = kBroadcastChecked},
    {.code = BuiltinOperator::kFloorDiv,
     .shape = ShapeRule::kBroadcast,
     .inputs = kPlainFraction,
     .outputs = kRawResult,
     .types = kFloat,
     .limits = "no divisor is 0",
     .deviation = kBroadcastChecked},
    {.code = BuiltinOperator::kFloorMod,
     .shape = ShapeRule::kBroadcast,
     .inputs = kModulus,
     .outputs = kRawResult,
     .types = kFloat,
     .deviation = kBroadcastChecked},
    {.code = BuiltinOperator::kAddN,
     .shape = ShapeRule::kSame,
     .inputs = kSummands,
     .outputs = kSumOfAll,
     .types = kFloatAndInt8,
     .most_repeated = 14,
     .more_repeated = true,
     .limits = "int8: at most 15 inputs; twice the input scale is below 2^20 output scales",
     .deviation = "more than 15 inputs of int8, whose sum may leave 32 bits, are refused"},
    {.code = BuiltinOperator::kPrelu,
     .shape = ShapeRule::kBroadcast,
     .inputs = kPreluInputs,
     .outputs = kResult,
     .types = kPreluTypes,
     .limits = "float32: at most 4 dimensions",
     .deviation = kBroadcastChecked},
    OfRaw(BuiltinOperator::kMaximum, kOrdered),
    OfRaw(BuiltinOperator::kMinimum, kOrdered),
    OfRaw(BuiltinOperator::kLogicalAnd, kBools),
    OfRaw(BuiltinOperator::kLogicalOr, kBools),
    Comparison(BuiltinOperator::kEqual, kEquated),
    Comparison(BuiltinOperator::kNotEqual, kEquated),
    Comparison(BuiltinOperator::kLess, kCompared),
    Comparison(BuiltinOperator::kLessEqual, kCompared),
    Comparison(BuiltinOperator::kGreater, kCompared,
               "int16, which the reference lets through and compares with what it never computed, is refused"),
    Comparison(BuiltinOperator::kGreaterEqual, kCompared),
    {.code = BuiltinOperator::kSelectV2,
     .shape = ShapeRule::kBroadcast,
     .inputs = kChoice,
     .outputs = kRawResult,
     .types = kSelected,
     .limits = "operands of one element each may have any numbers of dimensions"},
};

}  // namespace

std::span<const OperatorRow> ArithmeticRows() { return kArithmeticRows; }

}  // namespace arenaproof
