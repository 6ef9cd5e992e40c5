// A library of kernels whose RELU of floats is right, and whose own code is hooked, with calls of functions that no
// hook looks at: another library's, by its name and out of its table, the C library's, and one of its checked copies.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/vendor/kernel_abi.h"

extern "C" void CopyElsewhere(const float* from, float* to, std::size_t count);
extern "C" void (*const copies_elsewhere[])(const float* from, float* to, std::size_t count);

namespace {

// Never the case: no operand is a text.
volatile bool never = false;
char checked[64];

std::int32_t Invoke(const ArenaproofInvoke* context) {
  const auto* const input = static_cast<const float*>(context->inputs[0].data);
  auto* const output = static_cast<float*>(context->outputs[0].data);
  const std::size_t count = context->inputs[0].bytes / sizeof(float);
  CopyElsewhere(input, output, count);
  for (std::size_t i = 0; i < count; ++i) output[i] = input[i] > 0 ? input[i] : 0;
  if (never) {
    copies_elsewhere[0](input, output, count);
    std::strcpy(static_cast<char*>(context->outputs[0].data), static_cast<const char*>(context->inputs[0].data));
    std::memcpy(checked, input, context->inputs[0].bytes);
  }
  return ARENAPROOF_KERNEL_OK;
}

const ArenaproofKernel kRelu = {19, nullptr, nullptr, nullptr, nullptr, Invoke, nullptr, nullptr, nullptr, 0};
const ArenaproofKernelLibrary kLibrary = {ARENAPROOF_KERNEL_ABI_SIZES, 1, "unwatched", &kRelu};

}  // namespace

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &kLibrary; }
