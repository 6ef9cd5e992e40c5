// What a memory planner is asked: buffers, each with its bytes and the times at which it is alive, to be placed in one
// array so that no two that are alive together share a byte. The field calls it dynamic storage allocation.
//
// Lifetimes are half-open intervals of any 64-bit times; a runtime's closed lifetime [first, last] is
// {first, last + 1}. A buffer that is never alive conflicts with nobody but has to lie in the head as all others do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace arenaproof {

struct TimeInterval {
  std::int64_t lower = 0;
  std::int64_t upper = 0;  // the first time after it
};

struct PlanBuffer {
  TimeInterval lifetime;
  std::int64_t bytes = 0;
  std::int64_t alignment = 1;          // its offset is a multiple of this, a power of two or not
  std::optional<std::int64_t> offset;  // fixed, in bytes; the planner's to choose when absent
  std::vector<TimeInterval> gaps;      // inside the lifetime, in order of time: its bytes are free for others there
};

enum class ProblemFault : std::uint8_t {
  kNone,
  kLifetimeBackwards,  // upper is before lower
  kNegativeBytes,
  kAlignmentNotPositive,
  kOffsetNegative,
  kOffsetMisaligned,  // fixed, and no multiple of the alignment
  kBadGap,            // backwards, outside the lifetime, or not after the gap before it
  kOverflow,          // bytes, alignments and fixed offsets add up to more than 2^62
  kFixedOverlap,      // two fixed buffers that are alive together share a byte: there is no plan
};

struct ProblemVerdict {
  ProblemFault fault = ProblemFault::kNone;
  std::size_t buffer = 0;  // the one with the fault
  std::size_t other = 0;   // the second of kFixedOverlap
};

// Whether there is a plan at all. The first faulty buffer is named, and only when none is faulty by itself two fixed
// ones, the pair that is the first to be alive together. O(p log p) for p pieces of lifetimes.
ProblemVerdict CheckProblem(std::span<const PlanBuffer> buffers);

// The times at which the buffer's bytes are its own: its lifetime without its gaps, empty intervals left out.
std::vector<TimeInterval> AliveIntervals(const PlanBuffer& buffer);

}  // namespace arenaproof
