#include "engine/generators/operators/case_choices.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace arenaproof {
namespace {

template <typename Element>
void Store(CaseTensor& tensor, std::size_t index, Element value) {
  std::memcpy(tensor.bytes.data() + index * sizeof(Element), &value, sizeof(Element));
}

enum class FloatKind { kOrdinary, kFew, kSmall, kLarge, kExtreme };

FloatKind PickFloatKind(CaseRandom& random) {
  if (random.OneIn(4)) return FloatKind::kFew;  // so that two operands meet
  if (!random.OneIn(4)) return random.OneIn(4) ? FloatKind::kSmall : FloatKind::kOrdinary;
  return random.OneIn(3) ? FloatKind::kLarge : FloatKind::kExtreme;
}

// The first of them have squares beyond the type, or sums of two.
float ExtremeValue(CaseRandom& random, bool finite) {
  using Limits = std::numeric_limits<float>;
  constexpr float kValues[] = {Limits::max(),
                               3e38f,
                               1e20f,
                               16777216.0f,
                               0.0f,
                               1e-20f,
                               Limits::min(),
                               Limits::denorm_min(),
                               Limits::infinity(),
                               Limits::quiet_NaN()};
  const float value = kValues[random.Between(0, finite ? 3 : 9)];
  return random.OneIn(2) ? value : -value;
}

float FloatValue(CaseRandom& random, FloatKind kind) {
  constexpr float kBounds[] = {-1.0f, 0.0f, 1.0f, 6.0f};
  if (kind >= FloatKind::kLarge && random.OneIn(2)) return ExtremeValue(random, kind == FloatKind::kLarge);
  if (kind == FloatKind::kFew) return (random.OneIn(2) ? 0.5f : -0.5f) * static_cast<float>(random.Between(-4, 4));
  if (random.OneIn(16)) return kBounds[random.Between(0, 3)];
  const float reach = random.OneIn(3) ? 1.0f : 10.0f;
  return random.FloatBetween(-reach, reach);
}

}  // namespace

float PickScale(CaseRandom& random, float least, float most) {
  const float scale = random.FloatBetween(least, most);
  return random.OneIn(3) ? std::exp2(std::floor(std::log2(scale))) : scale;
}

CaseShape PickShape(CaseRandom& random, std::int32_t least_rank, std::int32_t most_rank, std::int32_t most_extent) {
  CaseShape shape(static_cast<std::size_t>(random.Between(least_rank, most_rank)));
  for (std::int32_t& extent : shape) extent = random.Between(1, most_extent);
  return shape;
}

Activation PickActivation(CaseRandom& random) {
  constexpr Activation kChoices[] = {Activation::kNone, Activation::kRelu, Activation::kReluN1To1, Activation::kRelu6};
  return random.OneIn(4) ? Activation::kNone : kChoices[random.Between(0, 3)];
}

CaseTensor Activations(CaseRandom& random, bool quantized, CaseShape shape) {
  CaseTensor tensor{.type = quantized ? TensorType::kInt8 : TensorType::kFloat32, .shape = std::move(shape)};
  if (!quantized) return tensor;
  tensor.scales = {PickScale(random, 0.02f, 0.2f)};
  tensor.zero_point = random.Between(-100, 100);
  if (random.OneIn(4)) tensor.zero_point = random.OneIn(2) ? random.Between(-128, 127) : (random.OneIn(2) ? -128 : 127);
  return tensor;
}

CaseTensor Sums(CaseRandom& random, bool quantized, CaseShape shape) {
  CaseTensor tensor = Activations(random, quantized, std::move(shape));
  if (quantized) tensor.scales = {PickScale(random, 0.05f, 1.0f)};
  return tensor;
}

void MakeTies(CaseRandom& random, OperatorCase& made, float step, std::int32_t most_exponent) {
  if (!random.OneIn(3)) return;
  const bool few_values = random.OneIn(2);
  made.output.scales = {std::ldexp(step, random.Between(0, few_values ? 3 : most_exponent))};
  if (!few_values) return;
  for (CaseTensor& input : made.inputs) {
    if (input.constant && input.scales.empty()) continue;  // axes
    input.values = ValueKind::kFew;
    if (input.constant) FillValues(random, input);
  }
}

CaseTensor Integers(const std::vector<std::int32_t>& values, CaseShape shape) {
  CaseTensor tensor{.type = TensorType::kInt32, .shape = std::move(shape), .constant = true};
  tensor.bytes.resize(values.size() * 4);
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

void FillValues(CaseRandom& random, CaseTensor& tensor) {
  tensor.bytes.assign(tensor.count() * ElementBytes(tensor.type), std::byte{0});
  const FloatKind float_kind = tensor.values == ValueKind::kFew ? FloatKind::kFew : PickFloatKind(random);
  const bool few_values = float_kind == FloatKind::kFew;
  const bool heaped = tensor.values == ValueKind::kHeaped || (!few_values && random.OneIn(8));
  const bool at_the_top = random.OneIn(2);
  const std::int32_t reach = few_values || random.OneIn(2) ? 3 : 500;
  const float magnitude = float_kind == FloatKind::kSmall ? std::ldexp(1.0f, -random.Between(4, 30)) : 1.0f;
  const std::int64_t far = std::int64_t{random.Between(0, 1)} << 52;
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    switch (tensor.type) {
      case TensorType::kFloat32:
        Store(tensor, i, magnitude * FloatValue(random, float_kind));
        break;
      case TensorType::kInt32:
        Store(tensor, i, random.Between(-reach, reach));
        break;
      case TensorType::kInt64:
        Store(tensor, i, (random.OneIn(2) ? far : -far) + random.Between(-reach, reach));
        break;
      case TensorType::kInt16:
        Store(
            tensor, i,
            static_cast<std::int16_t>(few_values ? std::clamp(tensor.zero_point + random.Between(-2, 2), -32768, 32767)
                                                 : random.Between(-32768, 32767)));
        break;
      case TensorType::kBool:
        tensor.bytes[i] = static_cast<std::byte>(random.OneIn(8) ? random.Between(2, 255) : random.Between(0, 1));
        break;
      default: {
        if (heaped) {
          tensor.bytes[i] = static_cast<std::byte>(at_the_top ? random.Between(120, 127) : random.Between(-128, -121));
          break;
        }
        const std::int32_t near_zero = std::clamp(tensor.zero_point + random.Between(-2, 2), -128, 127);
        tensor.bytes[i] = static_cast<std::byte>(few_values ? near_zero : random.Between(-128, 127));
      }
    }
  }
}

void FillConstant(CaseRandom& random, CaseTensor& tensor) {
  tensor.constant = true;
  FillValues(random, tensor);
}

}  // namespace arenaproof
