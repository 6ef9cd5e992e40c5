#include "props/operators/rule_breakers.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/runtime/kernel.h"
#include "fuzz/operator_cases/case_choices.h"
#include "kernels/kernel_refusals.h"
#include "props/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

using enum BuiltinOperator;
using Broken = std::optional<Refusal>;

constexpr std::uint64_t kOutputOperand = kFirstOutputOperand;

std::uint64_t Number(KernelOption option) { return static_cast<std::uint64_t>(option); }
std::uint64_t Number(KernelFeature feature) { return static_cast<std::uint64_t>(feature); }

bool IsOneOf(BuiltinOperator code, std::initializer_list<BuiltinOperator> codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}
bool IsConvolution(const OperatorCase& k) { return IsOneOf(k.code, {kConv2d, kDepthwiseConv2d}); }
bool HasFilter(const OperatorCase& k) { return IsConvolution(k) || k.code == kFullyConnected; }
bool IsPool(const OperatorCase& k) { return IsOneOf(k.code, {kAveragePool2d, kMaxPool2d}); }
bool IsInt8(const OperatorCase& k) { return k.inputs[0].type == TensorType::kInt8; }
bool IsComparison(const OperatorCase& k) {
  return IsOneOf(k.code, {kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual});
}

// Calls change(options) if the options are of a kind that it takes; true if so.
template <typename Change>
bool ChangeOptions(OperatorCase& k, Change change) {
  return std::visit(
      [&](auto& options) {
        if constexpr (requires { change(options); }) {
          change(options);
          return true;
        } else {
          return false;
        }
      },
      k.options);
}

void SetIntegers(CaseTensor& tensor, std::size_t index, std::int32_t value) {
  std::memcpy(tensor.bytes.data() + 4 * index, &value, 4);
}

Broken FilterWithZeroPoint(OperatorCase& k, CaseRandom& random) {
  if (!HasFilter(k) || !IsInt8(k)) return {};
  k.inputs[1].zero_point = Coin(random) ? Pick(random, 1, 127) : Pick(random, -128, -1);
  return Refusal{"a filter with a zero point", {StatusCode::kKernelZeroPoint}, 1};
}

// A filter as deep as it has rows, so that another dimension has as many elements as there are scales.
void MakeSquare(OperatorCase& k) {
  CaseTensor& filter = k.inputs[1];
  filter.shape[1] = filter.shape[0];
  filter.bytes.resize(filter.count());
  k.inputs[0].shape.back() = filter.shape[0];
}

Broken ScalesAlongAnotherDimension(OperatorCase& k, CaseRandom&) {
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

Broken BiasOfAnotherLength(OperatorCase& k, CaseRandom&) {
  if (!HasFilter(k)) return {};
  CaseTensor& bias = k.inputs[2];
  if (bias.scales.size() > 1) bias.scales.resize(1);
  ++bias.shape[0];
  bias.bytes.resize(bias.bytes.size() + 4);
  return Refusal{"a bias of another length", {StatusCode::kKernelElementCount}, 2};
}

Broken BiasOfAnotherType(OperatorCase& k, CaseRandom&) {
  if (!HasFilter(k)) return {};
  CaseTensor& bias = k.inputs[2];
  bias.scales.clear();
  bias.type = bias.type == TensorType::kInt32 ? TensorType::kFloat32 : TensorType::kInt32;
  return Refusal{"a bias of another type", {StatusCode::kKernelType}, 2};
}

Broken BiasOfAnotherScale(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected || !IsInt8(k) || k.inputs[1].scales.size() != 1) return {};
  k.inputs[2].scales[0] += 0.04f * k.output.scales[0];
  return Refusal{"a bias whose scale does not fit", {StatusCode::kKernelScale}, 2};
}

Broken ShuffledWeights(OperatorCase& k, CaseRandom&) {
  const auto shuffle = [](auto& options)
    requires requires { options.weights_format; }
  { options.weights_format = 1; };
  if (!ChangeOptions(k, shuffle)) return {};
  return Refusal{"shuffled weights", {StatusCode::kKernelOption}, Number(KernelOption::kWeightsFormat)};
}

Broken UnservedActivation(OperatorCase& k, CaseRandom& random) {
  const auto choice = static_cast<Activation>(k.code == kConcatenation ? Pick(random, 1, 5) : Pick(random, 4, 9));
  const auto activate = [choice](auto& options)
    requires requires { options.activation; }
  { options.activation = choice; };
  if (!ChangeOptions(k, activate)) return {};
  return Refusal{"an activation that is not served", {StatusCode::kKernelOption}, Number(KernelOption::kActivation)};
}

