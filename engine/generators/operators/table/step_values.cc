#include "engine/generators/operators/table/step_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace arenaproof {
namespace {

constexpr std::int32_t kMostPowerOfRescaled = 20;

// Half of them around the ends of integer types.
std::int32_t DrawPower(CaseRandom& random, std::int32_t most) {
  constexpr std::int32_t kEnds[] = {7, 8, 15, 16, 31, 32};
  const std::int32_t power = random.OneIn(2) ? kEnds[random.Between(0, 5)] : random.Between(0, 33);
  return power <= most ? power : random.Between(0, most);
}

// The power of two that the type's values stay below.
std::optional<std::int32_t> EndOf(TensorType type) {
  switch (type) {
    case TensorType::kInt8:
      return 7;
    case TensorType::kUInt8:
      return 8;
    case TensorType::kInt16:
      return 15;
    case TensorType::kInt32:
      return 31;
    case TensorType::kUInt32:
      return 32;
    default:
      return std::nullopt;
  }
}

float FloatOfSteps(CaseRandom& random, const CaseTensor& output) {
  constexpr double kFractions[] = {0.0, 0.0, 0.5, 0.5, 0.25, 0.75};
  const double sign = random.OneIn(2) ? 1 : -1;
  const std::optional<std::int32_t> end = EndOf(output.type);
  const bool at_the_end = end && random.OneIn(4);
  double steps = sign * std::exp2(at_the_end ? *end : DrawPower(random, 33));
  if (!at_the_end || random.OneIn(2)) steps += random.Between(-2, 2) + kFractions[random.Between(0, 5)];
  if (random.OneIn(2)) steps -= output.zero_point;
  const auto value = static_cast<float>(steps * (output.scales.empty() ? 1.0 : double{output.scales[0]}));
  if (!random.OneIn(4)) return value;
  return std::nextafter(value, random.OneIn(2) ? value + 1.0f : value - 1.0f);
}

template <typename Element>
Element IntegerOfSteps(CaseRandom& random, const CaseTensor& output) {
  using Limits = std::numeric_limits<Element>;
  const std::int32_t most_power =
      output.scales.empty() || output.type == TensorType::kFloat32 ? 32 : kMostPowerOfRescaled;
  const std::int64_t power = std::int64_t{1} << DrawPower(random, most_power);
  // Halves of what floats of 24 bits tell apart, too.
  const std::int64_t half = random.OneIn(2) ? power >> random.Between(23, 25) : 0;
  const std::int64_t value = power + half * random.Between(-3, 3) + random.Between(-2, 2);
  return static_cast<Element>(
      std::clamp(random.OneIn(2) ? value : -value, std::int64_t{Limits::min()}, std::int64_t{Limits::max()}));
}

// One in so many values is replaced.
template <typename Element, typename Draw>
void Replace(CaseRandom& random, CaseTensor& tensor, std::size_t one_in, Draw draw) {
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    if (!random.OneIn(one_in)) continue;
    const Element value = draw();
    std::memcpy(&tensor.bytes[i * sizeof(Element)], &value, sizeof(Element));
  }
}

}  // namespace

bool HasValuesOfNumbers(TensorType type) {
  using enum TensorType;
  constexpr TensorType kTypes[] = {kFloat32, kInt8, kUInt8, kInt16, kInt32, kInt64, kBool};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

void FillBytes(CaseRandom& random, CaseTensor& tensor) {
  tensor.bytes.resize(tensor.count() * ElementBytes(tensor.type));
  for (std::byte& each : tensor.bytes) each = static_cast<std::byte>(random.Between(0, 255));
}

void AddEnds(CaseRandom& random, CaseTensor& tensor) {
  if (random.OneIn(2)) return;
  using Limits = std::numeric_limits<std::int16_t>;
  Replace<std::int16_t>(random, tensor, 8, [&] {
    if (random.OneIn(2)) return random.OneIn(2) ? Limits::min() : Limits::max();
    const std::int32_t value = tensor.zero_point + random.Between(-2, 2);
    return static_cast<std::int16_t>(std::clamp<std::int32_t>(value, Limits::min(), Limits::max()));
  });
}

void AddHalfSteps(CaseRandom& random, const CaseTensor& output, CaseTensor& tensor) {
  if (random.OneIn(2)) return;
  switch (tensor.type) {
    case TensorType::kFloat32:
      return Replace<float>(random, tensor, 2, [&] { return FloatOfSteps(random, output); });
    case TensorType::kInt32:
      return Replace<std::int32_t>(random, tensor, 2, [&] { return IntegerOfSteps<std::int32_t>(random, output); });
    case TensorType::kUInt32:
      return Replace<std::uint32_t>(random, tensor, 2, [&] { return IntegerOfSteps<std::uint32_t>(random, output); });
    default:
      return;
  }
}

}  // namespace arenaproof
