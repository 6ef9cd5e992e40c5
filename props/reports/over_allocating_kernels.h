// The reference kernels with an appetite: each operator takes, besides what it needs, persistent and temporary memory
// in prepare, of an amount that follows from its output's tensor index, so that whose bytes are whose can be seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof::testing {

constexpr std::size_t AdditionalPersistentBytes(std::int32_t output) { return 512 * static_cast<std::size_t>(output); }
// Outstanding together, in two blocks, or none; nothing else in these kernels takes temporaries.
constexpr std::size_t TemporaryBytes(std::int32_t output) { return 128 * (static_cast<std::size_t>(output) % 3); }

// Kernels for the operators that ChainModel has.
const KernelSet& OverAllocatingKernels();

}  // namespace arenaproof::testing