Broken StrideOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = Coin(random);
  const std::int32_t stride = Pick(random, -2, 0);
  const auto stop = [&](auto& options)
    requires requires { options.stride_h; }
  { (height ? options.stride_h : options.stride_w) = stride; };
  if (!ChangeOptions(k, stop)) return {};
  return Refusal{"a stride below one",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kStrideHeight : KernelOption::kStrideWidth)};
}

Broken DilationOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = Coin(random);
  const std::int32_t dilation = Pick(random, -2, 0);
  const auto stop = [&](auto& options)
    requires requires { options.dilation_h; }
  { (height ? options.dilation_h : options.dilation_w) = dilation; };
  if (!ChangeOptions(k, stop)) return {};
  return Refusal{"a dilation below one",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kDilationHeight : KernelOption::kDilationWidth)};
}

Broken WindowOfNone(OperatorCase& k, CaseRandom& random) {
  const bool height = Coin(random);
  const auto shrink = [&](auto& options)
    requires requires { options.filter_height; }
  { (height ? options.filter_height : options.filter_width) = 0; };
  if (!ChangeOptions(k, shrink)) return {};
  return Refusal{"a window of no elements",
                 {StatusCode::kKernelOption},
                 Number(height ? KernelOption::kFilterHeight : KernelOption::kFilterWidth)};
}

Broken WindowBeyondTheImage(OperatorCase& k, CaseRandom&) {
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

Broken UnknownPadding(OperatorCase& k, CaseRandom&) {
  const auto change = [](auto& options)
    requires requires { options.padding; }
  { options.padding = static_cast<Padding>(2); };
  if (!ChangeOptions(k, change)) return {};
  return Refusal{"a padding that is none", {StatusCode::kKernelOption}, Number(KernelOption::kPadding)};
}

Broken AnotherDepthMultiplier(OperatorCase& k, CaseRandom& random) {
  const std::int32_t more = Pick(random, 1, 3);
  const auto change = [&](auto& options)
    requires requires { options.depth_multiplier; }
  { options.depth_multiplier += more; };
  if (!ChangeOptions(k, change)) return {};
  return Refusal{"another depth multiplier", {StatusCode::kKernelOption}, Number(KernelOption::kDepthMultiplier)};
}

Broken OptionsOfAnotherOperator(OperatorCase& k, CaseRandom&) {
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

Broken OutputOfAnotherShape(OperatorCase& k, CaseRandom& random) {
  const auto rank = static_cast<std::int32_t>(k.output.shape.size());
  // The last output of FULLY_CONNECTED may be left away; nothing to widen in a scalar.
  const std::int32_t most = k.code == kFullyConnected ? rank - 2 : rank - 1;
  if (most < 0) return {};
  k.output.shape[static_cast<std::size_t>(Pick(random, 0, most))] += Pick(random, 1, 3);
  return Refusal{"an output of another shape",
                 {StatusCode::kKernelDimension, StatusCode::kKernelElementCount, StatusCode::kKernelRank},
                 {}};
}

Broken MoreOutputsThanRows(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected) return {};
  k.output.shape.back() = k.inputs[1].shape[0] + 1;
  return Refusal{"more outputs than the filter has rows", {StatusCode::kKernelDimension}, kOutputOperand};
}

Broken OutputOfAnotherType(OperatorCase& k, CaseRandom&) {
  if (k.output.type == TensorType::kInt16) return {};
  k.output.type = TensorType::kInt16;
  return Refusal{"an output of another type", {StatusCode::kKernelType, StatusCode::kKernelUnsupportedType}, {}};
}

Broken EmptyTensors(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kRelu, kRelu6, kLogistic, kTanh, kQuantize, kDequantize})) return {};
  // [0] alone is an old way to write a scalar.
  if (k.output.shape.size() < 2) return {};
  const auto axis = static_cast<std::size_t>(Pick(random, 0, static_cast<std::int32_t>(k.output.shape.size()) - 1));
  k.output.shape[axis] = 0;
  k.inputs[0].shape[axis] = 0;
  k.inputs[0].bytes.clear();
  return Refusal{"an output with an extent of 0", {StatusCode::kDynamicShape}, {}};
}

Broken TooFewInputs(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul, kMean, kPadv2})) return {};
  k.inputs.pop_back();
  return Refusal{"too few inputs", {StatusCode::kKernelOperandCount}, k.inputs.size()};
}

