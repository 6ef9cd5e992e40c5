#include "engine/generators/operators/table/table_quantization.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace arenaproof {
namespace {

using enum TensorType;

bool IsNarrow(TensorType type) { return type == kInt8 || type == kUInt8 || type == kInt4; }

template <typename Element>
Element ElementAt(const CaseTensor& tensor, std::size_t index) {
  Element element;
  std::memcpy(&element, &tensor.bytes[index * sizeof(Element)], sizeof(Element));
  return element;
}

template <typename Element>
void Raise(CaseTensor& tensor, ValueRule rule, std::int32_t zero_point) {
  constexpr bool kIsFloat = std::is_floating_point_v<Element>;
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    auto element = ElementAt<Element>(tensor, i);
    const auto zero = static_cast<Element>(zero_point);
    if (rule == ValueRule::kNotZero) {
      if (element == zero) element = static_cast<Element>(zero + (zero < 100 ? Element{1} : static_cast<Element>(-1)));
    } else {
      if constexpr (kIsFloat) {
        if (!(element >= zero)) element = std::isnan(element) ? Element{2} : -element;
      } else {
        if (element < zero) element = zero;
      }
      if (rule == ValueRule::kPositive && element == zero) {
        element = static_cast<Element>(zero + (zero < 127 || kIsFloat ? Element{1} : Element{0}));
      }
    }
    std::memcpy(&tensor.bytes[i * sizeof(Element)], &element, sizeof(Element));
  }
}

void FillInt4(CaseRandom& random, CaseTensor& tensor) {
  tensor.bytes.resize((tensor.count() + 1) / 2);
  for (std::byte& pair : tensor.bytes) pair = static_cast<std::byte>(random.Between(0, 255));
}

}  // namespace

std::int32_t DrawZeroPoint(CaseRandom& random, TensorType type) {
  const std::int32_t least = type == kUInt8 ? 0 : type == kInt16 ? -32768 : -128;
  const std::int32_t most = type == kUInt8 ? 255 : type == kInt16 ? 32767 : 127;
  if (random.OneIn(4)) return random.OneIn(2) ? least : most;
  return random.OneIn(4) ? 0 : random.Between(least, most);
}

QuantizationRule RuleFor(const OperandRow& row, TensorType type) {
  if (IsNarrow(type)) return row.quantization;
  if (type == kInt16) return row.wide_quantization;
  const bool bias = (type == kInt32 || type == kInt64) && row.quantization == QuantizationRule::kProduct;
  return bias ? QuantizationRule::kProduct : QuantizationRule::kNone;
}

void DrawQuantization(CaseRandom& random, const OperandRow& row, const OperatorCase& made, const CaseTensor* first,
                      CaseTensor& tensor) {
  const QuantizationRule rule = RuleFor(row, tensor.type);
  const auto scale = [&] { return PickScale(random, row.least_scale, row.most_scale); };
  switch (rule) {
    case QuantizationRule::kNone:
      if (!IsNarrow(tensor.type) && tensor.type != kInt16) return;
      tensor.scales = {scale()};
      tensor.zero_point = DrawZeroPoint(random, tensor.type);
      return;
    case QuantizationRule::kFree:
      tensor.scales = {scale()};
      tensor.zero_point = DrawZeroPoint(random, tensor.type);
      return;
    case QuantizationRule::kSymmetric:
      tensor.scales = {scale()};
      return;
    case QuantizationRule::kChannels: {
      tensor.dimension = row.channel_axis;
      const auto channels = static_cast<std::size_t>(tensor.shape[row.channel_axis]);
      tensor.scales.resize(random.OneIn(2) ? 1 : channels);
      for (float& each : tensor.scales) each = scale();
      return;
    }
    case QuantizationRule::kAsFirst:
      if (first == nullptr) {
        tensor.scales = {scale()};
        tensor.zero_point = DrawZeroPoint(random, tensor.type);
      } else {
        tensor.scales = first->scales;
        tensor.zero_point = first->zero_point;
      }
      return;
    case QuantizationRule::kProduct:
      for (const float each : made.inputs[1].scales) tensor.scales.push_back(each * made.inputs[0].scales[0]);
      return;
    case QuantizationRule::kUnit8:
      tensor.scales = {tensor.type == kInt16 ? 1.0f / 65536.0f : 1.0f / 256.0f};
      tensor.zero_point = tensor.type == kInt16 ? -32768 : -128;
      return;
    case QuantizationRule::kUnit16:
      tensor.scales = {1.0f / 32768.0f};
      return;
    case QuantizationRule::kByOperator:
      return;  // by the shape rule
  }
}

void DrawValues(CaseRandom& random, const OperandRow& row, CaseTensor& tensor) {
  if (!tensor.present || !tensor.bytes.empty()) return;
  if (tensor.type == kInt4) return FillInt4(random, tensor);
  FillValues(random, tensor);
  if (row.values == ValueRule::kAny || row.values == ValueRule::kByShapeRule) return;
  const std::int32_t zero_point = RuleFor(row, tensor.type) == QuantizationRule::kNone ? 0 : tensor.zero_point;
  switch (tensor.type) {
    case kFloat32:
      return Raise<float>(tensor, row.values, 0);
    case kInt32:
      return Raise<std::int32_t>(tensor, row.values, 0);
    case kInt64:
      return Raise<std::int64_t>(tensor, row.values, 0);
    case kInt16:
      return Raise<std::int16_t>(tensor, row.values, zero_point);
    case kInt8:
      return Raise<std::int8_t>(tensor, row.values, zero_point);
    default:
      return;
  }
}

}  // namespace arenaproof
