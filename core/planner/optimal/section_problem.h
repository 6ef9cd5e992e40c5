// A planner's problem as a search wants it: sizes in units of their greatest common divisor, time as sections, and for
// each buffer what is alive with it.
//
// A section is a moment with a set of live buffers that no neighbouring moment's set contains: nothing else about time
// matters (M. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/planner/optimal/plan_problem.h"

namespace arenaproof {

using Units = std::int64_t;  // of SectionProblem::unit_bytes each

// A buffer that the planner may place: it has bytes, is alive at some time and has no fixed offset.
struct FreeBuffer {
  std::size_t original = 0;  // its index in the problem
  Units size = 0;
  Units alignment = 1;
  double width = 0;                                // how long it is alive
  std::vector<std::uint32_t> sections;             // in order, at least one
  std::vector<std::uint32_t> near;                 // free buffers that are alive together with it, in order
  std::vector<std::pair<Units, Units>> obstacles;  // bytes of fixed buffers alive with it, in order, disjoint
};

struct SectionProblem {
  std::int64_t unit_bytes = 1;
  std::vector<FreeBuffer> buffers;
  std::vector<Units> load;                                    // of free buffers, for each section
  std::vector<std::vector<std::pair<Units, Units>>> blocked;  // by fixed buffers, for each section, in order
  Units bound = 0;  // no plan's head is smaller: what is alive at once, largest single buffer, end of a fixed one
};

// Which moments are sections.
enum class Moments : std::uint8_t {
  kLargest,  // those whose set no neighbour's contains: enough for every question about the buffers
  kAll,      // whenever the set changes, so that it is seen when bytes become free; without `near` and `obstacles`
};

// The problem has passed CheckProblem. Time and memory grow with MeetingsAlive.
SectionProblem MakeSectionProblem(std::span<const PlanBuffer> buffers, Moments moments = Moments::kLargest);

// How often a buffer, or a piece of one between gaps, comes alive while another one is, counted for each of those.
// O(p log p) for p pieces.
std::uint64_t MeetingsAlive(std::span<const PlanBuffer> buffers);

// The lowest offset from `offset` on at which the buffer is aligned and touches no fixed buffer.
Units LowestAllowed(const FreeBuffer& buffer, Units offset);

}  // namespace arenaproof