Broken TooManyInputs(OperatorCase& k, CaseRandom&) {
  const bool counted = IsPool(k) || IsComparison(k) ||
                       IsOneOf(k.code, {kSoftmax, kRelu, kRelu6, kLogistic, kTanh, kQuantize, kDequantize, kAdd, kMul,
                                        kMean, kPadv2, kConv2d, kDepthwiseConv2d, kFullyConnected});
  if (!counted) return {};
  k.second_omits_last_input = false;
  k.inputs.push_back(k.inputs[0]);
  return Refusal{"too many inputs", {StatusCode::kKernelOperandCount}, k.inputs.size()};
}

Broken InputWithoutQuantization(OperatorCase& k, CaseRandom&) {
  const bool reads = IsInt8(k) && !IsOneOf(k.code, {kReshape, kPad, kPadv2});
  if (!reads && k.code != kDequantize) return {};
  k.inputs[0].scales.clear();
  return Refusal{"an input without quantisation", {StatusCode::kKernelQuantizationMissing}, 0};
}

Broken OutputWithoutQuantization(OperatorCase& k, CaseRandom&) {
  if (k.output.type != TensorType::kInt8 || IsOneOf(k.code, {kReshape, kRelu6, kTanh})) return {};
  k.output.scales.clear();
  return Refusal{"an output without quantisation", {StatusCode::kKernelQuantizationMissing}, kOutputOperand};
}

Broken ScaleThatHasToBeAnother(OperatorCase& k, CaseRandom&) {
  if (!IsInt8(k) || (!IsPool(k) && !IsOneOf(k.code, {kSoftmax, kConcatenation}))) return {};
  k.output.scales[0] *= 1.5f;
  return Refusal{"a scale that has to be another", {StatusCode::kKernelScale}, {}};
}

Broken ZeroPointThatHasToBeAnother(OperatorCase& k, CaseRandom&) {
  if (!IsInt8(k) || (!IsPool(k) && !IsOneOf(k.code, {kSoftmax, kConcatenation, kLogistic}))) return {};
  k.output.zero_point += k.output.zero_point < 127 ? 1 : -1;
  return Refusal{"a zero point that has to be another", {StatusCode::kKernelZeroPoint}, {}};
}

Broken FillOfAnotherQuantization(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kPad, kPadv2}) || k.inputs.size() != 3 || !IsInt8(k)) return {};
  if (Coin(random)) {
    k.inputs[2].scales[0] *= 1.5f;
    return Refusal{"a fill of another scale", {StatusCode::kKernelScale}, 2};
  }
  k.inputs[2].zero_point += k.inputs[2].zero_point < 127 ? 1 : -1;
  return Refusal{"a fill of another zero point", {StatusCode::kKernelZeroPoint}, 2};
}

Broken RatioBeyondTheMultiplier(OperatorCase& k, CaseRandom&) {
  const bool rescales = IsInt8(k) && (HasFilter(k) || IsOneOf(k.code, {kAdd, kMul, kMean, kQuantize}));
  if (!rescales || FusedActivation(k) != Activation::kNone) return {};
  // The bias is compared in steps of the output first.
  if (k.code == kFullyConnected && k.inputs[1].scales.size() == 1) return {};
  k.output.scales[0] = 1e-14f;
  return Refusal{
      "a ratio of scales beyond 2^30", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kMultiplierRange)};
}

Broken ComparisonOfWideSteps(OperatorCase& k, CaseRandom& random) {
  if (!IsComparison(k) || !IsInt8(k)) return {};
  k.inputs[static_cast<std::size_t>(Pick(random, 0, 1))].scales[0] = PickFloat(random, 1.0f, 3.0f);
  return Refusal{"a comparison of steps that are not below 1",
                 {StatusCode::kKernelUnsupported},
                 Number(KernelFeature::kComparisonScale)};
}

Broken OrderOfTruths(OperatorCase& k, CaseRandom&) {
  if (!IsOneOf(k.code, {kEqual, kNotEqual}) || k.inputs[0].type != TensorType::kBool) return {};
  k.code = kLess;
  return Refusal{"an order of truths", {StatusCode::kKernelUnsupportedType}, 0};
}

Broken OperandsThatDoNotBroadcast(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul})) return {};
  CaseTensor& second = k.inputs[1];
  if (second.constant || k.inputs[0].shape.back() == 1 || second.shape.back() == 1) return {};
  second.shape.back() += 1;
  return Refusal{"operands that do not broadcast", {StatusCode::kKernelDimension}, {}};
}

Broken OperandsOfTwoTypes(OperatorCase& k, CaseRandom&) {
  if (!IsComparison(k) && !IsOneOf(k.code, {kAdd, kMul})) return {};
  if (k.inputs[1].constant) return {};
  k.inputs[1].type = TensorType::kInt16;
  return Refusal{"operands of two types", {StatusCode::kKernelType}, 1};
}

