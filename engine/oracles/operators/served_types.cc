#include "engine/oracles/operators/served_types.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace arenaproof::props {
namespace {

using enum TensorType;
using Types = std::span<const std::optional<TensorType>>;

constexpr auto kSchemaTypes = [] {
  std::array<TensorType, static_cast<std::size_t>(kFloat8E5M2) + 1> types{};
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = static_cast<TensorType>(i);
  return types;
}();

bool IsOneOf(std::optional<TensorType> type, std::initializer_list<TensorType> types) {
  return type && std::find(types.begin(), types.end(), *type) != types.end();
}

bool HasSize(std::optional<TensorType> type) { return type && ElementBytes(*type) > 0; }

bool IsData(std::optional<TensorType> type) { return IsOneOf(type, {kFloat32, kInt8}); }

std::optional<TensorType> At(Types inputs, std::size_t i) { return i < inputs.size() ? inputs[i] : std::nullopt; }

bool Absent(Types inputs, std::size_t i) { return !At(inputs, i); }

bool AllAre(Types inputs, std::optional<TensorType> type) {
  return std::all_of(inputs.begin(), inputs.end(), [type](const auto& input) { return input == type; });
}

// One of the types, from the first to the last.
bool Through(Types inputs, std::optional<TensorType> output, std::initializer_list<TensorType> types) {
  return IsOneOf(output, types) && AllAre(inputs, output);
}

bool FitsBias(std::optional<TensorType> bias, std::optional<TensorType> data) {
  return !bias || *bias == (data == kInt8 ? kInt32 : kFloat32);
}

// `narrow_bias`: int16 activations may have one of int32 too.
bool WithFilter(Types inputs, std::optional<TensorType> output, bool narrow_bias) {
  const std::optional<TensorType> filter = At(inputs, 1), bias = At(inputs, 2);
  if (At(inputs, 0) != output) return false;
  if (output == kFloat32) return filter == kFloat32 && FitsBias(bias, output);
  if (output == kInt8) return IsOneOf(filter, {kInt8, kInt4}) && FitsBias(bias, output);
  return output == kInt16 && filter == kInt8 && (!bias || bias == kInt64 || (narrow_bias && bias == kInt32));
}

// A table of int32 as second input.
bool WithTable(Types inputs, std::optional<TensorType> output, std::initializer_list<TensorType> types) {
  return IsOneOf(output, types) && At(inputs, 0) == output && At(inputs, 1) == kInt32 &&
         (Absent(inputs, 2) || At(inputs, 2) == output);
}

bool Quantizes(std::optional<TensorType> from, std::optional<TensorType> to) {
  if (from == kFloat32) return IsOneOf(to, {kInt8, kInt16});
  if (from == kInt8) return IsOneOf(to, {kInt8, kUInt8, kInt16, kInt32});
  if (from == kUInt8) return to == kInt8;
  if (from == kInt16) return IsOneOf(to, {kInt8, kInt16, kInt32});
  return from == kInt32 && IsOneOf(to, {kInt8, kInt16});
}

bool Compared(Types inputs, std::optional<TensorType> output, bool equality) {
  const std::optional<TensorType> type = At(inputs, 0);
  const bool served = IsOneOf(type, {kFloat32, kInt8, kInt32, kInt64}) || (equality && type == kBool);
  return served && At(inputs, 1) == type && output == kBool;
}

// Input, features, time, bias, state.
bool Svdf(Types inputs, std::optional<TensorType> output) {
  const bool data = IsData(output) && At(inputs, 0) == output && At(inputs, 1) == output;
  const bool memory = output == kInt8 ? IsOneOf(At(inputs, 2), {kInt8, kInt16}) : At(inputs, 2) == kFloat32;
  return data && memory && FitsBias(At(inputs, 3), output) && At(inputs, 4) == At(inputs, 2);
}

}  // namespace

std::span<const TensorType> SchemaTypes() { return kSchemaTypes; }

std::optional<bool> ServesTypes(BuiltinOperator code, Types inputs, std::optional<TensorType> output) {
  using enum BuiltinOperator;
  switch (code) {
    case kConv2d:
    case kFullyConnected:
      return WithFilter(inputs, output, true);
    case kDepthwiseConv2d:
      return WithFilter(inputs, output, false);
    case kConcatenation:
      return Through(inputs, output, {kFloat32, kInt8, kInt16, kInt32, kInt64, kBool});
    case kAveragePool2d:
    case kMaxPool2d:
    case kRelu:
    case kRelu6:
    case kLogistic:
    case kTanh:
      return Through(inputs, output, {kFloat32, kInt8, kInt16});
    case kSoftmax:
      return Through(inputs, output, {kFloat32, kInt8, kInt16}) || (At(inputs, 0) == kInt8 && output == kInt16);
    case kAdd:
    case kSub:
    case kMul:
      return Through(inputs, output, {kFloat32, kInt8, kInt16, kInt32});
    case kPad:
    case kPadv2:
      return WithTable(inputs, output, {kFloat32, kInt8, kInt16, kInt32});
    case kMean:
      return WithTable(inputs, output, {kFloat32, kInt8, kInt16});
    case kEqual:
    case kNotEqual:
      return Compared(inputs, output, true);
    case kLess:
    case kLessEqual:
    case kGreater:
    case kGreaterEqual:
      return Compared(inputs, output, false);
    case kQuantize:
      return Quantizes(At(inputs, 0), output);
    case kDequantize:
      return IsOneOf(At(inputs, 0), {kInt8, kUInt8, kInt16}) && output == kFloat32;
    case kReshape:
      return HasSize(output) && At(inputs, 0) == output;  // a copy of anything
    case kSvdf:
      return Svdf(inputs, output);
    case kVarHandle:
      return output == kResource;
    case kReadVariable:
      return At(inputs, 0) == kResource && HasSize(output);
    case kAssignVariable:
      return At(inputs, 0) == kResource && HasSize(At(inputs, 1));
    default:
      return std::nullopt;
  }
}

}  // namespace arenaproof::props
