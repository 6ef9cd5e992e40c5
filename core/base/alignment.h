// The one constant of the format: tensor buffers, kernels' persistent data, scratch buffers and the head are aligned to
// it.
#pragma once

#include <cstddef>

namespace arenaproof {

inline constexpr std::size_t kTensorAlignment = 16;

}  // namespace arenaproof
