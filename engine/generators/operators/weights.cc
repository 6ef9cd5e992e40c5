#include "engine/generators/operators/weights.h"

namespace arenaproof {

CaseTensor Filter(CaseRandom& random, bool quantized, CaseShape shape, std::int32_t dimension, std::int32_t channels) {
  CaseTensor tensor{.type = quantized ? TensorType::kInt8 : TensorType::kFloat32, .shape = std::move(shape)};
  if (quantized) {
    tensor.dimension = dimension;
    const std::int32_t count = random.OneIn(2) ? channels : 1;
    for (std::int32_t i = 0; i < count; ++i) tensor.scales.push_back(PickScale(random, 0.005f, 0.03f));
  }
  FillConstant(random, tensor);
  return tensor;
}

CaseTensor Bias(CaseRandom& random, const CaseTensor& input, const CaseTensor& filter, std::int32_t channels) {
  CaseTensor tensor{.shape = {channels}};
  if (input.type == TensorType::kInt8) {
    tensor.type = TensorType::kInt32;
    for (const float scale : filter.scales) tensor.scales.push_back(input.scales[0] * scale);
  }
  FillConstant(random, tensor);
  return tensor;
}

}  // namespace arenaproof
