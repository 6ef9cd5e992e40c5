// Valid operators at the far ends of what they take: sums of many terms that all pull one way, outputs that use a part
// of what is given for each channel, values on or next to a tie, scales near both ends of their type.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>

#include "engine/generators/operators/case_choices.h"
#include "engine/generators/operators/case_families.h"
#include "engine/generators/operators/weights.h"

namespace arenaproof {
namespace {

// Two extents of 290 elements or more together: square, or all along one axis.
std::pair<std::int32_t, std::int32_t> PickWide(CaseRandom& random) {
  const std::int32_t shape = random.Between(0, 3);
  if (shape == 0) return {1, random.Between(290, 400)};
  if (shape == 1) return {random.Between(290, 400), 1};
  return {random.Between(18, 21), random.Between(18, 21)};
}

template <typename Element>
Element ElementAt(const CaseTensor& tensor, std::size_t index) {
  Element element;
  std::memcpy(&element, tensor.bytes.data() + index * sizeof(Element), sizeof(Element));
  return element;
}

template <typename Element>
void SetElement(CaseTensor& tensor, std::size_t index, Element element) {
  std::memcpy(tensor.bytes.data() + index * sizeof(Element), &element, sizeof(Element));
}

void NoActivation(OperatorCase& made) {
  std::visit(
      [](auto& options) {
        if constexpr (requires { options.activation; }) options.activation = Activation::kNone;
      },
      made.options);
}

void FillInputs(CaseRandom& random, OperatorCase& made) {
  for (CaseTensor& input : made.inputs) {
    if (!input.constant) FillValues(random, input);
  }
}

// A window over the whole image, whose values lie near one end of their type.
OperatorCase WideWindow(CaseRandom& random) {
  const auto [height, width] = PickWide(random);
  const std::int32_t depth = random.Between(1, 2);
  OperatorCase made;
  made.code = random.OneIn(4) ? BuiltinOperator::kMaxPool2d : BuiltinOperator::kAveragePool2d;
  made.options = Pool2DOptions{
      random.OneIn(2) ? Padding::kSame : Padding::kValid, width, height, width, height, Activation::kNone};
  made.inputs.push_back(Activations(random, true, {1, height, width, depth}));
  made.inputs[0].values = ValueKind::kHeaped;
  made.output = made.inputs[0];
  made.output.shape = {1, 1, 1, depth};
  FillInputs(random, made);
  return made;
}

// The mean of as many.
OperatorCase WideMean(CaseRandom& random) {
  const auto [height, width] = PickWide(random);
  const std::int32_t kept = random.Between(1, 2);
  OperatorCase made;
  made.code = BuiltinOperator::kMean;
  made.options = ReducerOptions{.keep_dims = false};
  made.inputs.push_back(Activations(random, true, {height, kept, width}));
  made.inputs[0].values = ValueKind::kHeaped;
  made.inputs.push_back(Integers({0, 2}, {2}));
  made.output = Activations(random, true, {kept});
  made.output.zero_point = made.inputs[0].zero_point;
  made.output.scales = {made.inputs[0].scales[0] * random.FloatBetween(0.9f, 1.6f)};
  FillInputs(random, made);
  return made;
}

// int8 axes may be named more often than there are any.
OperatorCase AxesNamedOften(CaseRandom& random) {
  OperatorCase made;
  made.code = BuiltinOperator::kMean;
  made.options = ReducerOptions{.keep_dims = false};
  made.inputs.push_back(Activations(random, true, {2, random.Between(2, 9)}));
  std::vector<std::int32_t> axes;
  for (std::int32_t count = random.Between(5, 12); count > 0; --count) axes.push_back(random.OneIn(2) ? 1 : -1);
  made.inputs.push_back(Integers(axes, {static_cast<std::int32_t>(axes.size())}));
  made.output = Activations(random, true, {2});
  FillInputs(random, made);
  return made;
}

// Steps in which this sum of units of `step` lies on a tie, or so near to one that the last bit of a ratio decides.
float ScaleOnTie(CaseRandom& random, float step, std::int32_t sum) {
  return static_cast<float>(double{step} * std::abs(sum) / (random.Between(0, 60) + 0.5));
}

// Sums of hundreds of products that all have one sign, brought back near zero by the bias and stored in steps of a few
// units: an accumulator that loses or wraps anything on the way shows.
OperatorCase LongSums(CaseRandom& random, BuiltinOperator code) {
  const auto [height, width] = PickWide(random);
  const bool depthwise = code == BuiltinOperator::kDepthwiseConv2d, dense = code == BuiltinOperator::kFullyConnected;
  const std::int32_t depth = depthwise || dense ? 1 : random.Between(1, 3), channels = random.Between(1, 3);
  OperatorCase made;
  made.code = code;
  made.inputs.reserve(3);  // which are referred to
  if (dense) {
    const std::int32_t products = 2 * height * width;
    made.options = FullyConnectedOptions{.activation = Activation::kNone};
    made.inputs.push_back(Activations(random, true, {1, products}));
    made.inputs.push_back(Filter(random, true, {channels, products}, 0, channels));
    made.output = Activations(random, true, {1, channels});
  } else if (depthwise) {
    made.options = DepthwiseConv2DOptions{Padding::kValid, 1, 1, 1, Activation::kNone, 1, 1};
    made.inputs.push_back(Activations(random, true, {1, height, width, channels}));
    made.inputs.push_back(Filter(random, true, {1, height, width, channels}, 3, channels));
    made.output = Activations(random, true, {1, 1, 1, channels});
  } else {
    made.options = Conv2DOptions{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1};
    made.inputs.push_back(Activations(random, true, {1, height, width, depth}));
    made.inputs.push_back(Filter(random, true, {channels, height, width, depth}, 0, channels));
    made.output = Activations(random, true, {1, 1, 1, channels});
  }
  CaseTensor &input = made.inputs[0], &filter = made.inputs[1];
  input.values = filter.values = ValueKind::kHeaped;
  FillValues(random, input);
  FillValues(random, filter);
  input.zero_point = ElementAt<std::int8_t>(input, 0) > 0 ? -128 : 127;
  // The bias's scales are then the products of the others', to the last bit: large sums would show the difference.
  input.scales = {std::ldexp(1.0f, -random.Between(3, 6))};
  made.inputs.push_back(Bias(random, input, filter, channels));
  const std::size_t count = filter.count() / static_cast<std::size_t>(channels);
  const std::int32_t first = random.Between(1, 100);
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
    std::int32_t sum = channel == 0 ? first : random.Between(-100, 100);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t weight = depthwise ? i * static_cast<std::size_t>(channels) + channel : channel * count + i;
      sum -= ElementAt<std::int8_t>(filter, weight) *
             (ElementAt<std::int8_t>(input, depthwise ? weight : i) - input.zero_point);
    }
    SetElement(made.inputs[2], channel, sum);
  }
  made.output.zero_point = random.Between(-20, 20);
  const float step = input.scales[0] * filter.scales[0];
  made.output.scales = {random.OneIn(2) ? ScaleOnTie(random, step, first) : step * random.FloatBetween(0.9f, 2.0f)};
  return made;
}

