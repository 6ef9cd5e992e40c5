// Several searches for one capacity, each with an order of preference of its own, on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/planner/host/placement_search.h"

namespace arenaproof {

struct RaceResult {
  SearchOutcome outcome = SearchOutcome::kGaveUp;
  std::vector<Units> offsets;  // one for each free buffer of the problem, when found
  std::uint64_t steps = 0;     // of the searches that count
};

// Searches `orders` (numbers of SearchOrder), each with at most `most_steps`. The first of them in the list that ends
// with an answer decides and those after it do not count, so the result does not depend on the number of threads unless
// `deadline` passes.
RaceResult RaceForCapacity(const SectionProblem& problem, Units capacity, const std::vector<std::size_t>& orders,
                           std::uint64_t most_steps, unsigned threads, StopSignal::Clock::time_point deadline);

}  // namespace arenaproof
