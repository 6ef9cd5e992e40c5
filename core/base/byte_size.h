// Byte sizes of tensors and arrays from numbers that a model file may have invented: every product and every rounding
// is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"

namespace arenaproof {

// Product of the dimensions; an empty shape is a scalar (1). kSizeOverflow: a negative dimension (its index, its value)
// or a product above the largest int32 (2147483647), which is what kernels count elements in. A dimension of 0 makes
// the product 0 whatever the others are.
Status ElementCount(std::span<const std::int32_t> shape, std::size_t* count);

// count * element_bytes. kSizeOverflow: the product does not fit (both factors).
Status ArrayBytes(std::size_t count, std::size_t element_bytes, std::size_t* bytes);

// Smallest multiple of `alignment` not below `bytes`. kSizeOverflow: none fits (bytes, alignment), or alignment is 0.
Status RoundUp(std::size_t bytes, std::size_t alignment, std::size_t* rounded);

// RoundUp to kTensorAlignment.
Status RoundUp16(std::size_t bytes, std::size_t* rounded);

}  // namespace arenaproof
