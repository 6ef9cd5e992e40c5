#include "engine/generators/operators/invalid_cases.h"

#include <iterator>
#include <limits>
#include <utility>

#include "engine/generators/operators/invalid_case_support.h"
#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {
namespace {

ExpectedRefusal BiasOfAnotherLength(OperatorCase& k, CaseRandom&) {
  if (!HasFilter(k)) return {};
  CaseTensor& bias = k.inputs[2];
  if (bias.scales.size() > 1) bias.scales.resize(1);
  ++bias.shape[0];
  bias.bytes.resize(bias.bytes.size() + 4);
  return Refusal{"a bias of another length", {StatusCode::kKernelElementCount}, 2};
}

ExpectedRefusal BiasOfAnotherType(OperatorCase& k, CaseRandom&) {
  if (!HasFilter(k)) return {};
  CaseTensor& bias = k.inputs[2];
  bias.scales.clear();
  bias.type = bias.type == TensorType::kInt32 ? TensorType::kFloat32 : TensorType::kInt32;
  return Refusal{"a bias of another type", {StatusCode::kKernelType}, 2};
}

ExpectedRefusal ShuffledWeights(OperatorCase& k, CaseRandom&) {
  const auto shuffle = [](auto& options)
    requires requires { options.weights_format; }
  { options.weights_format = 1; };
  if (!ChangeOptions(k, shuffle)) return {};
  return Refusal{"shuffled weights", {StatusCode::kKernelOption}, Number(KernelOption::kWeightsFormat)};
}

ExpectedRefusal UnservedActivation(OperatorCase& k, CaseRandom& random) {
  const auto choice = static_cast<Activation>(k.code == kConcatenation ? random.Between(1, 5) : random.Between(4, 9));
  const auto activate = [choice](auto& options)
    requires requires { options.activation; }
  { options.activation = choice; };
  if (!ChangeOptions(k, activate)) return {};
  return Refusal{"an activation that is not served", {StatusCode::kKernelOption}, Number(KernelOption::kActivation)};
}

ExpectedRefusal StrideOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = random.OneIn(2);
  const std::int32_t stride = random.Between(-2, 0);
  const auto stop = [&](auto& options)
    requires requires { options.stride_h; }
  { (height ? options.stride_h : options.stride_w) = stride; };
  if (!ChangeOptions(k, stop)) return {};
  return Refusal{"a stride below one",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kStrideHeight : KernelOption::kStrideWidth)};
}

ExpectedRefusal DilationOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = random.OneIn(2);
  const std::int32_t dilation = random.Between(-2, 0);
  const auto stop = [&](auto& options)
    requires requires { options.dilation_h; }
  { (height ? options.dilation_h : options.dilation_w) = dilation; };
  if (!ChangeOptions(k, stop)) return {};
  return Refusal{"a dilation below one",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kDilationHeight : KernelOption::kDilationWidth)};
}

ExpectedRefusal WindowOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = random.OneIn(2);
  const auto shrink = [&](auto& options)
    requires requires { options.filter_height; }
  { (height ? options.filter_height : options.filter_width) = 0; };
  if (!ChangeOptions(k, shrink)) return {};
  return Refusal{"a window of no elements",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kFilterHeight : KernelOption::kFilterWidth)};
}

ExpectedRefusal WindowBeyondTheImage(OperatorCase& k, CaseRandom&) {
  const std::int32_t image = k.inputs[0].shape.size() == 4 ? k.inputs[0].shape[1] : 0;
  const auto grow = [&](auto& options)
    requires requires { options.filter_height; }
  {
    options.padding = Padding::kValid;
    options.filter_height = image + 1;
  };
  if (!ChangeOptions(k, grow)) return {};
  return Refusal{"a window wider than the image", {StatusCode::kKernelOption}, Number(KernelOption::kFilterHeight)};
}

