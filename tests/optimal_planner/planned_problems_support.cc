#include "tests/optimal_planner/planned_problems_support.h"

#include <algorithm>
#include <optional>

#include "engine/generators/seeded_source.h"

namespace arenaproof::testing {
namespace {

bool IsAliveAt(const PlanBuffer& buffer, std::int64_t time) {
  if (time < buffer.lifetime.lower || time >= buffer.lifetime.upper) return false;
  for (const TimeInterval& gap : buffer.gaps) {
    if (gap.lower <= time && time < gap.upper) return false;
  }
  return true;
}

// The times at which something may begin to be alive.
std::vector<std::int64_t> BeginningsOf(const std::vector<PlanBuffer>& buffers) {
  std::vector<std::int64_t> times;
  for (const PlanBuffer& buffer : buffers) {
    times.push_back(buffer.lifetime.lower);
    for (const TimeInterval& gap : buffer.gaps) times.push_back(gap.upper);
  }
  return times;
}

bool AreAliveTogether(const PlanBuffer& a, const PlanBuffer& b) {
  for (const std::int64_t time : BeginningsOf({a, b})) {
    if (IsAliveAt(a, time) && IsAliveAt(b, time)) return true;
  }
  return false;
}

bool ShareBytes(const PlanBuffer& a, std::int64_t a_offset, const PlanBuffer& b, std::int64_t b_offset) {
  return a.bytes > 0 && b.bytes > 0 && a_offset < b_offset + b.bytes && b_offset < a_offset + a.bytes;
}

struct Trial {
  const std::vector<PlanBuffer>& buffers;
  std::vector<std::int64_t> offsets;
  std::int64_t best;

  void Place(std::size_t i, std::int64_t peak) {
    if (peak >= best) return;
    if (i == buffers.size()) {
      best = peak;
      return;
    }
    const PlanBuffer& buffer = buffers[i];
    const std::int64_t first = buffer.offset.value_or(0);
    const std::int64_t last = buffer.offset.value_or(best - buffer.bytes);
    for (std::int64_t at = first; at <= last && at + buffer.bytes < best; at += buffer.alignment) {
      bool is_free = true;
      for (std::size_t j = 0; j < i && is_free; ++j) {
        is_free = !ShareBytes(buffer, at, buffers[j], offsets[j]) || !AreAliveTogether(buffer, buffers[j]);
      }
      if (!is_free) continue;
      offsets[i] = at;
      Place(i + 1, std::max(peak, at + buffer.bytes));
    }
  }
};

}  // namespace

std::vector<PlanBuffer> CutRectangle(std::uint64_t seed, std::size_t count, std::int64_t head,
                                     std::size_t removed_percent) {
  constexpr std::int64_t kUnit = 1024;
  struct Rectangle {
    TimeInterval time;
    std::int64_t units;
  };
  SeededSource random(seed);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random.Below(static_cast<std::size_t>(n)));
  };
  std::vector<Rectangle> parts = {{{0, 4 * static_cast<std::int64_t>(count)}, head / kUnit}};
  while (parts.size() < count) {
    // The largest of a few, so that areas differ but not too much.
    std::size_t chosen = random.Below(parts.size());
    const auto area = [&](std::size_t p) { return (parts[p].time.upper - parts[p].time.lower) * parts[p].units; };
    for (int draw = 0; draw < 3; ++draw) {
      const std::size_t other = random.Below(parts.size());
      if (area(other) > area(chosen)) chosen = other;
    }
    Rectangle& part = parts[chosen];
    Rectangle rest = part;
    const std::int64_t width = part.time.upper - part.time.lower;
    if (random.Chance(50)) {
      if (width < 2) continue;
      part.time.upper = rest.time.lower = part.time.lower + 1 + below(width - 1);
    } else {
      if (part.units < 2) continue;
      part.units = 1 + below(part.units - 1);
      rest.units -= part.units;
    }
    parts.push_back(rest);
  }
  const std::int64_t full = below(4 * static_cast<std::int64_t>(count));
  std::vector<PlanBuffer> buffers;
  for (const Rectangle& part : parts) {
    const bool stays = part.time.lower <= full && full < part.time.upper;
    if (!stays && random.Chance(removed_percent)) continue;
    buffers.push_back({.lifetime = part.time, .bytes = part.units * kUnit, .offset = std::nullopt, .gaps = {}});
  }
  random.Shuffle(buffers);
  return buffers;
}

