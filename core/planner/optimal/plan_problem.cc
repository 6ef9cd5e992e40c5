#include "core/planner/optimal/plan_problem.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace arenaproof {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

ProblemFault FaultOf(const PlanBuffer& buffer) {
  if (buffer.lifetime.upper < buffer.lifetime.lower) return ProblemFault::kLifetimeBackwards;
  if (buffer.bytes < 0) return ProblemFault::kNegativeBytes;
  if (buffer.alignment <= 0) return ProblemFault::kAlignmentNotPositive;
  if (buffer.offset && *buffer.offset < 0) return ProblemFault::kOffsetNegative;
  if (buffer.offset && *buffer.offset % buffer.alignment != 0) return ProblemFault::kOffsetMisaligned;
  std::int64_t after = buffer.lifetime.lower;
  for (const TimeInterval& gap : buffer.gaps) {
    if (gap.lower < after || gap.upper < gap.lower || gap.upper > buffer.lifetime.upper) return ProblemFault::kBadGap;
    after = gap.upper;
  }
  return ProblemFault::kNone;
}

// A fixed buffer comes alive or goes; what goes at a time goes before others come.
struct FixedChange {
  std::int64_t time;
  bool begins;
  std::size_t buffer;
};

// Two fixed buffers that share a byte while both are alive, the pair that meets first. What is alive is kept by
// offset: as long as no two share a byte, a newcomer can meet its neighbours only.
ProblemVerdict FixedOverlap(std::span<const PlanBuffer> buffers) {
  std::vector<FixedChange> changes;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].offset || buffers[i].bytes == 0) continue;
    for (const TimeInterval& piece : AliveIntervals(buffers[i])) {
      changes.push_back({piece.lower, true, i});
      changes.push_back({piece.upper, false, i});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const FixedChange& a, const FixedChange& b) {
    return std::tie(a.time, a.begins, a.buffer) < std::tie(b.time, b.begins, b.buffer);
  });
  std::map<std::int64_t, std::size_t> alive;
  for (const FixedChange& change : changes) {
    const std::int64_t begin = *buffers[change.buffer].offset;
    if (!change.begins) {
      alive.erase(begin);
      continue;
    }
    const auto above = alive.lower_bound(begin);
    const auto refuse = [&](std::size_t other) {
      return ProblemVerdict{ProblemFault::kFixedOverlap, std::min(change.buffer, other),
                            std::max(change.buffer, other)};
    };
    if (above != alive.end() && above->first < begin + buffers[change.buffer].bytes) return refuse(above->second);
    if (above != alive.begin()) {
      const auto& [offset, below] = *std::prev(above);
      if (offset + buffers[below].bytes > begin) return refuse(below);
    }
    alive.emplace(begin, change.buffer);
  }
  return {};
}

}  // namespace

std::vector<TimeInterval> AliveIntervals(const PlanBuffer& buffer) {
  std::vector<TimeInterval> alive;
  std::int64_t from = buffer.lifetime.lower;
  for (const TimeInterval& gap : buffer.gaps) {
    if (gap.lower == gap.upper) continue;
    if (from < gap.lower) alive.push_back({from, gap.lower});
    from = gap.upper;
  }
  if (from < buffer.lifetime.upper) alive.push_back({from, buffer.lifetime.upper});
  return alive;
}

ProblemVerdict CheckProblem(std::span<const PlanBuffer> buffers) {
  std::int64_t left = kMostBytes;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (const ProblemFault fault = FaultOf(buffers[i]); fault != ProblemFault::kNone) return {fault, i, 0};
    for (const std::int64_t part : {buffers[i].bytes, buffers[i].alignment, buffers[i].offset.value_or(0)}) {
      if (part > left) return {ProblemFault::kOverflow, i, 0};
      left -= part;
    }
  }
  return FixedOverlap(buffers);
}

}  // namespace arenaproof
