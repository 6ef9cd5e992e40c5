// A library of kernels whose RELU of floats is right, and partly out of an instrument's sight: a function without
// hooks, one with a gather, and one of inline assembly.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/vendor/kernel_abi.h"

extern "C" {

[[gnu::noinline, clang::no_sanitize("address", "kernel-address")]] void CopyWithoutHooks(const float* from, float* to,
                                                                                         std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i] > 0 ? from[i] : 0;
}

[[gnu::noinline, gnu::target("avx2")]] void GatherEight(const int* from, int* to) {
  const __m256i places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  *to = _mm256_extract_epi32(_mm256_i32gather_epi32(from, places, 4), 0);
}

[[gnu::noinline]] void MoveByAssembly(const int* from, int* to) {
  __m128i lanes;
  asm volatile("movdqu (%1), %0" : "=x"(lanes) : "r"(from));
  asm volatile("movdqu %0, (%1)" : : "x"(lanes), "r"(to) : "memory");
}

[[gnu::noinline]] void CopyWithHooks(const float* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

}  // extern "C"

namespace {

// Never the case: the functions are there, and need no such processor.
volatile bool never = false;

std::int32_t Invoke(const ArenaproofInvoke* context) {
  const auto* const input = static_cast<const float*>(context->inputs[0].data);
  auto* const output = static_cast<float*>(context->outputs[0].data);
  const std::size_t count = context->inputs[0].bytes / sizeof(float);
  CopyWithHooks(input, output, count);
  CopyWithoutHooks(input, output, count);
  if (never) {
    const auto* const from = static_cast<const int*>(context->inputs[0].data);
    auto* const to = static_cast<int*>(context->outputs[0].data);
    GatherEight(from, to);
    MoveByAssembly(from, to);
  }
  return ARENAPROOF_KERNEL_OK;
}

const ArenaproofKernel kRelu = {19, nullptr, nullptr, nullptr, nullptr, Invoke, nullptr, nullptr, nullptr, 0};
const ArenaproofKernelLibrary kLibrary = {ARENAPROOF_KERNEL_ABI_SIZES, 1, "partly-hooked", &kRelu};

}  // namespace

const ArenaproofKernelLibrary* arenaproof_kernel_library(void) { return &kLibrary; }
