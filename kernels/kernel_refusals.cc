#include "kernels/kernel_refusals.h"

#include <cstddef>
#include <iterator>

namespace arenaproof {
namespace {

constexpr const char* kOptionNames[] = {
#define ARENAPROOF_KERNEL_OPTION(name, words) words,
#include "kernels/kernel_refusals.inc"
#undef ARENAPROOF_KERNEL_OPTION
};

constexpr const char* kFeatureNames[] = {
#define ARENAPROOF_KERNEL_FEATURE(name, words) words,
#include "kernels/kernel_refusals.inc"
#undef ARENAPROOF_KERNEL_FEATURE
};

}  // namespace

const char* KernelOptionName(KernelOption option) {
  const auto index = static_cast<std::size_t>(option);
  return index < std::size(kOptionNames) ? kOptionNames[index] : "unknown option";
}

const char* KernelFeatureName(KernelFeature feature) {
  const auto index = static_cast<std::size_t>(feature);
  return index < std::size(kFeatureNames) ? kFeatureNames[index] : "unknown feature";
}

}  // namespace arenaproof