ExpectedRefusal UnknownPadding(OperatorCase& k, CaseRandom&) {
  const auto change = [](auto& options)
    requires requires { options.padding; }
  { options.padding = static_cast<Padding>(2); };
  if (!ChangeOptions(k, change)) return {};
  return Refusal{"a padding that is none", {StatusCode::kKernelOption}, Number(KernelOption::kPadding)};
}

ExpectedRefusal AnotherDepthMultiplier(OperatorCase& k, CaseRandom& random) {
  const std::int32_t more = random.Between(1, 3);
  const auto change = [&](auto& options)
    requires requires { options.depth_multiplier; }
  { options.depth_multiplier += more; };
  if (!ChangeOptions(k, change)) return {};
  return Refusal{"another depth multiplier", {StatusCode::kKernelOption}, Number(KernelOption::kDepthMultiplier)};
}

ExpectedRefusal OptionsOfAnotherOperator(OperatorCase& k, CaseRandom&) {
  const bool has_rules = HasFilter(k) || IsPool(k) || IsOneOf(k.code, {kSoftmax, kConcatenation, kAdd, kMul});
  if (!has_rules) return {};
  if (k.code == kAdd) {
    k.options = MulOptions{};
  } else {
    k.options = AddOptions{};
  }
  return Refusal{
      "options of another operator", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kMissingOptions)};
}

ExpectedRefusal OutputOfAnotherShape(OperatorCase& k, CaseRandom& random) {
  const auto rank = static_cast<std::int32_t>(k.output.shape.size());
  // The last output of FULLY_CONNECTED may be left away; nothing to widen in a scalar.
  const std::int32_t most = k.code == kFullyConnected ? rank - 2 : rank - 1;
  if (most < 0) return {};
  k.output.shape[static_cast<std::size_t>(random.Between(0, most))] += random.Between(1, 3);
  return Refusal{"an output of another shape",
                 {StatusCode::kKernelDimension, StatusCode::kKernelElementCount, StatusCode::kKernelRank},
                 {}};
}

// As many elements in another arrangement, which only a comparison of the extents notices.
ExpectedRefusal OutputExtentsExchanged(OperatorCase& k, CaseRandom& random) {
  if (k.code == kReshape || k.output.shape.size() < 2) return {};
  std::vector<std::int32_t>& shape = k.output.shape;
  std::vector<std::pair<std::size_t, std::size_t>> fitting;
  for (std::size_t one = 0; one < shape.size(); ++one) {
    for (std::size_t other = one + 1; other < shape.size(); ++other) {
      // Batches of FULLY_CONNECTED may lie in any shape, extents of 1 anywhere in that of MEAN.
      if (k.code == kFullyConnected && other + 1 != shape.size()) continue;
      if (k.code == kMean && (shape[one] == 1 || shape[other] == 1)) continue;
      if (shape[one] != shape[other]) fitting.emplace_back(one, other);
    }
  }
  if (fitting.empty()) return {};
  const auto [one, other] = fitting[random.Below(fitting.size())];
  std::swap(shape[one], shape[other]);
  return Refusal{
      "an output whose extents are exchanged", {StatusCode::kKernelDimension, StatusCode::kKernelElementCount}, {}};
}

ExpectedRefusal OutputOfAnotherRank(OperatorCase& k, CaseRandom& random) {
  if (IsOneOf(k.code, {kReshape, kMean, kFullyConnected}) || k.output.shape.size() > 4) return {};
  if (k.output.count() == 0) return {};
  k.output.shape.insert(random.OneIn(2) ? k.output.shape.begin() : k.output.shape.end(), 1);
  return Refusal{"an output of another rank", {StatusCode::kKernelRank}, {}};
}

ExpectedRefusal MoreOutputsThanRows(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected) return {};
  k.output.shape.back() = k.inputs[1].shape[0] + 1;
  return Refusal{"more outputs than the filter has rows", {StatusCode::kKernelDimension}, kOutputOperand};
}

