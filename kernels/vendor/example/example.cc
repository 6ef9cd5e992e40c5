/* A small library of kernels from outside (docs/vendor_kernels.md), in the part of C that is C++ too: FULLY_CONNECTED
 * of int8, and the custom operator "example.scale". It is built plain, with the hooks of
 * shadow and with those of asan, each time sound and with EXAMPLE_READS_WHOLE_BLOCKS: as kernels for vector units do,
 * it then loads the last block of a row whole, up to 15 bytes behind the row, and does not use what is too much. With
 * EXAMPLE_DECLARED_BYTES it says so: reads of so many bytes behind input and weights are declared. */
#include <math.h>
#include <string.h>

#include "kernels/vendor/kernel_abi.h"

#define EXAMPLE_BLOCK_BYTES 16

/* Whether the last block of a row is loaded whole. */
#ifndef EXAMPLE_READS_WHOLE_BLOCKS
#define EXAMPLE_READS_WHOLE_BLOCKS 0
#endif

/* How many bytes behind input and weights its table allows it to read. */
#ifndef EXAMPLE_DECLARED_BYTES
#define EXAMPLE_DECLARED_BYTES 0
#endif

typedef int8_t ExampleBlock __attribute__((vector_size(EXAMPLE_BLOCK_BYTES), aligned(1)));

/* factor * 2^(shift - 31): a ratio of scales. */
typedef struct ExampleMultiplier {
  int32_t factor, shift;
} ExampleMultiplier;

/* Persistent: what invoke needs of an operator. */
typedef struct ExampleProduct {
  size_t batch_count, row_count, depth;
  int32_t input_zero_point, output_zero_point; /* that of weights is 0 */
  const ExampleMultiplier* multipliers;        /* one for each row, or one for all; persistent too */
  size_t multiplier_count;
  int32_t least, most; /* of the fused activation */
  size_t sums;         /* index of the scratch buffer for a batch's sums */
} ExampleProduct;

typedef struct ExampleScale {
  float factor;
} ExampleScale;

static size_t ElementCount(const ArenaproofOperand* operand) {
  size_t count = 1;
  for (int32_t i = 0; i < operand->rank; ++i) count *= (size_t)operand->dims[i];
  return count;
}

static int32_t OptionOf(const ArenaproofSetUp* context, int32_t key, int32_t otherwise) {
  for (size_t i = 0; i < context->option_count; ++i) {
    if (context->options[i].key == key) return context->options[i].integer;
  }
  return otherwise;
}

/* Zero points lie at any address. */
static int32_t ZeroPointOf(const ArenaproofOperand* operand) {
  int64_t value;
  memcpy(&value, operand->quantization.zero_point_bytes, sizeof value);
  return (int32_t)value;
}

static int IsQuantizedInt8(const ArenaproofOperand* operand, size_t scale_count) {
  return !operand->absent && operand->type == ARENAPROOF_TYPE_INT8 &&
         operand->quantization.scale_count == scale_count && operand->quantization.zero_point_count > 0;
}

/* ---- FULLY_CONNECTED */

static int32_t ServesInt8(const ArenaproofOperand* inputs, size_t input_count, const ArenaproofOperand* outputs,
                          size_t output_count) {
  return input_count >= 2 && output_count == 1 && !inputs[0].absent && !inputs[1].absent &&
         inputs[0].type == ARENAPROOF_TYPE_INT8 && inputs[1].type == ARENAPROOF_TYPE_INT8 &&
         outputs[0].type == ARENAPROOF_TYPE_INT8;
}

static int32_t ReadMultiplier(double ratio, ExampleMultiplier* multiplier) {
  int exponent = 0;
  const double fraction = frexp(ratio, &exponent);
  if (!(fraction > 0) || exponent > 30 || exponent < -31) return 5;
  multiplier->factor = (int32_t)fmin(round(fraction * 2147483648.0), 2147483647.0);
  multiplier->shift = exponent;
  return ARENAPROOF_KERNEL_OK;
}

