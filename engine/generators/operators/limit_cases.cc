#include "engine/generators/operators/limit_cases.h"

#include <cmath>
#include <iterator>
#include <limits>

#include "engine/generators/operators/invalid_case_support.h"

namespace arenaproof::props {
namespace {

// At the limit a sum of products is 65793 * 128 * 255, or 8388607 * 256, and 32 bits just hold it.
constexpr std::int32_t kMostProducts = 0x7FFFFFFF / (128 * 255);
constexpr std::int32_t kMostSummands = 0x7FFFFFFF / 256;

LimitCase Limit(OperatorCase subject, bool beyond, Refusal refusal) {
  const char* const what = refusal.what;
  return {std::move(subject), what, beyond ? std::optional(std::move(refusal)) : std::nullopt};
}

Refusal Unsupported(const char* what, KernelFeature feature) {
  return {what, {StatusCode::kKernelUnsupported}, Number(feature)};
}

CaseTensor Int8(std::vector<std::int32_t> shape, float scale = 0.05f, std::int32_t zero_point = 0) {
  return {.type = TensorType::kInt8, .shape = std::move(shape), .scales = {scale}, .zero_point = zero_point};
}

// One step further from 0.
float Next(float scale) { return std::nextafter(scale, std::numeric_limits<float>::infinity()); }

// ---- how much 32 bits hold

// Two small factors of `most`, and the one that makes up for them: as a product exactly `most`, or more.
struct Factors {
  std::int32_t first, second, rest;
};
Factors FactorsOf(CaseRandom& random, std::int32_t most, std::int32_t prime, bool beyond) {
  const std::int32_t first = random.OneIn(2) ? prime : 1, second = first == 1 && random.OneIn(2) ? prime : 1;
  return {first, second, most / (first * second) + (beyond ? 1 : 0)};
}

Refusal TooManyProducts() {
  return Unsupported("a sum of more products than 32 bits hold", KernelFeature::kAccumulatorRange);
}

// The filter's axis 1, 2 or 3 is the long one. Whether products are many does not depend on how channels are scaled.
template <std::size_t axis>
LimitCase ConvolutionProducts(CaseRandom& random, bool beyond) {
  constexpr std::int32_t kPrimes[] = {3, 7, 13};
  const Factors factors = FactorsOf(random, kMostProducts, kPrimes[random.Between(0, 2)], beyond);
  std::vector<std::int32_t> shape = {1, factors.first, factors.second};
  shape.insert(shape.begin() + axis, factors.rest);
  OperatorCase made;
  made.code = kConv2d;
  made.options = Conv2DOptions{.padding = Padding::kValid, .stride_w = 1, .stride_h = 1};
  made.inputs = {Int8(shape), Int8(shape)};
  made.output = Int8({1, 1, 1, 1});
  return Limit(made, beyond, TooManyProducts());
}

template <std::size_t axis>
LimitCase DepthwiseProducts(CaseRandom& random, bool beyond) {
  const Factors factors = FactorsOf(random, kMostProducts, random.OneIn(2) ? 3 : 241, beyond);
  const std::int32_t other = factors.first * factors.second, channels = random.Between(1, 3);
  OperatorCase made;
  made.code = kDepthwiseConv2d;
  made.options = DepthwiseConv2DOptions{Padding::kValid, 1, 1, 1, Activation::kNone, 1, 1};
  const std::vector<std::int32_t> shape = {1, axis == 1 ? factors.rest : other, axis == 2 ? factors.rest : other,
                                           channels};
  made.inputs = {Int8(shape), Int8(shape)};
  made.output = Int8({1, 1, 1, channels});
  return Limit(made, beyond, TooManyProducts());
}

LimitCase DenseProducts(CaseRandom& random, bool beyond) {
  const std::int32_t depth = kMostProducts + (beyond ? 1 : 0), rows = random.Between(1, 2);
  OperatorCase made;
  made.code = kFullyConnected;
  made.options = FullyConnectedOptions{};
  made.inputs = {Int8({1, depth}), Int8({rows, depth})};
  if (random.OneIn(2)) made.inputs[1].scales.assign(static_cast<std::size_t>(rows), 0.02f);
  made.output = Int8({1, rows});
  return Limit(made, beyond, TooManyProducts());
}

// Whichever axis is the long one; another one may be reduced too, others are kept.
LimitCase MeanSummands(CaseRandom& random, bool beyond) {
  const std::int32_t rank = random.Between(1, 4), longest = random.Between(0, rank - 1),
                     also = random.Between(0, rank - 1);
  const std::int32_t small = also != longest && random.OneIn(2) ? 47 : 1;
  std::vector<std::int32_t> shape, axes, output;
  for (std::int32_t axis = 0; axis < rank; ++axis) {
    const bool kept = axis != longest && axis != also;
    shape.push_back(kept ? random.Between(1, 2) : small);
    if (axis == longest) shape.back() = kMostSummands / small + (beyond ? 1 : 0);
    if (kept) output.push_back(shape.back());
    if (!kept) axes.push_back(random.OneIn(2) ? axis : axis - rank);
  }
  OperatorCase made;
  made.code = kMean;
  made.options = ReducerOptions{.keep_dims = false};
  made.inputs = {Int8(shape), Integers(axes, {static_cast<std::int32_t>(axes.size())})};
  made.output = Int8(output);
  return Limit(made, beyond, Unsupported("a mean of more values than 32 bits hold", KernelFeature::kAccumulatorRange));
}

LimitCase SoftmaxRow(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = kSoftmax;
  made.options = SoftmaxOptions{.beta = 1.0f};
  made.inputs = {Int8({random.Between(1, 3), 8191 + (beyond ? 1 : 0)})};
  made.output = Int8(made.inputs[0].shape, 1.0f / 256.0f, -128);
  return Limit(made, beyond, Unsupported("a softmax of too long rows", KernelFeature::kSoftmaxRow));
}

// ---- scales

Refusal RatioTooLarge() { return Unsupported("a ratio of scales beyond 2^30", KernelFeature::kMultiplierRange); }

// The ratio is 2^15 to this one: 2^30, or a little less.
float FinestScale(bool beyond) { return beyond ? std::ldexp(1.0f, -15) : Next(std::ldexp(1.0f, -15)); }

template <BuiltinOperator code>
LimitCase RescalingRatio(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = code;
  made.inputs = {Int8({2, 3}, 32768.0f)};
  made.output = Int8({2, 3}, FinestScale(beyond), random.Between(-100, 100));
  if constexpr (code == kQuantize) made.options = QuantizeOptions{};
  if constexpr (code == kMul) {
    made.options = MulOptions{};
    made.inputs.push_back(Int8({2, 3}, 1.0f));
    if (random.OneIn(2)) std::swap(made.inputs[0].scales, made.inputs[1].scales);
  }
  if constexpr (code == kMean) {
    made.options = ReducerOptions{.keep_dims = true};
    made.inputs.push_back(Integers({1}, {1}));
    made.output.shape = {2, 1};
  }
  return Limit(made, beyond, RatioTooLarge());
}

// In any one of the channels, or in all.
template <BuiltinOperator code>
LimitCase ChannelRatio(CaseRandom& random, bool beyond) {
  const std::int32_t channels = random.Between(1, 5);
  OperatorCase made;
  made.code = code;
  if constexpr (code == kFullyConnected) {
    made.options = FullyConnectedOptions{};
    made.inputs = {Int8({1, 3}, 1024.0f), Int8({channels, 3}, 32.0f)};
    made.output = Int8({1, channels}, FinestScale(beyond));
  } else if constexpr (code == kConv2d) {
    made.options = Conv2DOptions{.padding = Padding::kSame, .stride_w = 1, .stride_h = 1};
    made.inputs = {Int8({1, 2, 2, 3}, 1024.0f), Int8({channels, 1, 1, 3}, 32.0f)};
    made.output = Int8({1, 2, 2, channels}, FinestScale(beyond));
  } else {
    made.options = DepthwiseConv2DOptions{Padding::kSame, 1, 1, channels, Activation::kNone, 1, 1};
    made.inputs = {Int8({1, 2, 2, 1}, 1024.0f), Int8({1, 1, 1, channels}, 32.0f)};
    made.inputs[1].dimension = 3;
    made.output = Int8({1, 2, 2, channels}, FinestScale(beyond));
  }
  if (channels > 1 && random.OneIn(2)) {
    made.inputs[1].scales.assign(static_cast<std::size_t>(channels), 0.5f);
    made.inputs[1].scales[random.Below(made.inputs[1].scales.size())] = 32.0f;
  }
  return Limit(made, beyond, RatioTooLarge());
}

LimitCase SumRatio(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = kAdd;
  made.options = AddOptions{};
  made.inputs = {Int8({4}, 1.0f), Int8({4}, 0.5f)};
  if (random.OneIn(2)) std::swap(made.inputs[0].scales, made.inputs[1].scales);
  const float finest = std::ldexp(1.0f, -19);
  made.output = Int8({4}, beyond ? finest : Next(finest));
  return Limit(made, beyond, Unsupported("a sum in steps that are too fine", KernelFeature::kMultiplierRange));
}

LimitCase ComparedScale(CaseRandom& random, bool beyond) {
  constexpr BuiltinOperator kCodes[] = {kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual};
  OperatorCase made;
  made.code = kCodes[random.Between(0, 5)];
  made.inputs = {Int8({3}, 0.5f), Int8({3}, 0.5f)};
  made.inputs[random.Below(2)].scales = {beyond ? 1.0f : std::nextafter(1.0f, 0.0f)};
  made.output = {.type = TensorType::kBool, .shape = {3}};
  return Limit(made, beyond,
               Unsupported("a comparison of steps that are not below 1", KernelFeature::kComparisonScale));
}

// 2^31 steps or a little fewer.
LimitCase BoundInSteps(CaseRandom& random, bool beyond) {
  const bool relu6 = random.OneIn(2);
  const float finest = std::ldexp(relu6 ? 6.0f : 1.0f, -31);
  OperatorCase made;
  made.inputs = {Int8({1, 2, 2, 1}, beyond ? finest : Next(Next(finest)), random.Between(-100, 100))};
  made.output = made.inputs[0];
  if (relu6 && random.OneIn(2)) {
    made.code = kRelu6;
  } else {
    made.code = random.OneIn(2) ? kAveragePool2d : kMaxPool2d;
    made.options = Pool2DOptions{Padding::kSame, 1, 1, 1, 1, relu6 ? Activation::kRelu6 : Activation::kReluN1To1};
  }
  return Limit(made, beyond,
               Unsupported("an activation whose bound 32 bits do not hold", KernelFeature::kActivationRange));
}

// A fiftieth of an output step more or less than the product of the scales, and no more.
LimitCase BiasScale(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = kFullyConnected;
  made.options = FullyConnectedOptions{};
  const float off = (random.OneIn(2) ? 1.0f : -1.0f) * (beyond ? 0.0201f : 0.0199f);
  made.inputs = {
      Int8({1, 2}, 0.5f), Int8({2, 2}, 0.5f), {.type = TensorType::kInt32, .shape = {2}, .scales = {0.25f + off}}};
  made.output = Int8({1, 2}, 1.0f);
  return Limit(made, beyond, {"a bias whose scale does not fit", {StatusCode::kKernelScale}, 2});
}

// A millionth.
LimitCase PooledScale(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = random.OneIn(2) ? kAveragePool2d : kMaxPool2d;
  made.options = Pool2DOptions{Padding::kSame, 1, 1, 1, 1, Activation::kNone};
  made.inputs = {Int8({1, 2, 2, 1}, 0.5f)};
  made.output = Int8({1, 2, 2, 1}, 0.5f + (beyond ? 1.01e-6f : 0.95e-6f));
  if (random.OneIn(2)) std::swap(made.inputs[0].scales, made.output.scales);
  return Limit(made, beyond, {"a scale that has to be another", {StatusCode::kKernelScale}, {}});
}

// ---- others

// The type's least or largest, and one beyond, of what is read or made.
template <bool largest>
LimitCase ZeroPoint(CaseRandom& random, bool beyond) {
  struct Range {
    TensorType type;
    std::int32_t least, most;
  };
  constexpr Range kRanges[] = {
      {TensorType::kInt8, -128, 127}, {TensorType::kUInt8, 0, 255}, {TensorType::kInt16, -32768, 32767}};
  const Range range = kRanges[random.Between(0, 2)];
  const std::int32_t zero_point = largest ? range.most + (beyond ? 1 : 0) : range.least - (beyond ? 1 : 0);
  OperatorCase made;
  const bool of_output = range.type == TensorType::kInt8 && random.OneIn(2);
  made.code = of_output ? kQuantize : kDequantize;
  if (of_output) {
    made.options = QuantizeOptions{};
    made.inputs = {{.shape = {3}}};
    made.output = Int8({3}, 0.1f, zero_point);
  } else {
    made.options = DequantizeOptions{};
    made.inputs = {Int8({3}, 0.1f, zero_point)};
    made.inputs[0].type = range.type;
    made.output = {.shape = {3}};
  }
  return Limit(made, beyond,
               {"a zero point outside its type", {StatusCode::kKernelZeroPoint}, of_output ? kOutputOperand : 0});
}

// Four, however few the input has.
LimitCase AxesOfFloats(CaseRandom& random, bool beyond) {
  OperatorCase made;
  made.code = kMean;
  made.options = ReducerOptions{.keep_dims = false};
  std::vector<std::int32_t> axes(beyond ? 5 : 4, 1);
  for (std::int32_t& axis : axes) axis = random.OneIn(2) ? 1 : -1;
  made.inputs = {{.shape = {2, 3}}, Integers(axes, {static_cast<std::int32_t>(axes.size())})};
  made.output = {.shape = {2}};
  return Limit(made, beyond, {"five axes of floats", {StatusCode::kKernelElementCount}, 1});
}

// As wide or high as the image, dilated or not.
template <bool height>
LimitCase WindowReach(CaseRandom& random, bool beyond) {
  const std::int32_t filter = random.Between(2, 4), dilation = random.Between(1, 3);
  const auto image = [&](std::int32_t by) { return (filter - 1) * by + 1 - (beyond ? 1 : 0); };
  OperatorCase made;
  const std::int32_t which = random.Between(0, 3);
  const std::int32_t used = which < 2 ? 1 : dilation, long_extent = image(used);
  const std::vector<std::int32_t> shape = {1, height ? long_extent : 5, height ? 5 : long_extent, 1};
  const std::int32_t filter_h = height ? filter : 1, filter_w = height ? 1 : filter;
  made.inputs = {Int8(shape)};
  made.output = Int8({1, height ? 1 : 5, height ? 5 : 1, 1});
  if (which < 2) {
    made.code = which == 0 ? kAveragePool2d : kMaxPool2d;
    made.options = Pool2DOptions{Padding::kValid, 1, 1, filter_w, filter_h, Activation::kNone};
  } else {
    made.code = which == 2 ? kConv2d : kDepthwiseConv2d;
    made.inputs.push_back(Int8({1, filter_h, filter_w, 1}));
    const std::int32_t dilation_h = height ? dilation : 1, dilation_w = height ? 1 : dilation;
    if (which == 2) {
      made.options = Conv2DOptions{
          .padding = Padding::kValid, .stride_w = 1, .stride_h = 1, .dilation_w = dilation_w, .dilation_h = dilation_h};
    } else {
      made.options = DepthwiseConv2DOptions{Padding::kValid, 1, 1, 1, Activation::kNone, dilation_w, dilation_h};
    }
  }
  return Limit(made, beyond,
               {"a window wider than the image",
                {StatusCode::kKernelOption},
                Number(height ? KernelOption::kFilterHeight : KernelOption::kFilterWidth)});
}

using LimitCaseMaker = LimitCase (*)(CaseRandom& random, bool beyond);
constexpr LimitCaseMaker kLimitCaseMakers[] = {
    ConvolutionProducts<1>,
    ConvolutionProducts<2>,
    ConvolutionProducts<3>,
    DepthwiseProducts<1>,
    DepthwiseProducts<2>,
    DenseProducts,
    MeanSummands,
    SoftmaxRow,
    RescalingRatio<kQuantize>,
    RescalingRatio<kRelu>,
    RescalingRatio<kMul>,
    RescalingRatio<kMean>,
    ChannelRatio<kFullyConnected>,
    ChannelRatio<kConv2d>,
    ChannelRatio<kDepthwiseConv2d>,
    SumRatio,
    ComparedScale,
    BoundInSteps,
    BiasScale,
    PooledScale,
    ZeroPoint<true>,
    ZeroPoint<false>,
    AxesOfFloats,
    WindowReach<true>,
    WindowReach<false>,
};

}  // namespace

std::size_t LimitCount() { return std::size(kLimitCaseMakers); }

LimitCase MakeLimitCase(CaseRandom& random, std::size_t which, bool beyond) {
  return kLimitCaseMakers[which](random, beyond);
}

}  // namespace arenaproof::props
