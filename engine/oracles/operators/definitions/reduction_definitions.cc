// Axes reduced away: sums, means, extremes, conjunctions, and the places of extremes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/oracles/operators/definitions/indexed_definitions.h"
#include "engine/oracles/operators/fixed_point_definition.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

constexpr std::size_t kNumberBytes = 4;  // of a sum, an index, an axis

double ScaleRatio(const OperatorCase& k) { return double{k.inputs[0].scales[0]} / double{k.output.scales[0]}; }

// The bits of room for a division by `count` within the mantissa; what it cuts off is lost.
Ratio DividedBy(const Ratio& ratio, double count) {
  const int room = std::min({static_cast<int>(std::floor(std::log2(count))), 32, 31 + ratio.exponent});
  const double mantissa = std::floor(std::ldexp(static_cast<double>(ratio.mantissa), room) / count);
  return {static_cast<std::int64_t>(mantissa), ratio.exponent - room};
}

// Floats are added in the order in which they lie in memory, each sum rounded.
Values FloatSums(const OperatorCase& k, bool divides) {
  const Values stored = StoredValues(k.inputs[0]);
  float count = 0;
  const Numbers<float> sums = SumsOverAxes(k, Numbers<float>(stored.begin(), stored.end()), &count);
  Values result(sums.begin(), sums.end());
  if (divides) std::transform(sums.begin(), sums.end(), result.begin(), [&](float sum) { return sum / count; });
  return result;
}

std::vector<Expected> SumOrMean(const OperatorCase& k, bool divides) {
  if (k.output.type == TensorType::kFloat32) return {Exactly(FloatSums(k, divides))};
  double count = 0;
  Values sums = SumsOverAxes(k, StoredValues(k.inputs[0]), &count);
  Ratio ratio = RatioOf(ScaleRatio(k));
  if (divides) ratio = DividedBy(ratio, count);
  for (double& sum : sums) {
    const auto centered = static_cast<std::int64_t>(sum - k.inputs[0].zero_point * count);
    sum = std::clamp(static_cast<double>(Rescaled(centered, ratio) + k.output.zero_point), LeastOf(k.output.type),
                     MostOf(k.output.type));
  }
  return {Exactly(std::move(sums))};
}

template <typename Combine>
std::vector<Expected> Reduced(const OperatorCase& k, double first, Combine combine) {
  Values result(k.output.count(), first);
  const Values input = StoredValues(k.inputs[0]);
  const std::vector<std::size_t> places = ReducedPlaces(k);
  for (std::size_t i = 0; i < input.size(); ++i) result[places[i]] = combine(result[places[i]], input[i]);
  return {Exactly(std::move(result))};
}

constexpr double kLeastFloat = std::numeric_limits<float>::lowest();

// What is no number is neither larger nor smaller than anything.
std::vector<Expected> ReduceMax(const OperatorCase& k) {
  const double least = k.output.type == TensorType::kFloat32 ? kLeastFloat : LeastOf(k.output.type);
  return Reduced(k, least, [](double most, double value) { return value > most ? value : most; });
}
std::vector<Expected> ReduceMin(const OperatorCase& k) {
  const double most = k.output.type == TensorType::kFloat32 ? -kLeastFloat : MostOf(k.output.type);
  return Reduced(k, most, [](double least, double value) { return value < least ? value : least; });
}
std::vector<Expected> ReduceAll(const OperatorCase& k) {
  return Reduced(k, 1, [](double all, double value) { return all != 0 && value != 0 ? 1.0 : 0.0; });
}

// The first of the best: none is better than it, and each before it is worse or nothing that can be compared.
template <typename Better>
std::vector<Expected> PlaceOfBest(const OperatorCase& k, Better better) {
  const auto& shape = k.inputs[0].shape;
  const auto rank = static_cast<std::int32_t>(shape.size());
  const std::int32_t axis = (IntegerAt(k.inputs[1], 0) + rank) % rank;
  const auto length = static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
  std::size_t step = 1;
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) {
    step *= static_cast<std::size_t>(shape[i]);
  }
  const Values input = StoredValues(k.inputs[0]);
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t first = i / step * step * length + i % step;
    std::size_t best = 0;
    for (std::size_t place = 1; place < length; ++place) {
      if (better(input[first + place * step], input[first + best * step])) best = place;
    }
    result[i] = static_cast<double>(best);
  }
  return {Exactly(std::move(result))};
}

// The reference's walk over indices, and its list of axes.
std::vector<std::size_t> WalkBytes(const OperatorCase& k) {
  return {kNumberBytes * k.inputs[0].shape.size(), kNumberBytes * k.inputs[1].count()};
}
std::vector<std::size_t> SumBytes(const OperatorCase& k) {
  std::vector<std::size_t> bytes = WalkBytes(k);
  if (k.output.type != TensorType::kFloat32) bytes.insert(bytes.begin(), kNumberBytes * k.output.count());
  return bytes;
}

constexpr OperatorDefinition kReductions[] = {
    {BuiltinOperator::kMean, [](const OperatorCase& k) { return SumOrMean(k, true); }, SumBytes},
    {BuiltinOperator::kSum, [](const OperatorCase& k) { return SumOrMean(k, false); }, SumBytes},
    {BuiltinOperator::kReduceMax, ReduceMax, WalkBytes},
    {BuiltinOperator::kReduceMin, ReduceMin, WalkBytes},
    {BuiltinOperator::kReduceAll, ReduceAll, WalkBytes},
    {BuiltinOperator::kArgMax,
     [](const OperatorCase& k) { return PlaceOfBest(k, [](double a, double b) { return a > b; }); }},
    {BuiltinOperator::kArgMin,
     [](const OperatorCase& k) { return PlaceOfBest(k, [](double a, double b) { return a < b; }); }},
    {BuiltinOperator::kCumsum, CumsumOutputs},
    {BuiltinOperator::kGather, GatherOutputs, nullptr, DimsCopyBytes},
    // Without data of its own the copy of dims is the first block.
    {BuiltinOperator::kGatherNd, GatherNdOutputs},
    {BuiltinOperator::kEmbeddingLookup, EmbeddingLookupOutputs, nullptr, DimsCopyBytes},
};

}  // namespace

std::span<const OperatorDefinition> ReductionDefinitions() { return kReductions; }

}  // namespace arenaproof::props
