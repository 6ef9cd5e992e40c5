#include "engine/generators/operators/table/window_draws.h"

#include <algorithm>
#include <cmath>

#include "engine/generators/operators/table/table_quantization.h"

namespace arenaproof {
namespace {

constexpr std::int32_t kNotVeryFar = 4097;

bool IsWide(const OperatorCase& made) { return made.output.type == TensorType::kInt16; }

// How large values of such a type, less their zero point, ordinarily are.
float OrdinaryValue(TensorType type) {
  return type == TensorType::kInt4 ? 4.6f : type == TensorType::kInt16 ? 19000.0f : 74.0f;
}

void DrawFactorScales(ShapeDraw& draw, OperatorCase& made, std::size_t operand) {
  CaseTensor& tensor = made.inputs[operand];
  DrawQuantization(draw.random, draw.row.inputs[operand], made, nullptr, tensor);
  if (tensor.type == TensorType::kInt16 && !draw.random.OneIn(4)) tensor.scales[0] /= 256.0f;
  // FULLY_CONNECTED serves no other.
  if (made.code == BuiltinOperator::kFullyConnected && tensor.type == TensorType::kInt4) tensor.scales.resize(1);
}

// Sums are then whole steps of the output, or halves, quarters; or so near to them that the last bit of a multiplier
// decides.
void DrawTies(CaseRandom& random, OperatorCase& made, const SumOperands& operands, float step, int ordinary) {
  CaseTensor &first = made.inputs[operands.first], &second = made.inputs[operands.second];
  const bool few_values = !IsWide(made) && random.OneIn(2);
  made.output.scales = {std::ldexp(step, few_values ? random.Between(-3, 3) : ordinary + random.Between(-4, 4))};
  float& scale = made.output.scales[0];
  if (random.OneIn(3)) scale = std::nextafter(scale, random.OneIn(2) ? 0.0f : 2.0f * scale);
  if (few_values) first.values = second.values = ValueKind::kFew;
  if (random.OneIn(2)) return;
  for (float& each : second.scales) each = std::ldexp(second.scales[0], random.Between(-2, 2));
}

void DrawOutputScale(ShapeDraw& draw, OperatorCase& made, const SumOperands& operands, float ordinary_sum) {
  CaseRandom& random = draw.random;
  const float step = made.inputs[operands.first].scales[0] * made.inputs[operands.second].scales[0];
  const float half_range = IsWide(made) ? 16384.0f : 64.0f;
  DrawQuantization(random, draw.row.outputs[0], made, nullptr, made.output);
  switch (random.Between(0, 9)) {
    case 0:
    case 1:
    case 2:
      return DrawTies(random, made, operands, step, static_cast<int>(std::log2(ordinary_sum / half_range)));
    case 3:
      made.output.scales = {std::ldexp(step, random.Between(-4, 0))};
      return;
    case 4:
      made.output.scales = {std::ldexp(step, IsWide(made) ? random.Between(28, 36) : random.Between(16, 34))};
      return;
    default:
      made.output.scales = {step * ordinary_sum / half_range * std::exp2(random.FloatBetween(-2.0f, 3.0f))};
  }
}

void DrawBiasValues(CaseRandom& random, CaseTensor& bias, float ordinary_sum) {
  const std::int64_t most = bias.type == TensorType::kInt16   ? 32767
                            : bias.type == TensorType::kInt32 ? std::int64_t{1} << 30
                                                              : std::int64_t{1} << 45;
  const auto ordinary = static_cast<std::int64_t>(2.0f * ordinary_sum);
  const std::int64_t reaches[] = {3, 500, ordinary, ordinary, ordinary, most};
  const std::int64_t reach = std::min(random.Of(reaches), most);
  std::vector<std::int64_t> values(bias.count());
  for (std::int64_t& value : values) {
    value = static_cast<std::int64_t>(random.Below(static_cast<std::size_t>(2 * reach + 1))) - reach;
  }
  SetIntegers(bias, values, bias.shape);
}

}  // namespace

std::int32_t DrawWorkExtent(ShapeDraw& draw, std::int32_t most, std::int64_t most_served) {
  const bool is_far = draw.extents.far_extent() > kNotVeryFar;
  const std::int64_t farthest = draw.random.OneIn(3) ? 1 << 18 : kNotVeryFar;
  const auto limit = static_cast<std::int32_t>(std::clamp<std::int64_t>(most_served, 1, farthest));
  const std::int32_t extent = draw.extents.Next(most, limit);
  return is_far ? 1 : std::min(extent, limit);
}

Padding DrawPadding(CaseRandom& random) { return random.OneIn(2) ? Padding::kSame : Padding::kValid; }

DrawnWindow DrawWindow(ShapeDraw& draw, std::int32_t input, Padding padding, bool dilates, std::int64_t most_filter) {
  return DrawWindowOf(draw.random, DrawWorkExtent(draw, 4, most_filter), input, padding, dilates);
}

DrawnWindow DrawWindowOf(CaseRandom& random, std::int32_t filter, std::int32_t input, Padding padding, bool dilates) {
  constexpr std::int32_t kLargeSteps[] = {4, 5, 9, 64, 257, 65537};
  const auto step = [&] { return random.OneIn(10) ? random.Of(kLargeSteps) : random.Between(1, 3); };
  DrawnWindow window{filter, step(), dilates && filter <= 16 ? step() : 1, 0};
  const auto reach = [&] { return (window.filter - 1) * window.dilation + 1; };
  if (padding == Padding::kSame) {
    window.output = (input - 1) / window.stride + 1;
    return window;
  }
  if (reach() > input) window.dilation = std::max(1, (input - 1) / std::max(1, window.filter - 1));
  if (reach() > input) window.filter = input;
  window.output = (input - reach()) / window.stride + 1;
  return window;
}

std::int64_t MostWeightedProducts(const OperatorCase& made, TensorType missing_bias) {
  if (made.output.type == TensorType::kFloat32) return 1 << 18;
  if (!IsWide(made)) return 65793;
  // Of the largest weight and the farthest activation.
  constexpr std::int64_t kMostProduct = 128 * 65535;
  const CaseTensor& bias = made.inputs.back();
  const bool narrow = (bias.present ? bias.type : missing_bias) == TensorType::kInt32;
  return ((narrow ? std::int64_t{1} << 31 : std::int64_t{1} << 47) - 1) / kMostProduct;
}

void DrawSums(ShapeDraw& draw, OperatorCase& made, const SumOperands& operands, std::int64_t products) {
  if (made.output.type != TensorType::kFloat32) {
    DrawFactorScales(draw, made, operands.first);
    DrawFactorScales(draw, made, operands.second);
    const float ordinary_sum = OrdinaryValue(made.inputs[operands.first].type) *
                               OrdinaryValue(made.inputs[operands.second].type) *
                               std::sqrt(static_cast<float>(products));
    DrawOutputScale(draw, made, operands, ordinary_sum);
    if (operands.bias != kNoBias && made.inputs[operands.bias].present) {
      DrawBiasValues(draw.random, made.inputs[operands.bias], ordinary_sum);
    }
  }
  if (operands.bias != kNoBias && !made.inputs[operands.bias].present && draw.random.OneIn(2)) made.inputs.pop_back();
}

TensorType DrawBiasTypeOption(CaseRandom& random) {
  constexpr TensorType kTypes[] = {TensorType::kFloat32, TensorType::kInt32, TensorType::kInt32, TensorType::kInt64};
  return random.Of(kTypes);
}

}  // namespace arenaproof