Broken AxisOutOfRange(OperatorCase& k, CaseRandom& random) {
  const auto rank = static_cast<std::int32_t>(k.inputs[0].shape.size());
  const std::int32_t axis = Coin(random) ? rank + Pick(random, 0, 2) : -rank - Pick(random, 1, 3);
  if (k.code == kMean) {
    SetIntegers(k.inputs[1], 0, axis);
  } else if (auto* options = std::get_if<ConcatenationOptions>(&k.options)) {
    options->axis = axis;
  } else {
    return {};
  }
  return Refusal{"an axis out of range", {StatusCode::kKernelOption}, Number(KernelOption::kAxis)};
}

Broken TableKnownAtRunTimeOnly(OperatorCase& k, CaseRandom&) {
  if (!IsOneOf(k.code, {kMean, kPad, kPadv2})) return {};
  k.inputs[1].constant = false;
  return Refusal{"axes or paddings that are not constant", {StatusCode::kKernelNotConstant}, 1};
}

Broken NegativePadding(OperatorCase& k, CaseRandom& random) {
  if (!IsOneOf(k.code, {kPad, kPadv2})) return {};
  const auto axis = static_cast<std::size_t>(Pick(random, 0, static_cast<std::int32_t>(k.inputs[0].shape.size()) - 1));
  const bool before = Coin(random);
  SetIntegers(k.inputs[1], 2 * axis + (before ? 0 : 1), -Pick(random, 1, 2));
  return Refusal{"a negative padding", {StatusCode::kKernelOption, StatusCode::kKernelDimension}, {}};
}

Broken ChannelsThatDoNotDivide(OperatorCase& k, CaseRandom&) {
  if (k.code != kConv2d || k.inputs[1].shape[3] < 2) return {};
  k.inputs[0].shape[3] += 1;
  return Refusal{"input channels that no group takes", {StatusCode::kKernelDimension}, 1};
}

Broken DepthOfAnotherSize(OperatorCase& k, CaseRandom&) {
  if (k.code != kFullyConnected) return {};
  k.inputs[0].shape.back() += 1;
  // As many elements may make other batches of the same depth.
  if (k.inputs[0].count() % static_cast<std::size_t>(k.inputs[1].shape[1]) == 0) return {};
  return Refusal{"vectors of another depth", {StatusCode::kKernelElementCount}, 0};
}

Broken BetaThatIsNoNumber(OperatorCase& k, CaseRandom& random) {
  auto* const options = std::get_if<SoftmaxOptions>(&k.options);
  if (options == nullptr) return {};
  using Limits = std::numeric_limits<float>;
  options->beta = Coin(random) ? Limits::infinity() : Limits::quiet_NaN();
  return Refusal{"a beta that is no number", {StatusCode::kKernelOption}, Number(KernelOption::kBetaMillionths)};
}

Broken FlatSoftmax(OperatorCase& k, CaseRandom& random) {
  auto* const options = std::get_if<SoftmaxOptions>(&k.options);
  if (options == nullptr || !IsInt8(k)) return {};
  options->beta = Coin(random) ? 0.0f : -1.0f;
  return Refusal{
      "a beta that is not positive", {StatusCode::kKernelUnsupported}, Number(KernelFeature::kMultiplierRange)};
}

constexpr RuleBreaker kRuleBreakers[] = {
    FilterWithZeroPoint,
    ScalesAlongAnotherDimension,
    BiasOfAnotherLength,
    BiasOfAnotherType,
    BiasOfAnotherScale,
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
    MoreOutputsThanRows,
    OutputOfAnotherType,
    EmptyTensors,
    TooFewInputs,
    TooManyInputs,
    InputWithoutQuantization,
    OutputWithoutQuantization,
    ScaleThatHasToBeAnother,
    ZeroPointThatHasToBeAnother,
    FillOfAnotherQuantization,
    RatioBeyondTheMultiplier,
    ComparisonOfWideSteps,
    OrderOfTruths,
    OperandsThatDoNotBroadcast,
    OperandsOfTwoTypes,
    AxisOutOfRange,
    TableKnownAtRunTimeOnly,
    NegativePadding,
    ChannelsThatDoNotDivide,
    DepthOfAnotherSize,
    BetaThatIsNoNumber,
    FlatSoftmax,
};

}  // namespace

std::span<const RuleBreaker> RuleBreakers() { return kRuleBreakers; }

}  // namespace arenaproof::props
