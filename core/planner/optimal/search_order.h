// Orders of preference: which of several buffers that could be placed at one offset is tried first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/planner/optimal/section_problem.h"

namespace arenaproof {

inline constexpr std::size_t kKnownOrders = 6;

// The `number`-th order, as indices into the problem's buffers. The first few sort by load of the busiest section,
// width and area, in the ways that "MiniMalloc" found to complement each other; the later ones are these, disturbed at
// random, the same for the same number.
std::vector<std::uint32_t> SearchOrder(const SectionProblem& problem, std::size_t number);

// The same problem with its buffers in that order.
SectionProblem Reordered(const SectionProblem& problem, const std::vector<std::uint32_t>& order);

}  // namespace arenaproof
