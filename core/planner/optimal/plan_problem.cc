#include "core/planner/optimal/plan_problem.h"

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

bool AliveTogether(const PlanBuffer& a, const PlanBuffer& b) {
  for (const TimeInterval& x : AliveIntervals(a)) {
    for (const TimeInterval& y : AliveIntervals(b)) {
      if (x.lower < y.upper && y.lower < x.upper) return true;
    }
  }
  return false;
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
  std::vector<std::size_t> fixed;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (const ProblemFault fault = FaultOf(buffers[i]); fault != ProblemFault::kNone) return {fault, i, 0};
    for (const std::int64_t part : {buffers[i].bytes, buffers[i].alignment, buffers[i].offset.value_or(0)}) {
      if (part > left) return {ProblemFault::kOverflow, i, 0};
      left -= part;
    }
    if (buffers[i].offset && buffers[i].bytes > 0) fixed.push_back(i);
  }
  for (std::size_t a = 0; a < fixed.size(); ++a) {
    for (std::size_t b = a + 1; b < fixed.size(); ++b) {
      const PlanBuffer& x = buffers[fixed[a]];
      const PlanBuffer& y = buffers[fixed[b]];
      if (*x.offset < *y.offset + y.bytes && *y.offset < *x.offset + x.bytes && AliveTogether(x, y)) {
        return {ProblemFault::kFixedOverlap, fixed[a], fixed[b]};
      }
    }
  }
  return {};
}

}  // namespace arenaproof