std::vector<PlanBuffer> FullProblem(std::uint64_t seed, std::int64_t head) {
  constexpr std::size_t kMoments = 6;
  SeededSource random(seed);
  std::vector<std::int64_t> left(kMoments, head);
  std::vector<PlanBuffer> buffers;
  for (std::size_t lower = 0; lower < kMoments;) {
    if (left[lower] == 0) {
      ++lower;
      continue;
    }
    std::size_t upper = lower + 1;
    std::int64_t most = left[lower];
    while (upper < kMoments && left[upper] > 0 && !random.OneIn(3)) most = std::min(most, left[upper++]);
    const std::int64_t bytes = buffers.size() < 9 ? random.Between(1, static_cast<int>(most)) : most;
    for (std::size_t at = lower; at < upper; ++at) left[at] -= bytes;
    buffers.push_back({.lifetime = {static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper)},
                       .bytes = bytes,
                       .offset = std::nullopt,
                       .gaps = {}});
  }
  random.Shuffle(buffers);
  return buffers;
}

std::vector<PlanBuffer> RandomProblem(std::uint64_t seed, std::size_t count, bool rich) {
  SeededSource random(seed);
  std::vector<PlanBuffer> buffers(count);
  for (PlanBuffer& buffer : buffers) {
    buffer.lifetime.lower = random.Between(0, 8);
    buffer.lifetime.upper = buffer.lifetime.lower + random.Between(random.OneIn(8) ? 0 : 1, 5);
    buffer.bytes = random.Between(random.OneIn(10) ? 0 : 1, 5);
    if (!rich) continue;
    if (random.OneIn(3)) buffer.alignment = random.Between(1, 4);
    if (random.OneIn(6)) buffer.offset = buffer.alignment * random.Between(0, 6 / static_cast<int>(buffer.alignment));
    const std::int64_t width = buffer.lifetime.upper - buffer.lifetime.lower;
    if (width >= 2 && random.OneIn(3)) {
      const std::int64_t from = buffer.lifetime.lower + random.Between(0, static_cast<int>(width) - 1);
      buffer.gaps.push_back({from, from + 1});
    }
  }
  return buffers;
}

std::string WrongInPlan(const std::vector<PlanBuffer>& buffers, const std::vector<std::int64_t>& offsets,
                        std::int64_t peak_bytes) {
  if (offsets.size() != buffers.size()) return "the plan has another number of buffers";
  std::int64_t peak = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::string name = "buffer " + std::to_string(i);
    if (offsets[i] < 0) return name + " is not placed";
    if (buffers[i].offset && offsets[i] != *buffers[i].offset) return name + " is not where it was fixed";
    if (offsets[i] % buffers[i].alignment != 0) return name + " is not aligned";
    peak = std::max(peak, offsets[i] + buffers[i].bytes);
    for (std::size_t j = 0; j < i; ++j) {
      if (ShareBytes(buffers[i], offsets[i], buffers[j], offsets[j]) && AreAliveTogether(buffers[i], buffers[j])) {
        return name + " shares bytes with buffer " + std::to_string(j);
      }
    }
  }
  return peak == peak_bytes ? "" : "the peak is " + std::to_string(peak);
}

std::int64_t BusiestMomentBytes(const std::vector<PlanBuffer>& buffers) {
  std::int64_t most = 0;
  for (const std::int64_t time : BeginningsOf(buffers)) {
    std::int64_t alive = 0;
    for (const PlanBuffer& buffer : buffers) alive += IsAliveAt(buffer, time) ? buffer.bytes : 0;
    most = std::max(most, alive);
  }
  return most;
}

std::int64_t OptimumByTrying(const std::vector<PlanBuffer>& buffers, std::int64_t most) {
  Trial trial{buffers, std::vector<std::int64_t>(buffers.size()), most};
  trial.Place(0, 0);
  return trial.best;
}

}  // namespace arenaproof::testing