OperatorCase LongDenseSums(CaseRandom& random) { return LongSums(random, BuiltinOperator::kFullyConnected); }
OperatorCase LongConvolutionSums(CaseRandom& random) { return LongSums(random, BuiltinOperator::kConv2d); }
OperatorCase LongDepthwiseSums(CaseRandom& random) { return LongSums(random, BuiltinOperator::kDepthwiseConv2d); }

// A scale for each of the filter's rows, and fewer outputs than rows.
OperatorCase FewOfManyRows(CaseRandom& random) {
  const std::int32_t rows = random.Between(2, 40), outputs = random.Between(1, rows / 2), depth = random.Between(1, 8);
  OperatorCase made;
  made.code = BuiltinOperator::kFullyConnected;
  made.options = FullyConnectedOptions{.activation = PickActivation(random)};
  made.inputs.push_back(Activations(random, true, {1, depth}));
  CaseTensor filter = Filter(random, true, {rows, depth}, 0, rows);
  while (filter.scales.size() < static_cast<std::size_t>(rows))
    filter.scales.push_back(PickScale(random, 0.005f, 0.03f));
  made.inputs.push_back(filter);
  made.inputs.push_back(Bias(random, made.inputs[0], made.inputs[1], rows));
  made.second_omits_last_input = random.OneIn(2);
  made.output = Sums(random, true, {1, outputs});
  FillInputs(random, made);
  return made;
}

// ---- ties and far scales

// Values on ties of the output's steps, on the steps' ends, and the floats next to both. The first is 0, the last now
// and then no number or infinite.
void FillWithTies(CaseRandom& random, CaseTensor& tensor, double scale) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  tensor.bytes.assign(tensor.count() * sizeof(float), std::byte{0});
  for (std::size_t i = 1; i < tensor.count(); ++i) {
    const double steps = random.Between(-300, 300) / 2.0;
    float value = static_cast<float>(std::fmin(std::fmax(steps * scale, -3e38), 3e38));
    const std::int32_t side = random.Between(0, 3);
    if (side == 0) value = std::nextafter(value, -kInfinity);
    if (side == 1) value = std::nextafter(value, kInfinity);
    SetElement(tensor, i, value);
  }
  const float kLast[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity};
  if (random.OneIn(2)) SetElement(tensor, tensor.count() - 1, kLast[random.Below(std::size(kLast))]);
}

