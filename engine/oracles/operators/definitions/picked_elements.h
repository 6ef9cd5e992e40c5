// Operators whose output is a selection of the input's elements that falls apart into one list of places for each axis.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// Places along one axis, in the output's order.
using Places = std::vector<std::size_t>;

// begin, begin + 1 and so on.
Places PlacesFrom(std::size_t begin, std::size_t count);
// Every place of each axis.
std::vector<Places> AllPlaces(const std::vector<std::int32_t>& shape);

// The element at each combination of places, the last axis first: `values` has the shape `shape`.
Values Picked(const Values& values, const std::vector<std::int32_t>& shape, const std::vector<Places>& places);

// An axis that counts from the end when it is negative.
std::size_t AxisOf(double named, std::size_t rank);

}  // namespace arenaproof::props
