#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;
using enum BuiltinOperator;

constexpr OperandRow kIn = {.name = "input", .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kOut = {.name = "output", .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kAny[] = {kIn};
constexpr OperandRow kAnyOut[] = {kOut};
constexpr OperandRow kRounded[] = {{.name = "input", .values = ValueRule::kHalfSteps}};
constexpr OperandRow kOfInt16Symmetric[] = {{.name = "input", .quantization = kFree, .wide_quantization = kSymmetric}};
constexpr OperandRow kOutOfInt16Symmetric[] = {
    {.name = "output", .quantization = kFree, .wide_quantization = kSymmetric}};
constexpr OperandRow kOfMagnitude[] = {{.name = "input", .quantization = kFree, .wide_quantization = kSymmetricOrNone}};
constexpr OperandRow kMagnitude[] = {{.name = "output", .quantization = kFree, .wide_quantization = kSymmetricOrNone}};
constexpr OperandRow kOfRoot[] = {{.name = "input",
                                   .quantization = kFree,
                                   .wide_quantization = kSymmetric,
                                   .values = ValueRule::kNotNegative,
                                   .least_scale = 0.001f,
                                   .most_scale = 0.5f}};
constexpr OperandRow kRoot[] = {{.name = "output",
                                 .quantization = kFree,
                                 .wide_quantization = kSymmetric,
                                 .least_scale = 0.02f,
                                 .most_scale = 0.2f,
                                 .wide_factor = 1.0f / 256.0f}};
constexpr OperandRow kOfLimited[] = {
    {.name = "input", .quantization = kFree, .wide_quantization = kFree, .wide_factor = 1.0f / 64.0f}};
constexpr OperandRow kOfSigmoid[] = {{.name = "input",
                                      .quantization = kFree,
                                      .wide_quantization = kPowerOfTwo,
                                      .least_scale = 0.004f,
                                      .most_scale = 7.9f}};
constexpr OperandRow kLogisticOut[] = {{.name = "output",
                                        .quantization = kUnit8,
                                        .wide_quantization = kUnit16,
                                        .quantization_read = QuantizationRead::kAnyScale}};
constexpr OperandRow kTanhOut[] = {{.name = "output", .wide_quantization = kUnit16}};
constexpr OperandRow kOfHardSwish[] = {
    {.name = "input", .quantization = kFree, .least_scale = 0.002f, .most_scale = 1.9f}};
constexpr OperandRow kHardSwishOut[] = {
    {.name = "output", .quantization = kFree, .least_scale = 0.02f, .most_scale = 0.5f}};
constexpr OperandRow kOfQuantize[] = {{.name = "input",
                                       .quantization = kFree,
                                       .wide_quantization = kFree,
                                       .long_quantization = kFree,
                                       .values = ValueRule::kHalfSteps,
                                       .least_scale = 0.01f,
                                       .most_scale = 1.2f}};
constexpr OperandRow kQuantizeOut[] = {{.name = "output",
                                        .type_column = 1,
                                        .quantization = kFree,
                                        .wide_quantization = kFree,
                                        .long_quantization = kFree,
                                        .least_scale = 0.01f,
                                        .most_scale = 1.2f}};
constexpr OperandRow kSecondTypeOut[] = {{.name = "output", .type_column = 1}};
constexpr OperandRow kOfReshape[] = {
    {.name = "input", .int4_source = Source::kComputed},
    {.name = "shape", .type_column = 1, .presence = Presence::kOptional, .read = false}};
constexpr OperandRow kPlain[] = {{.name = "input"}};
constexpr OperandRow kPlainOut[] = {{.name = "output"}};

constexpr OptionRow kLeakyReluOptions[] = {
    OfMore(Option<&LeakyReluOptions::alpha>("alpha in millionths", -2 * kMillionths, 2 * kMillionths))};

constexpr TypeTuple kFloat[] = {{kFloat32}};
constexpr TypeTuple kFloatOrInt8[] = {{kFloat32}, {kInt8}};
constexpr TypeTuple kFloatOrQuantized[] = {{kFloat32}, {kInt8}, {kInt16}};
constexpr TypeTuple kTruth[] = {{kBool}};
constexpr TypeTuple kOfZeros[] = {{kFloat32}, {kInt8}, {kInt32}, {kInt64}};
constexpr TypeTuple kCasts[] = {
    {kFloat32, kFloat32}, {kFloat32, kInt8}, {kFloat32, kInt16}, {kFloat32, kInt32}, {kFloat32, kUInt32},
    {kInt8, kFloat32},    {kInt8, kInt8},    {kInt8, kInt16},    {kInt8, kInt32},    {kInt8, kUInt32},
    {kInt16, kFloat32},   {kInt16, kInt8},   {kInt16, kInt16},   {kInt16, kInt32},   {kInt16, kUInt32},
    {kInt32, kFloat32},   {kInt32, kInt8},   {kInt32, kInt16},   {kInt32, kInt32},   {kInt32, kUInt32},
    {kUInt32, kFloat32},  {kUInt32, kInt8},  {kUInt32, kInt16},  {kUInt32, kInt32},  {kUInt32, kUInt32},
    {kBool, kFloat32},    {kBool, kInt8},    {kBool, kInt16},    {kBool, kInt32},    {kBool, kUInt32}};
constexpr TypeTuple kQuantizes[] = {{kFloat32, kInt8}, {kFloat32, kInt16}, {kInt8, kInt8},  {kInt8, kUInt8},
                                    {kInt8, kInt16},   {kInt8, kInt32},    {kUInt8, kInt8}, {kInt16, kInt8},
                                    {kInt16, kInt16},  {kInt16, kInt32},   {kInt32, kInt8}, {kInt32, kInt16}};
constexpr TypeTuple kDequantizes[] = {{kInt8, kFloat32}, {kUInt8, kFloat32}, {kInt16, kFloat32}};
// Every type that has a size.
constexpr TypeTuple kReshapes[] = {{kFloat32, kInt32},  {kFloat16, kInt32}, {kInt32, kInt32},      {kUInt8, kInt32},
                                   {kInt64, kInt32},    {kBool, kInt32},    {kInt16, kInt32},      {kComplex64, kInt32},
                                   {kInt8, kInt32},     {kFloat64, kInt32}, {kComplex128, kInt32}, {kUInt64, kInt32},
                                   {kResource, kInt32}, {kUInt32, kInt32},  {kUInt16, kInt32},     {kInt4, kInt32},
                                   {kBFloat16, kInt32}};

constexpr const char* kShapesAreCompared = "the reference does not compare the shapes";

consteval OperatorRow OfFloats(BuiltinOperator code, std::span<const OperandRow> inputs, const char* deviation = "") {
  return {.code = code,
          .shape = ShapeRule::kSame,
          .inputs = inputs,
          .outputs = kAnyOut,
          .types = kFloat,
          .deviation = deviation};
}

constexpr OperatorRow kRows[] = {
    OfFloats(kExp, kAny),
    OfFloats(kLog, kAny, kShapesAreCompared),
    OfFloats(kSin, kAny, kShapesAreCompared),
    OfFloats(kCos, kAny, kShapesAreCompared),
    OfFloats(kCeil, kRounded),
    OfFloats(kFloor, kRounded, kShapesAreCompared),
    OfFloats(kRound, kRounded),
    OfFloats(kNeg, kAny),
    OfFloats(kSqrt, kAny, kShapesAreCompared),
    OfFloats(kSquare, kAny, kShapesAreCompared),
    {.code = kAbs,
     .shape = ShapeRule::kSame,
     .inputs = kOfMagnitude,
     .outputs = kMagnitude,
     .types = kFloatOrQuantized,
     .limits = "int16 without quantisation is whole numbers",
     .deviation = kShapesAreCompared},
    {.code = kRsqrt,
     .shape = ShapeRule::kSame,
     .inputs = kOfRoot,
     .outputs = kRoot,
     .types = kFloatOrQuantized,
     .limits = "the output's scale times the root of the input's is above 2^-20; a quantised value below its zero "
               "point is an error at invoke",
     .deviation = "int16 without quantisation is refused: the reference reads what it never set"},
    {.code = kElu,
     .shape = ShapeRule::kSame,
     .inputs = kAny,
     .outputs = kAnyOut,
     .types = kFloatOrInt8,
     .deviation = "table entries beyond 32 bits saturate"},
    {.code = kRelu,
     .shape = ShapeRule::kSame,
     .inputs = kOfInt16Symmetric,
     .outputs = kOutOfInt16Symmetric,
     .types = kFloatOrQuantized},
    {.code = kRelu6,
     .shape = ShapeRule::kSame,
     .inputs = kOfLimited,
     .outputs = kPlainOut,
     .types = kFloatOrQuantized,
     .limits = "raw values are limited to those of 0 and 6 by the input's quantisation, and not rescaled"},
    {.code = kLeakyRelu,
     .shape = ShapeRule::kSame,
     .inputs = kAny,
     .outputs = kAnyOut,
     .types = kFloatOrQuantized,
     .default_options = LeakyReluOptions{},
     .options = kLeakyReluOptions,
     .limits = "any alpha for float32; else alpha times the ratio of the scales, and the ratio, are below 2^30"},
    {.code = kLogistic,
     .shape = ShapeRule::kSame,
     .inputs = kOfSigmoid,
     .outputs = kLogisticOut,
     .types = kFloatOrQuantized,
     .limits = "the input's scale of int16 is below 8/3 and not below 1/3 of 2^-43"},
    {.code = kTanh,
     .shape = ShapeRule::kSame,
     .inputs = kOfSigmoid,
     .outputs = kTanhOut,
     .types = kFloatOrQuantized,
     .limits = "the input's scale of int16 is below 8/3 and not below 1/3 of 2^-43"},
    {.code = kHardSwish,
     .shape = ShapeRule::kSame,
     .inputs = kOfHardSwish,
     .outputs = kHardSwishOut,
     .types = kFloatOrInt8,
     .limits = "the input's scale is less than 128 of the output's"},
    {.code = kLogicalNot,
     .shape = ShapeRule::kSame,
     .inputs = kPlain,
     .outputs = kPlainOut,
     .types = kTruth,
     .deviation = kShapesAreCompared},
    {.code = kZerosLike,
     .shape = ShapeRule::kSame,
     .inputs = kPlain,
     .outputs = kPlainOut,
     .types = kOfZeros,
     .limits = "raw zeros, of int8 too",
     .deviation = "the reference does not compare shapes and types"},
    {.code = kCast,
     .shape = ShapeRule::kSameCount,
     .inputs = kRounded,
     .outputs = kSecondTypeOut,
     .types = kCasts,
     .limits = "integers keep their low bits",
     .deviation = "floats beyond the target's range saturate, what is no number becomes 0"},
    {.code = kQuantize,
     .shape = ShapeRule::kSame,
     .inputs = kOfQuantize,
     .outputs = kQuantizeOut,
     .types = kQuantizes,
     .deviation = "floats beyond 32 bits saturate, what is no number becomes the least value"},
    {.code = kDequantize, .shape = ShapeRule::kSame, .inputs = kAny, .outputs = kSecondTypeOut, .types = kDequantizes},
    {.code = kReshape,
     .shape = ShapeRule::kSameCount,
     .inputs = kOfReshape,
     .outputs = kPlainOut,
     .types = kReshapes,
     .default_options = ReshapeOptions{},
     .limits = "the output tensor's shape counts; the operand `shape` and the option new_shape are not read",
     .deviation = "no extent of -1 in the output's shape"},
};

}  // namespace

std::span<const OperatorRow> ElementRows() { return kRows; }

}  // namespace arenaproof