OperatorCase QuantizeInSteps(CaseRandom& random, float scale) {
  OperatorCase made;
  made.code = BuiltinOperator::kQuantize;
  made.options = QuantizeOptions{};
  made.inputs.push_back(Activations(random, false, {random.Between(1, 3), random.Between(20, 40)}));
  made.output = Activations(random, true, made.inputs[0].shape);
  made.output.zero_point = random.Between(-40, 40);
  made.output.scales = {scale};
  FillWithTies(random, made.inputs[0], double{scale});
  return made;
}

OperatorCase QuantizeTies(CaseRandom& random) {
  return QuantizeInSteps(random, std::ldexp(random.FloatBetween(0.5f, 1.0f), random.Between(-24, 24)));
}

float PickFarScale(CaseRandom& random) {
  using Limits = std::numeric_limits<float>;
  const float kScales[] = {Limits::denorm_min(), 1e-42f, 1e-39f, Limits::min(), 1e-36f, 1e-30f, 1e30f, 1e37f};
  return kScales[random.Below(std::size(kScales))];
}

OperatorCase QuantizeInFarSteps(CaseRandom& random) { return QuantizeInSteps(random, PickFarScale(random)); }

OperatorCase DequantizeFarSteps(CaseRandom& random) {
  constexpr TensorType kTypes[] = {TensorType::kInt8, TensorType::kUInt8, TensorType::kInt16};
  OperatorCase made;
  made.code = BuiltinOperator::kDequantize;
  made.options = DequantizeOptions{};
  made.inputs.push_back(Activations(random, true, {random.Between(1, 3), random.Between(5, 20)}));
  made.inputs[0].type = kTypes[random.Between(0, 2)];
  if (made.inputs[0].type == TensorType::kUInt8) made.inputs[0].zero_point += 128;
  made.inputs[0].scales = {std::fmin(PickFarScale(random), 1e33f)};
  made.output = Activations(random, false, made.inputs[0].shape);
  FillInputs(random, made);
  return made;
}

OperatorCase RescalingOf(CaseRandom& random, BuiltinOperator code) {
  for (;;) {
    OperatorCase made;
    switch (code) {
      case BuiltinOperator::kMean:
        made = MakeMean(random, true);
        break;
      case BuiltinOperator::kRelu:
        made = MakeUnary(random, true);
        break;
      case BuiltinOperator::kQuantize:
        made = MakeTypeChange(random);
        break;
      case BuiltinOperator::kConv2d:
        made = MakeConvolution(random, true, false);
        break;
      case BuiltinOperator::kDepthwiseConv2d:
        made = MakeConvolution(random, true, true);
        break;
      case BuiltinOperator::kFullyConnected:
        made = MakeFullyConnected(random, true);
        break;
      default:
        made = MakeArithmetic(random, true);
        break;
    }
    if (made.code != code || made.inputs[0].type != TensorType::kInt8) continue;
    NoActivation(made);
    return made;
  }
}

// What one unit of the sum stands for that is rescaled.
float StepOf(const OperatorCase& k) {
  const bool multiplies = k.inputs.size() > 1 && k.inputs[1].scales.size() > 0 && k.code != BuiltinOperator::kAdd;
  return multiplies ? k.inputs[0].scales[0] * k.inputs[1].scales[0] : k.inputs[0].scales[0];
}

std::int32_t FirstOf(const CaseTensor& tensor) { return ElementAt<std::int8_t>(tensor, 0) - tensor.zero_point; }

OperatorCase RescaledTies(CaseRandom& random) {
  using enum BuiltinOperator;
  constexpr BuiltinOperator kCodes[] = {kRelu, kMul, kQuantize, kMul, kRelu};
  for (;;) {
    OperatorCase made = RescalingOf(random, kCodes[random.Below(std::size(kCodes))]);
    if (made.output.count() == 0) continue;
    const bool few = random.OneIn(2);  // many of them then lie on the tie
    for (CaseTensor& input : made.inputs) input.values = few ? ValueKind::kFew : input.values;
    FillInputs(random, made);
    const std::int32_t sum = FirstOf(made.inputs[0]) * (made.code == kMul ? FirstOf(made.inputs[1]) : 1);
    if (sum == 0 || (made.code == kRelu && sum < 0)) continue;
    made.output.zero_point = random.Between(-60, 60);
    made.output.scales = {ScaleOnTie(random, StepOf(made), sum)};
    return made;
  }
}

