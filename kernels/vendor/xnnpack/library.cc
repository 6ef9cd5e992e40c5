// The table of the kernels over XNNPACK, whose code is Debian's and has no instrument's hooks. The set's name has the
// instruction set, because XNNPACK chooses its micro-kernels by it.
#include "kernels/vendor/xnnpack/xnnpack_kernels.h"

// How many bytes behind an input the table allows its kernels to read, at most XNN_EXTRA_BYTES; 0: it declares nothing.
#ifndef XNNPACK_DECLARED_BYTES
#define XNNPACK_DECLARED_BYTES 0
#endif

namespace xnnpack_kernels {
namespace {

// Under Valgrind it is the processor that Valgrind shows to programs, which may have less.
const char* NameWithInstructionSet() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return "xnnpack-avx512";
  if (__builtin_cpu_supports("avx2")) return "xnnpack-avx2";
  if (__builtin_cpu_supports("avx")) return "xnnpack-avx";
  if (__builtin_cpu_supports("sse4.1")) return "xnnpack-sse4.1";
  return "xnnpack-sse2";
#else
  return "xnnpack";
#endif
}

static_assert(XNNPACK_DECLARED_BYTES <= XNN_EXTRA_BYTES);
constexpr ArenaproofReadAllowance kBehindInput = {0, 0, XNNPACK_DECLARED_BYTES};
constexpr std::uint32_t kAllowanceCount = XNNPACK_DECLARED_BYTES == 0 ? 0 : 1;

constexpr std::int32_t kFullyConnected = 9, kRelu = 19;
constexpr ArenaproofKernel kKernels[] = {
    {kFullyConnected, nullptr, ServesProduct, nullptr, PrepareProduct, InvokeProduct, nullptr, Free, &kBehindInput,
     kAllowanceCount},
    {kRelu, nullptr, ServesRelu, nullptr, PrepareRelu, InvokeRelu, nullptr, Free, &kBehindInput, kAllowanceCount},
};

}  // namespace
}  // namespace xnnpack_kernels

// No table where XNNPACK cannot run.
const ArenaproofKernelLibrary* arenaproof_kernel_library(void) {
  using namespace xnnpack_kernels;
  static const ArenaproofKernelLibrary library = {ARENAPROOF_KERNEL_ABI_SIZES, 2, NameWithInstructionSet(), kKernels};
  return xnn_initialize(nullptr) == xnn_status_success ? &library : nullptr;
}
