// Random planning problems that shrink to few, small, early buffers, and print as lines that can be pasted into a test.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <ostream>
#include <vector>

#include "core/planner/placed_buffer.h"
#include "engine/cases/buffer_request.h"

namespace arenaproof::testing {

std::ostream& operator<<(std::ostream& stream, const BufferRequest& request);

}  // namespace arenaproof::testing

namespace arenaproof {

std::ostream& operator<<(std::ostream& stream, const PlacedBuffer& buffer);

}  // namespace arenaproof

namespace arenaproof::testing {

// Sizes and fixed offsets are multiples of `granule`. Lifetimes are never inverted; about one in six begins at -1.
// Few distinct sizes and times, so that ties, exact fits and touching lifetimes are frequent.
rc::Gen<std::vector<BufferRequest>> OnlineRequests(std::size_t granule = 1);

// The same with about a third of the buffers fixed, anywhere: they may overlap.
rc::Gen<std::vector<BufferRequest>> MixedRequests(std::size_t granule = 1);

// Sizes from 0 up to the largest, fixed offsets anywhere, a few of them negative.
rc::Gen<std::vector<BufferRequest>> ExtremeRequests();

// A plan that nobody has checked: offsets close to each other, a third of the buffers trusted. In one of four plans
// some buffers are not placed, or end before they begin.
rc::Gen<std::vector<PlacedBuffer>> ArbitraryPlan();

}  // namespace arenaproof::testing