ExpectedRefusal OutputOfAnotherType(OperatorCase& k, CaseRandom&) {
  if (k.output.type == TensorType::kInt64) return {};
  k.output.type = TensorType::kInt64;
  return Refusal{"an output of another type", {StatusCode::kKernelType, StatusCode::kKernelUnsupportedType}, {}};
}

ExpectedRefusal EmptyTensors(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kRelu, kRelu6, kLogistic, kTanh, kQuantize, kDequantize})) return {};
  // [0] alone is an old way to write a scalar.
  if (k.output.shape.size() < 2) return {};
  const auto axis = static_cast<std::size_t>(random.Between(0, static_cast<std::int32_t>(k.output.shape.size()) - 1));
  k.output.shape[axis] = 0;
  k.inputs[0].shape[axis] = 0;
  k.inputs[0].bytes.clear();
  return Refusal{"an output with an extent of 0", {StatusCode::kDynamicShape}, {}};
}

ExpectedRefusal TooFewInputs(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul, kMean, kPadv2})) return {};
  k.inputs.pop_back();
  return Refusal{"too few inputs", {StatusCode::kKernelOperandCount}, k.inputs.size()};
}

ExpectedRefusal TooManyInputs(OperatorCase& k, CaseRandom&) {
  const bool counted = IsPool(k) || IsComparison(k) ||
                       IsOneOf(k.code, {kSoftmax, kRelu, kRelu6, kLogistic, kTanh, kQuantize, kDequantize, kAdd, kMul,
                                        kMean, kPadv2, kConv2d, kDepthwiseConv2d, kFullyConnected});
  if (!counted) return {};
  k.second_omits_last_input = false;
  k.inputs.push_back(k.inputs[0]);
  return Refusal{"too many inputs", {StatusCode::kKernelOperandCount}, k.inputs.size()};
}

ExpectedRefusal OrderOfTruths(OperatorCase& k, CaseRandom&) {
  if (!IsOneOf(k.code, {kEqual, kNotEqual}) || k.inputs[0].type != TensorType::kBool) return {};
  k.code = kLess;
  return Refusal{"an order of truths", {StatusCode::kKernelUnsupportedType}, 0};
}

ExpectedRefusal OperandsThatDoNotBroadcast(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul})) return {};
  CaseTensor& second = k.inputs[1];
  if (k.inputs[0].shape.empty() || second.shape.empty()) return {};
  if (second.constant || k.inputs[0].shape.back() == 1 || second.shape.back() == 1) return {};
  second.shape.back() += second.shape.back() == 0 ? 2 : 1;
  return Refusal{"operands that do not broadcast", {StatusCode::kKernelDimension}, {}};
}

ExpectedRefusal OperandsOfTwoTypes(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul})) return {};
  if (k.inputs[1].constant) return {};
  k.inputs[1].type = TensorType::kInt16;
  return Refusal{"operands of two types", {StatusCode::kKernelType}, 1};
}

ExpectedRefusal AxisOutOfRange(OperatorCase& k, CaseRandom& random) {
  const auto rank = static_cast<std::int32_t>(k.inputs[0].shape.size());
  const std::int32_t axis = random.OneIn(2) ? rank + random.Between(0, 2) : -rank - random.Between(1, 3);
  if (k.code == kMean) {
    SetIntegers(k.inputs[1], 0, axis);
  } else if (auto* options = std::get_if<ConcatenationOptions>(&k.options)) {
    options->axis = axis;
  } else {
    return {};
  }
  return Refusal{"an axis out of range", {StatusCode::kKernelOption}, Number(KernelOption::kAxis)};
}

ExpectedRefusal TableKnownAtRunTimeOnly(OperatorCase& k, CaseRandom&) {
  if (!IsOneOf(k.code, {kMean, kPad, kPadv2})) return {};
  k.inputs[1].constant = false;
  return Refusal{"axes or paddings that are not constant", {StatusCode::kKernelNotConstant}, 1};
}