static int32_t PrepareProduct(ArenaproofSetUp* context) {
  const ArenaproofServices* services = context->services;
  const ArenaproofOperand* input = &context->inputs[0];
  const ArenaproofOperand* weights = &context->inputs[1];
  const ArenaproofOperand* output = &context->outputs[0];
  const size_t scale_count = weights->quantization.scale_count;
  const int32_t activation = OptionOf(context, ARENAPROOF_OPTION_ACTIVATION, 0);
  ExampleProduct* product = NULL;
  ExampleMultiplier* multipliers = NULL;
  void* block = NULL;
  if (!IsQuantizedInt8(input, 1) || !IsQuantizedInt8(output, 1)) return 2;
  if (weights->rank != 2 || !weights->constant || ElementCount(input) % (size_t)weights->dims[1] != 0) return 3;
  if (scale_count != 1 && scale_count != (size_t)weights->dims[0]) return 2;
  if (!IsQuantizedInt8(weights, scale_count) || ZeroPointOf(weights) != 0) return 2;
  if (activation != 0 && activation != 1) return 4;
  if (services->allocate_persistent(context->host, sizeof *product, &block) != ARENAPROOF_KERNEL_OK) return 1;
  product = (ExampleProduct*)block;
  if (services->allocate_persistent(context->host, scale_count * sizeof *multipliers, &block) != ARENAPROOF_KERNEL_OK) {
    return 1;
  }
  multipliers = (ExampleMultiplier*)block;
  for (size_t i = 0; i < scale_count; ++i) {
    const double ratio = (double)input->quantization.scales[0] * (double)weights->quantization.scales[i] /
                         (double)output->quantization.scales[0];
    const int32_t problem = ReadMultiplier(ratio, &multipliers[i]);
    if (problem != ARENAPROOF_KERNEL_OK) return problem;
  }
  product->multipliers = multipliers;
  product->multiplier_count = scale_count;
  product->row_count = (size_t)weights->dims[0];
  product->depth = (size_t)weights->dims[1];
  product->batch_count = ElementCount(input) / product->depth;
  product->input_zero_point = ZeroPointOf(input);
  product->output_zero_point = ZeroPointOf(output);
  product->least = activation == 1 && product->output_zero_point > -128 ? product->output_zero_point : -128;
  product->most = 127;
  context->op_data = product;
  return services->request_scratch(context->host, product->row_count * sizeof(int32_t), &product->sums);
}

static int32_t Rescaled(int32_t sum, ExampleMultiplier multiplier) {
  const int32_t left = multiplier.shift > 0 ? multiplier.shift : 0;
  const int32_t right = multiplier.shift < 0 ? -multiplier.shift : 0;
  const int64_t wide = (int64_t)(int32_t)((uint32_t)sum << left) * multiplier.factor;
  const int64_t nudge = wide >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
  const int32_t high = (int32_t)((wide + nudge) / ((int64_t)1 << 31));
  const int64_t mask = ((int64_t)1 << right) - 1;
  const int64_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return (int32_t)(((int64_t)high >> right) + ((high & mask) > threshold ? 1 : 0));
}

static int32_t Dot(const int8_t* vector, const int8_t* weights, const ExampleProduct* product) {
  int32_t sum = 0;
  size_t i = 0, used;
  for (; i < product->depth; i += used) {
    used = product->depth - i < EXAMPLE_BLOCK_BYTES ? product->depth - i : EXAMPLE_BLOCK_BYTES;
    if (used == EXAMPLE_BLOCK_BYTES || EXAMPLE_READS_WHOLE_BLOCKS) {
      const ExampleBlock values = *(const ExampleBlock*)(vector + i);
      const ExampleBlock factors = *(const ExampleBlock*)(weights + i);
      for (size_t j = 0; j < used; ++j) {
        sum += (values[j] - product->input_zero_point) * factors[j];
      }
    } else {
      for (size_t j = 0; j < used; ++j) {
        sum += (vector[i + j] - product->input_zero_point) * weights[i + j];
      }
    }
  }
  return sum;
}

