#include "engine/generators/operators/table/table_quantization.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/generators/operators/table/step_values.h"

namespace arenaproof {
namespace {

using enum TensorType;

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
        // Below zero: as far above it, as far as there is room.
        if (element < zero) {
          const auto room = std::int64_t{std::numeric_limits<Element>::max()} - zero_point + 1;
          element = static_cast<Element>(zero_point + (std::int64_t{zero_point} - element) % room);
        }
      }
      if (rule == ValueRule::kPositive && element == zero) {
        element = static_cast<Element>(zero + (zero < 127 || kIsFloat ? Element{1} : Element{0}));
      }
    }
    std::memcpy(&tensor.bytes[i * sizeof(Element)], &element, sizeof(Element));
  }
}

// int64 within 2^53, which a double holds.
void FillWhole(CaseRandom& random, CaseTensor& tensor) {
  const std::size_t width = ElementBytes(tensor.type);
  if (tensor.type != kInt32 && tensor.type != kInt64) return;
  for (std::size_t at = 0; at < tensor.bytes.size(); at += width) {
    std::int64_t value = random.Between(std::numeric_limits<std::int32_t>::min(), 0x7FFFFFFF);
    if (tensor.type == kInt64) value = value * (1 << 21) + random.Between(0, (1 << 21) - 1);
    std::memcpy(&tensor.bytes[at], &value, width);
  }
}

// Two in a byte in constants only.
void FillInt4(CaseRandom& random, CaseTensor& tensor) {
  tensor.bytes.resize(tensor.constant ? (tensor.count() + 1) / 2 : tensor.count());
  for (std::byte& each : tensor.bytes) {
    each = static_cast<std::byte>(tensor.constant ? random.Between(0, 255) : random.Between(-8, 7));
  }
}

// Each of many powers of two is as likely. A third are powers of two.
float DrawScale(CaseRandom& random, float least, float most) {
  if (most <= 16.0f * least) return PickScale(random, least, most);
  const float power = random.FloatBetween(std::log2(least), std::log2(most));
  return std::exp2(random.OneIn(3) ? std::floor(power) : power);
}

// Kernels of tables take scales within a thousandth of a power of two (of the logarithm) for that power; how their
// floats decide right at that bound is not drawn.
float DrawScaleNearPower(CaseRandom& random) {
  const std::int32_t exponent = random.OneIn(2) ? random.Between(-12, -11) : random.Between(-16, 0);
  const float power = std::exp2(static_cast<float>(exponent));
  if (random.OneIn(4)) return power;
  if (random.OneIn(4)) return power * std::exp2(random.FloatBetween(0.05f, 0.95f));
  const float away = random.OneIn(4) ? random.FloatBetween(1.05e-3f, 3e-3f) : random.FloatBetween(1e-5f, 0.95e-3f);
  return power * std::exp2(random.OneIn(2) ? away : -away);
}

}  // namespace

std::int32_t DrawZeroPoint(CaseRandom& random, TensorType type) {
  const std::int32_t least = type == kUInt8 ? 0 : type == kInt16 ? -32768 : type == kInt4 ? -8 : -128;
  const std::int32_t most = type == kUInt8 ? 255 : -1 - least;
  if (random.OneIn(4)) return random.OneIn(2) ? least : most;
  return random.OneIn(4) ? 0 : random.Between(least, most);
}

void DrawQuantization(CaseRandom& random, const OperandRow& row, const OperatorCase& made, const CaseTensor* first,
                      CaseTensor& tensor) {
  const QuantizationRule rule = RuleFor(row, tensor.type);
  // Scales whose ratio to the first one is a power of two put results on ties.
  const float factor = tensor.type == kInt16 ? row.wide_factor : 1.0f;
  const float least_scale = factor * row.least_scale, most_scale = factor * row.most_scale;
  const auto scale = [&] {
    if (first != nullptr && random.OneIn(3)) {
      const float tied = std::ldexp(first->scales[0], random.OneIn(3) ? 0 : random.Between(-3, 3));
      if (tied >= least_scale && tied <= most_scale) return tied;
    }
    return DrawScale(random, least_scale, most_scale);
  };
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
    case QuantizationRule::kSymmetricIfConverted:
      tensor.scales = {scale()};
      if (tensor.type == made.output.type) tensor.zero_point = DrawZeroPoint(random, tensor.type);
      return;
    case QuantizationRule::kSymmetricOrNone: {
      const bool is_first = &tensor == made.inputs.data();
      if (is_first ? random.OneIn(3) : made.inputs[0].scales.empty()) return;
      tensor.scales = {scale()};
      return;
    }
    case QuantizationRule::kCentered:
      if (random.OneIn(4)) return;
      [[fallthrough]];
    case QuantizationRule::kSymmetric:
      tensor.scales = {scale()};
      return;
    case QuantizationRule::kPowerOfTwo:
      tensor.scales = {DrawScaleNearPower(random)};
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
      if (made.inputs[0].type == kInt16) {
        tensor.scales = {1.0f / 32768.0f};
        return;
      }
      tensor.scales = {tensor.type == kInt16 ? 1.0f / 65536.0f : 1.0f / 256.0f};
      tensor.zero_point = tensor.type == kInt16 ? -32768 : -128;
      return;
    case QuantizationRule::kUnit16:
      tensor.scales = {1.0f / 32768.0f};
      return;
    case QuantizationRule::kLogarithm:
      tensor.scales = {1.0f / 16.0f};
      tensor.zero_point = 127;
      return;
    case QuantizationRule::kByOperator:
      return;  // by the shape rule
  }
}

void DrawValues(CaseRandom& random, const OperandRow& row, const CaseTensor& output, CaseTensor& tensor) {
  if (!tensor.present || !tensor.bytes.empty()) return;
  if (tensor.type == kInt4) return FillInt4(random, tensor);
  HasValuesOfNumbers(tensor.type) ? FillValues(random, tensor) : FillBytes(random, tensor);
  if (tensor.type == kInt16) AddEnds(random, tensor);
  if (row.values == ValueRule::kHalfSteps) return AddHalfSteps(random, output, tensor);
  if (row.values == ValueRule::kAny || row.values == ValueRule::kByShapeRule) return;
  if (row.values == ValueRule::kWholeType) return FillWhole(random, tensor);
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
