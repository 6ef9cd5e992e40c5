// Sums of products: of activations with weights, and of matrices.
#include "engine/oracles/operators/definitions/fused_bounds.h"
#include "engine/oracles/operators/definitions/window_definitions.h"

namespace arenaproof::props {
namespace {

struct Factors {
  std::size_t first = 0;
  std::size_t second = 1;
  SumWidth width = SumWidth::k32;
  bool scale_product_in_float = false;  // else in double
};

// One for each scale of the second factor.
std::vector<Ratio> ProductRatios(const OperatorCase& k, const Factors& factors) {
  const float of_first = k.inputs[factors.first].scales[0];
  std::vector<Ratio> ratios;
  for (const float of_second : k.inputs[factors.second].scales) {
    const double product =
        factors.scale_product_in_float ? double{of_first * of_second} : double{of_first} * double{of_second};
    ratios.push_back(RatioOf(product / double{k.output.scales[0]}));
  }
  return ratios;
}

Expected FinishedIntegers(const OperatorCase& k, const Factors& factors, Values values) {
  const std::vector<Ratio> ratios = ProductRatios(k, factors);
  const FusedBounds bounds = QuantizedBounds(FusedActivation(k), k.output);
  const auto channels = static_cast<std::size_t>(k.output.shape.back());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Ratio& ratio = ratios[ratios.size() == 1 ? 0 : i % channels];
    values[i] = FinishedSum(values[i], ratio, factors.width, k.output, bounds);
  }
  return Exactly(std::move(values));
}

// `sums` makes them of numbers of either kind.
template <typename Sums>
std::vector<Expected> FinishedProducts(const OperatorCase& k, const Factors& factors, Sums sums) {
  if (k.output.type != TensorType::kFloat32) return {FinishedIntegers(k, factors, sums(InputNumbers<double>(k)))};
  return {ClampedFloats(sums(InputNumbers<float>(k)), FusedActivation(k))};
}

// A missing bias's operand is there all the same, and empty.
template <typename Number>
std::vector<Numbers<Number>> WithBias(std::vector<Numbers<Number>> operands, std::size_t bias) {
  operands.resize(bias + 1);
  return operands;
}

// Of int16 activations sums are as wide as the bias, or as the options say when there is none.
SumWidth WidthByBias(const OperatorCase& k, TensorType of_absent) {
  if (k.output.type != TensorType::kInt16) return SumWidth::k32;
  const TensorType bias = HasInputAt(k, 2) ? k.inputs[2].type : of_absent;
  return bias == TensorType::kInt32 ? SumWidth::k32 : SumWidth::k64;
}

SumWidth WidthByType(const OperatorCase& k) {
  return k.output.type == TensorType::kInt16 ? SumWidth::k64 : SumWidth::k32;
}

}  // namespace

std::vector<Expected> ConvolutionOf(const OperatorCase& k) {
  const auto* options = std::get_if<Conv2DOptions>(&k.options);
  const TensorType absent = options == nullptr ? TensorType::kInt64 : options->quantized_bias_type;
  return FinishedProducts(k, {.width = WidthByBias(k, absent)}, [&]<typename Number>(std::vector<Numbers<Number>> o) {
    return Convolution<Number>(k, WithBias(std::move(o), 2), !HasInputAt(k, 2));
  });
}

std::vector<Expected> TransposeConvolutionOf(const OperatorCase& k) {
  return FinishedProducts(k, {.first = 2, .width = WidthByType(k)},
                          [&]<typename Number>(std::vector<Numbers<Number>> o) {
                            return TransposeConvolution<Number>(k, o, !HasInputAt(k, 3));
                          });
}

std::vector<Expected> FullyConnectedOf(const OperatorCase& k) {
  const TensorType absent = std::get<FullyConnectedOptions>(k.options).quantized_bias_type;
  const Factors factors{.width = WidthByBias(k, absent), .scale_product_in_float = k.inputs[1].scales.size() < 2};
  return FinishedProducts(k, factors, [&]<typename Number>(std::vector<Numbers<Number>> o) {
    return FullyConnected<Number>(k, WithBias(std::move(o), 2), !HasInputAt(k, 2));
  });
}

// Without an activation, floats are not clamped to the finite ones.
std::vector<Expected> BatchMatMulOf(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) return {ExactlyFloats(BatchMatMul(k, InputNumbers<float>(k)))};
  const Factors factors{.width = WidthByType(k), .scale_product_in_float = true};
  return {FinishedIntegers(k, factors, BatchMatMul(k, InputNumbers<double>(k)))};
}

}  // namespace arenaproof::props
