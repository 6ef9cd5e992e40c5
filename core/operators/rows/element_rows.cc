#include "core/operators/option_row.h"
#include "core/operators/rows/families.h"

namespace arenaproof {
namespace {

using enum TensorType;
using enum QuantizationRule;

constexpr OperandRow kIn = {.name = "input", .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kOut = {.name = "output", .quantization = kFree, .wide_quantization = kFree};
constexpr OperandRow kAny[] = {kIn};
constexpr OperandRow kAnyOut[] = {kOut};
constexpr OperandRow kNotNegative[] = {{.name = "input", .values = ValueRule::kNotNegative}};

constexpr TypeTuple kFloat[] = {{kFloat32}};

constexpr OperatorRow kRows[] = {
    {.code = BuiltinOperator::kCeil, .shape = ShapeRule::kSame, .inputs = kAny, .outputs = kAnyOut, .types = kFloat},
    {.code = BuiltinOperator::kSqrt,
     .shape = ShapeRule::kSame,
     .inputs = kNotNegative,
     .outputs = kAnyOut,
     .types = kFloat},
};

}  // namespace

std::span<const OperatorRow> ElementRows() { return kRows; }

}  // namespace arenaproof