static int32_t InvokeProduct(const ArenaproofInvoke* context) {
  const ExampleProduct* product = (const ExampleProduct*)context->op_data;
  const int8_t* input = (const int8_t*)context->inputs[0].data;
  const int8_t* weights = (const int8_t*)context->inputs[1].data;
  const int has_bias = context->input_count > 2 && !context->inputs[2].absent;
  const int32_t* bias = has_bias ? (const int32_t*)context->inputs[2].data : NULL;
  int8_t* output = (int8_t*)context->outputs[0].data;
  int32_t* sums = (int32_t*)context->scratch[product->sums];
  for (size_t batch = 0; batch < product->batch_count; ++batch) {
    for (size_t row = 0; row < product->row_count; ++row) {
      sums[row] = Dot(input + batch * product->depth, weights + row * product->depth, product);
      if (bias != NULL) sums[row] += bias[row];
    }
    for (size_t row = 0; row < product->row_count; ++row) {
      const size_t multiplier = product->multiplier_count == 1 ? 0 : row;
      int32_t value = Rescaled(sums[row], product->multipliers[multiplier]) + product->output_zero_point;
      if (value < product->least) value = product->least;
      if (value > product->most) value = product->most;
      output[batch * product->row_count + row] = (int8_t)value;
    }
  }
  return ARENAPROOF_KERNEL_OK;
}

/* ---- example.scale: every float times the float that its option bytes hold */

static int32_t InitScale(ArenaproofSetUp* context) {
  void* block = NULL;
  if (context->option_bytes_count != sizeof(float)) return 6;
  if (context->services->allocate_persistent(context->host, sizeof(ExampleScale), &block) != ARENAPROOF_KERNEL_OK) {
    return ARENAPROOF_KERNEL_ERROR;
  }
  memcpy(&((ExampleScale*)block)->factor, context->option_bytes, sizeof(float));
  context->op_data = block;
  return ARENAPROOF_KERNEL_OK;
}

static int32_t PrepareScale(ArenaproofSetUp* context) {
  if (context->input_count != 1 || context->output_count != 1) return 7;
  if (context->inputs[0].type != ARENAPROOF_TYPE_FLOAT32 || context->outputs[0].type != ARENAPROOF_TYPE_FLOAT32)
    return 8;
  return context->inputs[0].bytes == context->outputs[0].bytes ? ARENAPROOF_KERNEL_OK : 9;
}

static int32_t InvokeScale(const ArenaproofInvoke* context) {
  const float factor = ((const ExampleScale*)context->op_data)->factor;
  const float* input = (const float*)context->inputs[0].data;
  float* output = (float*)context->outputs[0].data;
  const size_t count = ElementCount(&context->inputs[0]);
  for (size_t i = 0; i < count; ++i) output[i] = input[i] * factor;
  return ARENAPROOF_KERNEL_OK;
}

/* ---- the table */

static const ArenaproofReadAllowance kBehind[] = {{0, 0, EXAMPLE_DECLARED_BYTES}, {1, 0, EXAMPLE_DECLARED_BYTES}};

static const ArenaproofKernel kKernels[] = {
    {9 /* FULLY_CONNECTED */, NULL, ServesInt8, NULL, PrepareProduct, InvokeProduct, NULL, NULL, kBehind,
     EXAMPLE_DECLARED_BYTES == 0 ? 0 : 2},
    {ARENAPROOF_BUILTIN_CUSTOM, "example.scale", NULL, InitScale, PrepareScale, InvokeScale, NULL, NULL, NULL, 0},
};

static const ArenaproofKernelLibrary kLibrary = {ARENAPROOF_KERNEL_ABI_SIZES, 2, "example", kKernels};

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &kLibrary; }
