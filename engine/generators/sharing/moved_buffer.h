// A finished plan with one buffer somewhere else: mostly where another one lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/generators/random_source.h"

namespace arenaproof::testing {

// There is a buffer. Offsets stay multiples of 16.
inline void MoveBuffer(RandomSource& random, std::vector<std::int64_t>& offsets) {
  std::int64_t& moved = random.Of(offsets);
  moved = random.OneIn(4) ? moved + 16 : random.Of(offsets);
}

}  // namespace arenaproof::testing
