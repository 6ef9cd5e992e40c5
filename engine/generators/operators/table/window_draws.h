// What the draws of windows and of sums of products share.
#pragma once

#include "engine/generators/operators/table/shape_draws.h"

namespace arenaproof {

// Extents whose product is the work: behind one that is far the others are 1, and most far ones are not very far.
std::int32_t DrawWorkExtent(ShapeDraw& draw, std::int32_t most, std::int64_t most_served = 1 << 18);

// A window over an axis of `input` elements, at least one output wide.
struct DrawnWindow {
  std::int32_t filter = 1, stride = 1, dilation = 1, output = 1;
};
DrawnWindow DrawWindow(ShapeDraw& draw, std::int32_t input, Padding padding, bool dilates, std::int64_t most_filter);
// The same of a filter that is drawn.
DrawnWindow DrawWindowOf(CaseRandom& random, std::int32_t filter, std::int32_t input, Padding padding, bool dilates);
Padding DrawPadding(CaseRandom& random);

// Operands of a sum of products; `bias` is npos for operators without one.
struct SumOperands {
  std::size_t first = 0;
  std::size_t second = 1;
  std::size_t bias = 2;
};
inline constexpr std::size_t kNoBias = static_cast<std::size_t>(-1);

// How many products of activations and weights a sum may take in its width. The bias is the last input; a missing one
// counts as of that type.
std::int64_t MostWeightedProducts(const OperatorCase& made, TensorType missing_bias = TensorType::kInt64);

// When shapes are set: scales of quantised operands, so that sums of so many products lie on ties of the output, or
// fill its type, or saturate, or vanish; values of an integer bias that count beside the sums; now and then a missing
// bias is not even listed.
void DrawSums(ShapeDraw& draw, OperatorCase& made, const SumOperands& operands, std::int64_t products);

// The type that the options give for a missing bias of int16 activations.
TensorType DrawBiasTypeOption(CaseRandom& random);

}  // namespace arenaproof
