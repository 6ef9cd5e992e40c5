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

enum class FloatKind { kOrdinary, kFew, kLarge, kExtreme };

FloatKind PickFloatKind(CaseRandom& random) {
  if (Coin(random, 4)) return FloatKind::kFew;  // so that two operands meet
  if (!Coin(random, 4)) return FloatKind::kOrdinary;
  return Coin(random, 3) ? FloatKind::kLarge : FloatKind::kExtreme;
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
  const float value = kValues[Pick(random, 0, finite ? 3 : 9)];
  return Coin(random) ? value : -value;
}

float FloatValue(CaseRandom& random, FloatKind kind) {
  constexpr float kBounds[] = {-1.0f, 0.0f, 1.0f, 6.0f};
  if (kind >= FloatKind::kLarge && Coin(random)) return ExtremeValue(random, kind == FloatKind::kLarge);
  if (kind == FloatKind::kFew) return 0.5f * static_cast<float>(Pick(random, -4, 4));
  if (Coin(random, 16)) return kBounds[Pick(random, 0, 3)];
  const float reach = Coin(random, 3) ? 1.0f : 10.0f;
  return PickFloat(random, -reach, reach);
}

}  // namespace

std::int32_t Pick(CaseRandom& random, std::int32_t least, std::int32_t most) {
  return std::uniform_int_distribution<std::int32_t>(least, most)(random);
}

std::size_t PickPlace(CaseRandom& random, std::size_t count) {
  return static_cast<std::size_t>(Pick(random, 0, static_cast<std::int32_t>(count) - 1));
}

bool Coin(CaseRandom& random, int one_in) { return Pick(random, 1, one_in) == 1; }

float PickFloat(CaseRandom& random, float least, float most) {
  return std::uniform_real_distribution<float>(least, most)(random);
}

float PickScale(CaseRandom& random, float least, float most) {
  const float scale = PickFloat(random, least, most);
  return Coin(random, 3) ? std::exp2(std::floor(std::log2(scale))) : scale;
}

CaseShape PickShape(CaseRandom& random, std::int32_t least_rank, std::int32_t most_rank, std::int32_t most_extent) {
  CaseShape shape(static_cast<std::size_t>(Pick(random, least_rank, most_rank)));
  for (std::int32_t& extent : shape) extent = Pick(random, 1, most_extent);
  return shape;
}

Activation PickActivation(CaseRandom& random) {
  constexpr Activation kChoices[] = {Activation::kNone, Activation::kRelu, Activation::kReluN1To1, Activation::kRelu6};
  return Coin(random, 4) ? Activation::kNone : kChoices[Pick(random, 0, 3)];
}

CaseTensor Activations(CaseRandom& random, bool quantized, CaseShape shape) {
  CaseTensor tensor{.type = quantized ? TensorType::kInt8 : TensorType::kFloat32, .shape = std::move(shape)};
  if (!quantized) return tensor;
  tensor.scales = {PickScale(random, 0.02f, 0.2f)};
  tensor.zero_point = Pick(random, -100, 100);
  if (Coin(random, 4)) tensor.zero_point = Coin(random) ? Pick(random, -128, 127) : (Coin(random) ? -128 : 127);
  return tensor;
}

CaseTensor Sums(CaseRandom& random, bool quantized, CaseShape shape) {
  CaseTensor tensor = Activations(random, quantized, std::move(shape));
  if (quantized) tensor.scales = {PickScale(random, 0.05f, 1.0f)};
  return tensor;
}

void MakeTies(CaseRandom& random, OperatorCase& made, float step, std::int32_t most_exponent) {
  if (!Coin(random, 3)) return;
  const bool few_values = Coin(random);
  made.output.scales = {std::ldexp(step, Pick(random, 0, few_values ? 3 : most_exponent))};
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
  const bool heaped = tensor.values == ValueKind::kHeaped || (!few_values && Coin(random, 8));
  const bool at_the_top = Coin(random);
  const std::int32_t reach = few_values || Coin(random) ? 3 : 500;
  const std::int64_t far = std::int64_t{Pick(random, 0, 1)} << 52;
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    switch (tensor.type) {
      case TensorType::kFloat32:
        Store(tensor, i, FloatValue(random, float_kind));
        break;
      case TensorType::kInt32:
        Store(tensor, i, Pick(random, -reach, reach));
        break;
      case TensorType::kInt64:
        Store(tensor, i, (Coin(random) ? far : -far) + Pick(random, -reach, reach));
        break;
      case TensorType::kInt16:
        Store(tensor, i, static_cast<std::int16_t>(Pick(random, -32768, 32767)));
        break;
      case TensorType::kBool:
        tensor.bytes[i] = static_cast<std::byte>(Coin(random, 8) ? Pick(random, 2, 255) : Pick(random, 0, 1));
        break;
      default: {
        if (heaped) {
          tensor.bytes[i] = static_cast<std::byte>(at_the_top ? Pick(random, 120, 127) : Pick(random, -128, -121));
          break;
        }
        const std::int32_t near_zero = std::clamp(tensor.zero_point + Pick(random, -2, 2), -128, 127);
        tensor.bytes[i] = static_cast<std::byte>(few_values ? near_zero : Pick(random, -128, 127));
      }
    }
  }
}

void FillConstant(CaseRandom& random, CaseTensor& tensor) {
  tensor.constant = true;
  FillValues(random, tensor);
}

}  // namespace arenaproof
