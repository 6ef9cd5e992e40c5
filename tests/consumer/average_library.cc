/* The custom operator "consumer.average" as a library of kernels, in the part of C that is C++ too: every float is
 * replaced by the mean of itself and the one before it, the first by half of itself. With CONSUMER_READS_IN_FRONT the
 * kernel takes what lies in front of its input for the one before the first. */
#include "kernels/vendor/kernel_abi.h"

#ifndef CONSUMER_READS_IN_FRONT
#define CONSUMER_READS_IN_FRONT 0
#endif

static int32_t Prepare(ArenaproofSetUp* context) {
  if (context->input_count != 1 || context->output_count != 1) return 2;
  if (context->inputs[0].type != ARENAPROOF_TYPE_FLOAT32 || context->outputs[0].type != ARENAPROOF_TYPE_FLOAT32)
    return 3;
  return context->inputs[0].bytes == context->outputs[0].bytes ? ARENAPROOF_KERNEL_OK : 4;
}

static int32_t Invoke(const ArenaproofInvoke* context) {
  const float* input = (const float*)context->inputs[0].data;
  float* output = (float*)context->outputs[0].data;
  const size_t count = context->inputs[0].bytes / sizeof(float);
  for (size_t i = 0; i < count; ++i) {
    const float before = i > 0 || CONSUMER_READS_IN_FRONT ? *(input + i - 1) : 0;
    output[i] = (before + input[i]) / 2;
  }
  return ARENAPROOF_KERNEL_OK;
}

static const ArenaproofKernel kKernels[] = {
    {ARENAPROOF_BUILTIN_CUSTOM, "consumer.average", NULL, NULL, Prepare, Invoke, NULL, NULL, NULL, 0},
};

static const ArenaproofKernelLibrary kLibrary = {ARENAPROOF_KERNEL_ABI_SIZES, 1, "consumer", kKernels};

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &kLibrary; }
