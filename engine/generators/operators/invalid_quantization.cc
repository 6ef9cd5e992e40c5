#include <limits>
#include <vector>

#include "engine/generators/operators/invalid_case_support.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

float PickNoScale(CaseRandom& random) {
  using Limits = std::numeric_limits<float>;
  constexpr float kNone[] = {0.0f, -0.5f, Limits::infinity(), Limits::quiet_NaN()};
  return kNone[random.Between(0, 3)];
}

// What a zero point is that none may be.
std::int32_t PickNoZero(CaseRandom& random) {
  return random.OneIn(2) ? random.Between(1, 127) : random.Between(-128, -1);
}

// All channels get it.
ExpectedRefusal FilterWithZeroPoint(OperatorCase& k, CaseRandom& random) {
  if (!HasFilter(k) || !IsInt8(k)) return {};
  k.inputs[1].channel_zero_points.assign(k.inputs[1].scales.size(), PickNoZero(random));
  return Refusal{"a filter with a zero point", {StatusCode::kKernelZeroPoint}, 1};
}

// One channel that is not the first gets it.
ExpectedRefusal ChannelWithZeroPoint(OperatorCase& k, CaseRandom& random) {
  if (!HasFilter(k) || !IsInt8(k) || k.inputs[1].scales.size() < 2) return {};
  CaseTensor& filter = k.inputs[1];
  filter.channel_zero_points.assign(filter.scales.size(), 0);
  filter.channel_zero_points[1 + random.Below(filter.scales.size() - 1)] = PickNoZero(random);
  return Refusal{"a filter with a zero point", {StatusCode::kKernelZeroPoint}, 1};
}

// Any one channel gets it.
ExpectedRefusal FilterScaleThatIsNone(OperatorCase& k, CaseRandom& random) {
  if (!HasFilter(k) || !IsInt8(k)) return {};
  std::vector<float>& scales = k.inputs[1].scales;
  scales[random.Below(scales.size())] = PickNoScale(random);
  return Refusal{"a filter with a scale that is none", {StatusCode::kKernelScale}, 1};
}

// A filter as deep as it has rows, so that another dimension has as many elements as there are scales.
void MakeSquare(OperatorCase& k) {
  CaseTensor& filter = k.inputs[1];
  filter.shape[1] = filter.shape[0];
  filter.bytes.resize(filter.count());
  k.inputs[0].shape.back() = filter.shape[0];
}

ExpectedRefusal ScalesAlongAnotherDimension(OperatorCase& k, CaseRandom&) {
  if (!HasFilter(k) || k.inputs[1].scales.size() < 2) return {};
  CaseTensor& filter = k.inputs[1];
  if (k.code == kFullyConnected) MakeSquare(k);
  for (std::size_t axis = 0; axis < filter.shape.size(); ++axis) {
    if (static_cast<std::int32_t>(axis) == filter.dimension) continue;
    if (static_cast<std::size_t>(filter.shape[axis]) != filter.scales.size()) continue;
    filter.dimension = static_cast<std::int32_t>(axis);
    return Refusal{"filter scales along another dimension",
                   {StatusCode::kKernelOption},
                   Number(KernelOption::kQuantizedDimension)};
  }
  return {};
}

ExpectedRefusal BiasOfAnotherScale(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected || !IsInt8(k) || k.inputs[1].scales.size() != 1) return {};
  k.inputs[2].scales[0] += 0.04f * k.output.scales[0];
  return Refusal{"a bias whose scale does not fit", {StatusCode::kKernelScale}, 2};
}

ExpectedRefusal InputWithoutQuantization(OperatorCase& k, CaseRandom&) {
  const bool reads = IsInt8(k) && !IsOneOf(k.code, {kReshape, kPad, kPadv2});
  if (!reads && k.code != kDequantize) return {};
  k.inputs[0].scales.clear();
  return Refusal{"an input without quantisation", {StatusCode::kKernelQuantizationMissing}, 0};
}

ExpectedRefusal InputScaleThatIsNone(OperatorCase& k, CaseRandom& random) {
  const bool reads = IsInt8(k) && !IsOneOf(k.code, {kReshape, kPad, kPadv2});
  if (!reads && k.code != kDequantize) return {};
  k.inputs[0].scales[0] = PickNoScale(random);
  return Refusal{"an input whose scale is none", {StatusCode::kKernelScale}, 0};
}

ExpectedRefusal InputZeroPointOutsideItsType(OperatorCase& k, CaseRandom& random) {
  if (!IsInt8(k) || IsOneOf(k.code, {kReshape, kPad, kPadv2})) return {};
  k.inputs[0].zero_point = random.OneIn(2) ? random.Between(128, 300) : random.Between(-300, -129);
  return Refusal{"an input whose zero point is outside its type", {StatusCode::kKernelZeroPoint}, 0};
}