// The other end makes up for it, so that the output's shape still fits.
ExpectedRefusal NegativePadding(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kPad, kPadv2})) return {};
  const std::size_t axis = random.Below(k.inputs[0].shape.size());
  const bool before = random.OneIn(2);
  const std::size_t at = 2 * axis + (before ? 0 : 1), other = 2 * axis + (before ? 1 : 0);
  const std::int32_t sum = IntegerAt(k.inputs[1], at) + IntegerAt(k.inputs[1], other), negative = -random.Between(1, 2);
  SetIntegers(k.inputs[1], at, negative);
  SetIntegers(k.inputs[1], other, sum - negative);
  return Refusal{"a negative padding",
                 {StatusCode::kKernelOption},
                 Number(before ? KernelOption::kPaddingBefore : KernelOption::kPaddingAfter)};
}

ExpectedRefusal MoreAxesThanFloatsMayHave(OperatorCase& k, CaseRandom&) {
  if (k.code != kMean || IsInt8(k)) return {};
  const std::int32_t axis = IntegerAt(k.inputs[1], 0);
  std::vector<std::int32_t> axes(5, axis);
  for (std::size_t i = 0; i < k.inputs[1].count(); ++i) axes[i] = IntegerAt(k.inputs[1], i);
  k.inputs[1] = Integers(axes, {5});
  return Refusal{"five axes of floats", {StatusCode::kKernelElementCount}, 1};
}

ExpectedRefusal ChannelsThatDoNotDivide(OperatorCase& k, CaseRandom&) {
  if (k.code != kConv2d || k.inputs[1].shape[3] < 2) return {};
  k.inputs[0].shape[3] += 1;
  return Refusal{"input channels that no group takes", {StatusCode::kKernelDimension}, 1};
}

ExpectedRefusal DepthOfAnotherSize(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected) return {};
  k.inputs[0].shape.back() += 1;
  // As many elements may make other batches of the same depth.
  if (k.inputs[0].count() % static_cast<std::size_t>(k.inputs[1].shape[1]) == 0) return {};
  return Refusal{"vectors of another depth", {StatusCode::kKernelElementCount}, 0};
}

ExpectedRefusal BetaThatIsNoNumber(OperatorCase& k, CaseRandom& random) {
  auto* const options = std::get_if<SoftmaxOptions>(&k.options);
  if (options == nullptr) return {};
  using Limits = std::numeric_limits<float>;
  options->beta = random.OneIn(2) ? Limits::infinity() : Limits::quiet_NaN();
  return Refusal{"a beta that is no number", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kInfiniteBeta)};
}

constexpr InvalidCaseRule kInvalidCaseRules[] = {
    BiasOfAnotherLength,
    BiasOfAnotherType,
    ShuffledWeights,
    UnservedActivation,
    StrideOfNone,
    DilationOfNone,
    WindowOfNone,
    WindowBeyondTheImage,
    UnknownPadding,
    AnotherDepthMultiplier,
    OptionsOfAnotherOperator,
    OutputOfAnotherShape,
    OutputExtentsExchanged,
    OutputOfAnotherRank,
    MoreOutputsThanRows,
    OutputOfAnotherType,
    EmptyTensors,
    TooFewInputs,
    TooManyInputs,
    OrderOfTruths,
    OperandsThatDoNotBroadcast,
    OperandsOfTwoTypes,
    AxisOutOfRange,
    TableKnownAtRunTimeOnly,
    NegativePadding,
    MoreAxesThanFloatsMayHave,
    ChannelsThatDoNotDivide,
    DepthOfAnotherSize,
    BetaThatIsNoNumber,
};

}  // namespace

std::vector<InvalidCaseRule> InvalidCaseRules() {
  std::vector<InvalidCaseRule> all(std::begin(kInvalidCaseRules), std::end(kInvalidCaseRules));
  all.insert(all.end(), InvalidQuantizationRules().begin(), InvalidQuantizationRules().end());
  return all;
}

}  // namespace arenaproof::props
