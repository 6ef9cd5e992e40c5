#include "fuzz/operator_cases/case_choices.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace arenaproof {
namespace {

template <typename Element>
void Store(CaseTensor& tensor, std::size_t index, Element value) {
  std::memcpy(tensor.bytes.data() + index * sizeof(Element), &value, sizeof(Element));
}

float FloatValue(CaseRandom& random, bool few_values) {
  constexpr float kBounds[] = {-1.0f, 0.0f, 1.0f, 6.0f};
  if (few_values) return 0.5f * static_cast<float>(Pick(random, -4, 4));
  if (Coin(random, 16)) return kBounds[Pick(random, 0, 3)];
  const float reach = Coin(random, 3) ? 1.0f : 10.0f;
  return PickFloat(random, -reach, reach);
}

}  // namespace

std::int32_t Pick(CaseRandom& random, std::int32_t least, std::int32_t most) {
  return std::uniform_int_distribution<std::int32_t>(least, most)(random);
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
  tensor.zero_point = Coin(random, 4) ? Pick(random, -128, 127) : Pick(random, -100, 100);
  return tensor;
}

CaseTensor Sums(CaseRandom& random, bool quantized, CaseShape shape) {
  CaseTensor tensor = Activations(random, quantized, std::move(shape));
  if (quantized) tensor.scales = {PickScale(random, 0.05f, 1.0f)};
  return tensor;
}

CaseTensor Integers(const std::vector<std::int32_t>& values, CaseShape shape) {
  CaseTensor tensor{.type = TensorType::kInt32, .shape = std::move(shape), .constant = true};
  tensor.bytes.resize(values.size() * 4);
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

void FillValues(CaseRandom& random, CaseTensor& tensor) {
  tensor.bytes.assign(tensor.count() * ElementBytes(tensor.type), std::byte{0});
  const bool few_values = Coin(random, 4);  // so that two operands meet
  const std::int32_t reach = Coin(random) ? 3 : 500;
  const std::int64_t far = std::int64_t{Pick(random, 0, 1)} << 52;
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    switch (tensor.type) {
      case TensorType::kFloat32:
        Store(tensor, i, FloatValue(random, few_values));
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