ExpectedRefusal OutputWithoutQuantization(OperatorCase& k, CaseRandom&) {
  if (k.output.type != TensorType::kInt8 || IsOneOf(k.code, {kReshape, kRelu6, kTanh})) return {};
  k.output.scales.clear();
  return Refusal{"an output without quantisation", {StatusCode::kKernelQuantizationMissing}, kOutputOperand};
}

ExpectedRefusal ScaleThatHasToBeAnother(OperatorCase& k, CaseRandom&) {
  if (!IsInt8(k) || (!IsPool(k) && !IsOneOf(k.code, {kSoftmax, kConcatenation}))) return {};
  k.output.scales[0] *= 1.5f;
  return Refusal{"a scale that has to be another", {StatusCode::kKernelScale}, {}};
}

ExpectedRefusal ZeroPointThatHasToBeAnother(OperatorCase& k, CaseRandom&) {
  if (!IsInt8(k) || (!IsPool(k) && !IsOneOf(k.code, {kSoftmax, kConcatenation, kLogistic}))) return {};
  k.output.zero_point += k.output.zero_point < 127 ? 1 : -1;
  return Refusal{"a zero point that has to be another", {StatusCode::kKernelZeroPoint}, {}};
}

ExpectedRefusal FillOfAnotherQuantization(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kPad, kPadv2}) || k.inputs.size() != 3 || !IsInt8(k)) return {};
  if (random.OneIn(2)) {
    k.inputs[2].scales[0] *= 1.5f;
    return Refusal{"a fill of another scale", {StatusCode::kKernelScale}, 2};
  }
  k.inputs[2].zero_point += k.inputs[2].zero_point < 127 ? 1 : -1;
  return Refusal{"a fill of another zero point", {StatusCode::kKernelZeroPoint}, 2};
}

ExpectedRefusal RatioBeyondTheMultiplier(OperatorCase& k, CaseRandom&) {
  const bool rescales = IsInt8(k) && (HasFilter(k) || IsOneOf(k.code, {kAdd, kMul, kMean, kQuantize}));
  if (!rescales || FusedActivation(k) != Activation::kNone) return {};
  // The bias is compared in steps of the output first.
  if (k.code == kFullyConnected && k.inputs[1].scales.size() == 1) return {};
  k.output.scales[0] = 1e-14f;
  return Refusal{
      "a ratio of scales beyond 2^30", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kMultiplierRange)};
}

// A bound of the activation is more steps away than 32 bits count.
ExpectedRefusal BoundBeyond32Bits(OperatorCase& k, CaseRandom&) {
  const bool bounded = k.code == kRelu6 || (IsPool(k) && FusedActivation(k) >= Activation::kReluN1To1);
  if (!IsInt8(k) || !bounded) return {};
  k.inputs[0].scales[0] = k.output.scales[0] = 1e-10f;
  return Refusal{"an activation whose bound 32 bits do not hold",
                 {StatusCode::kKernelUnsupported},
                 Number(KernelFeature::kActivationRange)};
}

ExpectedRefusal ComparisonOfWideSteps(OperatorCase& k, CaseRandom& random) {
  if (!IsComparison(k) || !IsInt8(k)) return {};
  k.inputs[static_cast<std::size_t>(random.Between(0, 1))].scales[0] = random.FloatBetween(1.0f, 3.0f);
  return Refusal{"a comparison of steps that are not below 1",
                 {StatusCode::kKernelUnsupported},
                 Number(KernelFeature::kComparisonScale)};
}

ExpectedRefusal FlatSoftmax(OperatorCase& k, CaseRandom& random) {
  auto* const options = std::get_if<SoftmaxOptions>(&k.options);
  if (options == nullptr || !IsInt8(k)) return {};
  options->beta = random.OneIn(2) ? 0.0f : -1.0f;
  return Refusal{
      "a beta that is not positive", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kMultiplierRange)};
}

constexpr InvalidCaseRule kInvalidQuantizationRules[] = {
    FilterWithZeroPoint,       ChannelWithZeroPoint,     FilterScaleThatIsNone,       ScalesAlongAnotherDimension,
    BiasOfAnotherScale,        InputWithoutQuantization, InputScaleThatIsNone,        InputZeroPointOutsideItsType,
    OutputWithoutQuantization, ScaleThatHasToBeAnother,  ZeroPointThatHasToBeAnother, FillOfAnotherQuantization,
    RatioBeyondTheMultiplier,  BoundBeyond32Bits,        ComparisonOfWideSteps,       FlatSoftmax,
};

}  // namespace

std::span<const InvalidCaseRule> InvalidQuantizationRules() { return kInvalidQuantizationRules; }

}  // namespace arenaproof::props
