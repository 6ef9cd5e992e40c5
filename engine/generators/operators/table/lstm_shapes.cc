#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/generators/operators/table/shape_draws.h"
#include "engine/generators/operators/table/table_quantization.h"
#include "engine/generators/operators/table/whole_values.h"

namespace arenaproof {
namespace {

constexpr std::size_t kFromInput = 1, kFromHidden = 5, kBiases = 12, kHidden = 18, kCell = 19, kGates = 4;

// Weights and biases by which gates are seldom at their ends. Others are drawn as any values.
void FillSmall(CaseRandom& random, CaseTensor& tensor, float most) {
  tensor.bytes.resize(tensor.count() * sizeof(float));
  for (std::size_t i = 0; i < tensor.count(); ++i) {
    const float value = random.FloatBetween(-most, most);
    std::memcpy(&tensor.bytes[i * sizeof(float)], &value, sizeof(float));
  }
}

void FillFloats(ShapeDraw& draw, OperatorCase& made) {
  if (draw.random.OneIn(4)) return;
  const float most = draw.random.OneIn(2) ? 0.1f : 1.0f;
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    if (made.inputs[i].present) FillSmall(draw.random, made.inputs[i], i == kCell ? 2.0f : most);
  }
}

// A gate's argument is a sum times 2^exponent, up to twice that, in 4096ths. Returns the exponent, for which many sums
// lie within 16 bits and none leaves 32 before it is rescaled.
std::int32_t QuantizeWeights(ShapeDraw& draw, const CaseTensor& from, CaseTensor& weights) {
  const bool wide = from.type == TensorType::kInt16;
  const auto count_bits = static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(weights.shape[1])));
  const std::int32_t exponent = draw.random.Between(-4, 2) - count_bits / 2 - (wide ? 8 : 0);
  const float step = std::ldexp(1.0f, exponent - 12) / from.scales[0];
  weights.scales = {draw.random.OneIn(3) ? step : draw.random.FloatBetween(step, 2 * step)};
  return exponent;
}

void QuantizeLstm(ShapeDraw& draw, OperatorCase& made) {
  const bool wide = made.output.type == TensorType::kInt16;
  const auto between = [&](float scale) { return draw.random.FloatBetween(scale, 1.4f * scale); };
  CaseTensor &hidden = made.inputs[kHidden], &cell = made.inputs[kCell];
  DrawQuantization(draw.random, draw.row.inputs[0], made, nullptr, made.inputs[0]);
  // Its zero point is one of the type's; the scale is about that of numbers from -1 to 1.
  DrawQuantization(draw.random, draw.row.inputs[0], made, nullptr, hidden);
  const float unit = std::ldexp(1.0f, wide ? draw.random.Between(-16, -12) : draw.random.Between(-9, -5));
  hidden.scales = {draw.random.OneIn(2) ? unit : between(unit)};
  made.output.scales = hidden.scales;
  made.output.zero_point = hidden.zero_point;
  // Those that are no power of two stand for the nearest, which a scale in the middle of two leaves to the last bit.
  const std::int32_t exponent = draw.random.Between(-17, -6);
  cell.scales = {draw.random.OneIn(2) ? std::ldexp(1.0f, exponent) : between(std::ldexp(1.0f, exponent))};
  if (draw.random.OneIn(2)) FillWithin(draw.random, cell, std::min(32767, 1 << std::max(3, 1 - exponent)));
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    const std::int32_t of_input = QuantizeWeights(draw, made.inputs[0], made.inputs[kFromInput + gate]);
    QuantizeWeights(draw, hidden, made.inputs[kFromHidden + gate]);
    CaseTensor& bias = made.inputs[kBiases + gate];
    FillWithin(draw.random, bias, 1 << std::clamp(13 - of_input, 8, 25));
  }
}

}  // namespace

// Steps and batches that are far take all gates each.
void DrawLstm(ShapeDraw& draw, OperatorCase& made) {
  auto& options = std::get<UnidirectionalSequenceLstmOptions>(made.options);
  const bool floats = made.output.type == TensorType::kFloat32;
  const std::int32_t batches = draw.extents.Next(3, 1 << 14), steps = draw.extents.Next(3, 1 << 14);
  const std::int32_t inputs = draw.extents.Next(6, floats ? 1 << 18 : 60000), units = draw.extents.Next(5, 300);
  made.inputs[0].shape = {options.time_major ? steps : batches, options.time_major ? batches : steps, inputs};
  made.output.shape = {made.inputs[0].shape[0], made.inputs[0].shape[1], units};
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    made.inputs[kFromInput + gate].shape = {units, inputs};
    made.inputs[kFromHidden + gate].shape = {units, units};
    made.inputs[kBiases + gate].shape = {units};
  }
  made.inputs[kHidden].shape = made.inputs[kCell].shape = {batches, units};
  if (draw.random.OneIn(2)) options.cell_clip = draw.random.OneIn(8) ? 1000.0f : draw.random.FloatBetween(0.01f, 3.0f);
  if (floats) {
    FillFloats(draw, made);
  } else {
    QuantizeLstm(draw, made);
  }
}

}  // namespace arenaproof
