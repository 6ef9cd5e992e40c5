// Bytes of a tensor from its type and shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

// Bytes the tensor takes in the arena: elements times ElementBytes(type); a scalar has one element. kSizeOverflow (see
// core/base/byte_size.h). A type without an element size gives 0 bytes.
Status TensorArenaBytes(const TensorView& tensor, std::size_t* bytes);

// Bytes its constant data has in the file: the same, but two int4 elements share one byte.
Status TensorFileBytes(const TensorView& tensor, std::size_t* bytes);

}  // namespace arenaproof
