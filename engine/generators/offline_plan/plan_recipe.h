// Plans from a fuzzer's bytes: most fit the model, so that the rules about its tensors are reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/generators/bytes/byte_reader.h"

namespace arenaproof {

// One code for each offset, then pairs of position and byte that are written over the plan, before them the plan's
// length where an odd number of bytes is left. Never longer than `most_bytes`.
std::vector<std::byte> DrawPlan(ByteReader& reader, std::size_t tensor_count, std::size_t subgraph_count,
                                std::size_t most_bytes);

}  // namespace arenaproof
