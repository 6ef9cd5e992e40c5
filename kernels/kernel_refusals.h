// What the numbers of the kernels' statuses name: which option (kKernelOption), which feature (kKernelUnsupported).
// Tools make words of them with KernelOptionName and KernelFeatureName.
#pragma once

#include <cstdint>

namespace arenaproof {

enum class KernelOption : std::uint32_t {
#define ARENAPROOF_KERNEL_OPTION(name, words) name,
#include "kernels/kernel_refusals.inc"
#undef ARENAPROOF_KERNEL_OPTION
};

enum class KernelFeature : std::uint32_t {
#define ARENAPROOF_KERNEL_FEATURE(name, words) name,
#include "kernels/kernel_refusals.inc"
#undef ARENAPROOF_KERNEL_FEATURE
};

// "stride height"; "unknown option" for a number outside the list.
const char* KernelOptionName(KernelOption option);
// "operator options that are missing or of another operator"; "unknown feature" for a number outside the list.
const char* KernelFeatureName(KernelFeature feature);

}  // namespace arenaproof