// One product for each channel, and a bias of nothing.
OperatorCase ProductsOnTies(CaseRandom& random) {
  const std::int32_t channels = random.Between(1, 8), kind = random.Between(0, 2);
  OperatorCase made;
  if (kind == 0) {
    made.code = BuiltinOperator::kFullyConnected;
    made.options = FullyConnectedOptions{.activation = Activation::kNone};
    made.inputs = {Activations(random, true, {1, 1}), Filter(random, true, {channels, 1}, 0, channels)};
    made.output = Activations(random, true, {1, channels});
  } else if (kind == 1) {
    made.code = BuiltinOperator::kConv2d;
    made.options = Conv2DOptions{.padding = Padding::kSame, .stride_w = 1, .stride_h = 1};
    made.inputs = {Activations(random, true, {1, 1, 1, 1}), Filter(random, true, {channels, 1, 1, 1}, 0, channels)};
    made.output = Activations(random, true, {1, 1, 1, channels});
  } else {
    made.code = BuiltinOperator::kDepthwiseConv2d;
    made.options = DepthwiseConv2DOptions{Padding::kSame, 1, 1, channels, Activation::kNone, 1, 1};
    made.inputs = {Activations(random, true, {1, 1, 1, 1}), Filter(random, true, {1, 1, 1, channels}, 3, channels)};
    made.output = Activations(random, true, {1, 1, 1, channels});
  }
  made.inputs[0].values = made.inputs[1].values = ValueKind::kFew;
  FillInputs(random, made);
  FillValues(random, made.inputs[1]);
  if (FirstOf(made.inputs[1]) == 0) SetElement(made.inputs[1], 0, std::int8_t{1});
  made.inputs.push_back(Bias(random, made.inputs[0], made.inputs[1], channels));
  made.inputs[2].bytes.assign(made.inputs[2].bytes.size(), std::byte{0});
  made.second_omits_last_input = random.OneIn(2);
  const std::int32_t product = FirstOf(made.inputs[0]) * FirstOf(made.inputs[1]);
  made.output.zero_point = random.Between(-60, 60);
  made.output.scales = {ScaleOnTie(random, StepOf(made), product == 0 ? 1 : product)};
  return made;
}

// A bound of an activation that lies between two steps, where a product with the reciprocal goes to the other side, if
// one is found soon.
float ScaleBetweenSteps(CaseRandom& random, float bound) {
  float scale = 1.0f;
  for (int attempt = 0; attempt < 40; ++attempt) {
    scale = static_cast<float>(double{bound} / (random.Between(1, 100) + 0.5));
    if (std::round(bound / scale) != std::round(bound * (1.0f / scale))) break;
  }
  return scale;
}

OperatorCase BoundsOnTies(CaseRandom& random) {
  const bool relu6 = random.OneIn(2);
  OperatorCase made;
  made.inputs.push_back(Activations(random, true, {1, random.Between(2, 5), random.Between(2, 5), 2}));
  made.inputs[0].scales = {ScaleBetweenSteps(random, relu6 ? 6.0f : 1.0f)};
  made.inputs[0].zero_point = random.Between(-128, 0);
  made.output = made.inputs[0];
  if (relu6 && random.OneIn(2)) {
    made.code = BuiltinOperator::kRelu6;
  } else {
    made.code = BuiltinOperator::kAveragePool2d;
    made.options = Pool2DOptions{Padding::kSame, 1, 1, 1, 1, relu6 ? Activation::kRelu6 : Activation::kReluN1To1};
  }
  FillInputs(random, made);
  return made;
}

// Floats that are divided by a count or a sum: the product with a reciprocal is another float.
OperatorCase FloatMeans(CaseRandom& random) {
  const std::int32_t rows = random.Between(20, 40), count = 2 * random.Between(1, 8) + 1;
  OperatorCase made;
  made.code = BuiltinOperator::kMean;
  made.options = ReducerOptions{.keep_dims = false};
  made.inputs.push_back(Activations(random, false, {rows, count}));
  made.inputs.push_back(Integers({1}, {1}));
  made.output = Activations(random, false, {rows});
  FillInputs(random, made);
  return made;
}

OperatorCase FloatQuotients(CaseRandom& random) {
  for (;;) {
    OperatorCase made = random.OneIn(2) ? MakePool(random, false) : MakeSoftmax(random, false);
    if (made.code == BuiltinOperator::kMaxPool2d) continue;
    FillInputs(random, made);
    return made;
  }
}

