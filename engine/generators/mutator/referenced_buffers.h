// Further references to the buffers of a model file, also to the buffer of its plan: the root's list metadata_buffer,
// and metadata of other names.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/generators/random_source.h"

namespace arenaproof::testing {

// The file, which has been validated and has at most kMostObjectBytes, with some of them.
std::vector<std::byte> WithReferences(std::span<const std::byte> file, RandomSource& random);

}  // namespace arenaproof::testing
