// Every kernel set by its name, as a user writes it (--kernels=NAME).
#pragma once

#include <span>
#include <string_view>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

// "reference" first.
std::span<const KernelSet* const> AllKernelSets();

// Null when there is no such set.
const KernelSet* FindKernelSet(std::string_view name);

}  // namespace arenaproof