// Sums that are shifted right by so many bits that little or nothing is left.
OperatorCase MuchWiderSteps(CaseRandom& random) {
  using enum BuiltinOperator;
  constexpr BuiltinOperator kCodes[] = {kMean,           kRelu, kQuantize, kConv2d, kDepthwiseConv2d,
                                        kFullyConnected, kMul,  kAdd};
  OperatorCase made = RescalingOf(random, kCodes[random.Below(std::size(kCodes))]);
  made.output.scales = {std::ldexp(StepOf(made) * random.FloatBetween(0.5f, 1.0f), random.Between(8, 45))};
  FillInputs(random, made);
  return made;
}

// Sums that are shifted left, all of them within 32 bits.
OperatorCase MuchFinerSteps(CaseRandom& random) {
  using enum BuiltinOperator;
  constexpr BuiltinOperator kCodes[] = {kMean, kRelu, kQuantize, kMul};
  OperatorCase made = RescalingOf(random, kCodes[random.Below(std::size(kCodes))]);
  made.output.scales = {std::ldexp(StepOf(made) * random.FloatBetween(0.5f, 1.0f), -random.Between(0, 12))};
  if (random.OneIn(2)) made.inputs[0].values = ValueKind::kFew;
  FillInputs(random, made);
  return made;
}

// Ordinary ratios of scales that lie near an end of their type.
OperatorCase FarScales(CaseRandom& random) {
  using enum BuiltinOperator;
  constexpr BuiltinOperator kCodes[] = {kMean, kRelu,   kQuantize,        kAdd,
                                        kMul,  kConv2d, kDepthwiseConv2d, kFullyConnected};
  OperatorCase made = RescalingOf(random, kCodes[random.Below(std::size(kCodes))]);
  const bool has_bias = made.inputs.size() == 3;
  constexpr int kFar[] = {-140, -130, -120, 100, 120}, kFarWithProducts[] = {-100, 100};
  const int exponent =
      has_bias ? kFarWithProducts[random.Below(std::size(kFarWithProducts))] : kFar[random.Below(std::size(kFar))];
  const auto move = [&](CaseTensor& tensor) {
    for (float& scale : tensor.scales) scale = std::ldexp(scale, exponent);
  };
  move(made.inputs[0]);
  move(made.output);
  if (made.code == kAdd) move(made.inputs[1]);
  if (has_bias) move(made.inputs[2]);
  FillInputs(random, made);
  return made;
}

// Terms of very different scales, and a sum in steps as fine as they may be.
OperatorCase UnlikeTerms(CaseRandom& random) {
  OperatorCase made = RescalingOf(random, BuiltinOperator::kAdd);
  const std::size_t place = random.Below(2);
  made.inputs[place].scales[0] = std::ldexp(made.inputs[place].scales[0], -random.Between(1, 30));
  const float larger = std::fmax(made.inputs[0].scales[0], made.inputs[1].scales[0]);
  made.output.scales = {std::ldexp(larger, -random.Between(-3, 14))};
  FillInputs(random, made);
  return made;
}

// Functions by tables and polynomials, of inputs in steps of any size that they serve.
OperatorCase FunctionsOfFarSteps(CaseRandom& random) {
  using enum BuiltinOperator;
  for (;;) {
    OperatorCase made = random.OneIn(2) ? MakeUnary(random, true) : MakeSoftmax(random, true);
    if (made.code != kLogistic && made.code != kTanh && made.code != kSoftmax) continue;
    const bool tables = made.code != kSoftmax;
    made.inputs[0].scales = {std::ldexp(random.FloatBetween(0.5f, 1.0f), random.Between(tables ? -130 : -20, 2))};
    FillInputs(random, made);
    return made;
  }
}

using ExtremeCaseMaker = OperatorCase (*)(CaseRandom& random);
constexpr ExtremeCaseMaker kExtremeCaseMakers[] = {
    WideWindow,         FewOfManyRows,  QuantizeTies,        WideMean,           LongDenseSums,
    QuantizeInFarSteps, AxesNamedOften, LongConvolutionSums, DequantizeFarSteps, MuchWiderSteps,
    LongDepthwiseSums,  MuchFinerSteps, FunctionsOfFarSteps, RescaledTies,       ProductsOnTies,
    BoundsOnTies,       FloatMeans,     FloatQuotients,      FarScales,          UnlikeTerms};

}  // namespace

std::size_t ExtremeKindCount() { return std::size(kExtremeCaseMakers); }

OperatorCase MakeExtremeCase(CaseRandom& random, std::size_t kind) { return kExtremeCaseMakers[kind](random); }

}  // namespace arenaproof
