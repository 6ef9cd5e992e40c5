#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/generators/operators/table/shape_draws.h"
#include "engine/generators/operators/table/table_quantization.h"
#include "engine/generators/operators/table/whole_values.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kFarAway = 1 << 18;

int Bits(std::int32_t value) { return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(value))); }

// Scale and zero point by the operand's row, then this scale times 1 to 2; half of the time the scale as it is.
void QuantizeAbout(ShapeDraw& draw, std::size_t operand, const OperatorCase& made, float scale, CaseTensor& tensor) {
  DrawQuantization(draw.random, draw.row.inputs[operand], made, nullptr, tensor);
  tensor.scales = {draw.random.OneIn(2) ? scale : draw.random.FloatBetween(scale, 2 * scale)};
}

enum SvdfInput : std::size_t { kSvdfData, kSvdfFeatures, kSvdfTime, kSvdfBias, kSvdfState };

// No sum leaves 32 bits, before it is rescaled or after; most outputs lie within their type.
void QuantizeSvdf(ShapeDraw& draw, OperatorCase& made, std::int32_t memory, std::int32_t rank) {
  const auto draw_of = [&](std::size_t i) {
    DrawQuantization(draw.random, draw.row.inputs[i], made, nullptr, made.inputs[i]);
    return made.inputs[i].scales[0];
  };
  CaseTensor &time = made.inputs[kSvdfTime], &state = made.inputs[kSvdfState], &bias = made.inputs[kSvdfBias];
  const bool wide = state.type == TensorType::kInt16;
  const float feature_step = draw_of(kSvdfData) * draw_of(kSvdfFeatures);
  const std::int32_t input_bits = Bits(made.inputs[kSvdfData].shape[1]);
  const std::int32_t least = wide ? (input_bits > 12 ? 1 : -2) : 4;
  const std::int32_t state_exponent = draw.random.Between(least, (wide ? 6 : 8) + input_bits);
  QuantizeAbout(draw, kSvdfState, made, std::ldexp(feature_step, state_exponent), state);
  const float time_step = draw_of(kSvdfTime) * state.scales[0];
  const std::int32_t sum_bits = Bits(memory) + Bits(rank);
  const std::int32_t exponent = wide ? draw.random.Between(10, 24) : draw.random.Between(4, 9 + sum_bits);
  QuantizeAbout(draw, kSvdfData, made, std::ldexp(time_step, exponent), made.output);
  if (wide) FillWithin(draw.random, time, std::max(1, (1 << 14) / (memory * rank)));
  if (!bias.present) return;
  bias.scales = {time_step};
  FillWithin(draw.random, bias, 1 << std::min(exponent + 5, 28));
}

}  // namespace

void DrawSvdf(ShapeDraw& draw, OperatorCase& made) {
  const TensorType state = made.inputs[kSvdfState].type;
  const bool floats = state == TensorType::kFloat32;
  const std::int32_t farthest_memory = floats ? kFarAway : state == TensorType::kInt16 ? 4095 : 8192;
  const std::int32_t batches = draw.extents.Next(3), inputs = draw.extents.Next(6, floats ? kFarAway : 65793);
  const std::int32_t units = draw.extents.Next(4), memory = draw.extents.Next(6, farthest_memory);
  const std::int32_t rank = draw.random.Between(1, 3);
  const std::int32_t filters = units * rank;
  std::get<SvdfOptions>(made.options).rank = rank;
  made.inputs[kSvdfData].shape = {batches, inputs};
  made.inputs[kSvdfFeatures].shape = {filters, inputs};
  made.inputs[kSvdfTime].shape = {filters, memory};
  made.inputs[kSvdfBias].shape = {units};
  made.inputs[kSvdfState].shape = {batches, filters * memory};
  made.output.shape = {batches, units};
  if (!floats) QuantizeSvdf(draw, made, memory, rank);
}

}  // namespace arenaproof
