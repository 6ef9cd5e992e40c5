// What operators share that sum products of activations and weights: which types go together, how wide a sum is, how
// many products it holds, and weights of four bits, two of which share a byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/status.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "kernels/reference/checks.h"

namespace arenaproof::reference {

enum class ProductSums : std::uint8_t {
  kFloat,
  kInt8,         // int8 activations, int8 or int4 weights, int32 bias
  kInt16Narrow,  // int16 activations, int8 weights; sums and bias of 32 bits
  kInt16         // the same with sums of 64 bits
};

// The largest shift of a multiplier for such sums.
constexpr std::int32_t LargestShift(ProductSums sums) {
  return sums == ProductSums::kInt16 ? kLargestWideShift : kLargestShift;
}

// Which inputs an operator has where; the output is its first.
struct WeightOperands {
  std::size_t input = 0;
  std::size_t filter = 1;
  std::size_t bias = 2;  // optional
};

// The bias of int16 activations is of int64 or of one other type; `absent` is the type that a missing one counts as.
struct WideBiasTypes {
  TensorType other = TensorType::kInt64;
  TensorType absent = TensorType::kInt64;
};
// Where a narrow bias makes narrow sums; a missing one is of the type that the options give.
constexpr WideBiasTypes WideOrNarrowBias(TensorType quantized_bias_type) {
  return {TensorType::kInt32, quantized_bias_type == TensorType::kInt32 ? TensorType::kInt32 : TensorType::kInt64};
}

// Types of input, filter, bias and output. Weights of int4 have to be constant.
Status ReadProductSums(const PrepareContext& context, const WeightOperands& at, const WideBiasTypes& wide_bias,
                       ProductSums* sums);

// kAccumulatorRange if a sum of `count` products, those of one step along the filter's dimension, may leave its width,
// or the 47 bits that sums of 64 may use: by the weights where they are constant, else by the largest there are.
Status CheckProducts(const Operand& filter, std::size_t dimension, std::size_t count, ProductSums sums,
                     const Affine& input);

// Weights of int4 are unpacked by each invoke into the operator's first scratch buffer, one byte for each element.
Status RequestUnpackedWeights(const PrepareContext& context, const WeightOperands& at);
// The int8 or int4 filter as one byte for each element.
const std::int8_t* WeightsOf(const InvokeContext& context, const WeightOperands& at);

}  // namespace arenaproof::reference
