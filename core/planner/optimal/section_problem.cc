#include "core/planner/optimal/section_problem.h"

#include <algorithm>
#include <numeric>

namespace arenaproof {
namespace {

using Blocks = std::vector<std::pair<Units, Units>>;

// All offsets of a plan whose buffers rest on each other are multiples of it.
std::int64_t UnitBytes(std::span<const PlanBuffer> buffers) {
  std::int64_t unit = 0;
  for (const PlanBuffer& buffer : buffers) unit = std::gcd(unit, std::gcd(buffer.bytes, buffer.offset.value_or(0)));
  if (unit == 0) return 1;
  for (std::int64_t before = 0; before != unit;) {
    before = unit;
    for (const PlanBuffer& buffer : buffers) {
      if (unit % buffer.alignment != 0) unit = std::gcd(unit, buffer.alignment);
    }
  }
  return unit;
}

struct Change {
  std::int64_t time = 0;
  bool begins = false;  // what ends at a time ends before others begin
  std::uint32_t buffer = 0;
};

std::vector<Change> ChangesInTime(std::span<const PlanBuffer> buffers) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes == 0) continue;
    for (const TimeInterval& interval : AliveIntervals(buffers[i])) {
      changes.push_back({interval.lower, true, static_cast<std::uint32_t>(i)});
      changes.push_back({interval.upper, false, static_cast<std::uint32_t>(i)});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.begins != b.begins) return !a.begins;
    return a.buffer < b.buffer;
  });
  return changes;
}

// A set of live buffers is largest in its neighbourhood where the last beginning is followed by an end.
// begin(buffer, those alive when it begins) for each beginning: each pair alive together is seen at least once.
template <typename Begin, typename Visit>
void ForEachSection(std::span<const PlanBuffer> buffers, Moments moments, const Begin& begin, const Visit& visit) {
  std::vector<std::uint32_t> alive;
  std::vector<std::size_t> position(buffers.size());
  bool grown = false;
  std::int64_t time = 0;
  for (const Change& change : ChangesInTime(buffers)) {
    const bool is_later = !alive.empty() && change.time != time;
    if (moments == Moments::kAll ? is_later : grown && !change.begins) visit(alive);
    time = change.time;
    if (change.begins) {
      begin(change.buffer, alive);
      position[change.buffer] = alive.size();
      alive.push_back(change.buffer);
      grown = true;
      continue;
    }
    grown = false;
    const std::size_t hole = position[change.buffer];
    alive[hole] = alive.back();
    position[alive[hole]] = hole;
    alive.pop_back();
  }
}

void SortAndMerge(Blocks& blocks) {
  std::sort(blocks.begin(), blocks.end());
  Blocks merged;
  for (const auto& block : blocks) {
    if (!merged.empty() && block.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, block.second);
    } else {
      merged.push_back(block);
    }
  }
  blocks = std::move(merged);
}

// Each is near what is near it: written down by rising number the lists are in order. A pair may be in them twice.
void SortNear(std::vector<FreeBuffer>& buffers) {
  std::vector<std::vector<std::uint32_t>> sorted(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) sorted[i].reserve(buffers[i].near.size());
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    for (const std::uint32_t j : buffers[i].near) {
      if (sorted[j].empty() || sorted[j].back() != i) sorted[j].push_back(i);
    }
    buffers[i].near = {};
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].near = std::move(sorted[i]);
}

}  // namespace

SectionProblem MakeSectionProblem(std::span<const PlanBuffer> buffers, Moments moments) {
  constexpr std::uint32_t kFixed = UINT32_MAX;
  SectionProblem problem;
  problem.unit_bytes = UnitBytes(buffers);
  std::vector<std::uint32_t> index(buffers.size(), kFixed);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlanBuffer& buffer = buffers[i];
    problem.bound = std::max(problem.bound, (buffer.offset.value_or(0) + buffer.bytes) / problem.unit_bytes);
    if (buffer.offset || buffer.bytes == 0) continue;
    const std::vector<TimeInterval> alive = AliveIntervals(buffer);
    if (alive.empty()) continue;
    index[i] = static_cast<std::uint32_t>(problem.buffers.size());
    FreeBuffer& free = problem.buffers.emplace_back();
    free.original = i;
    free.size = buffer.bytes / problem.unit_bytes;
    free.alignment = std::max<Units>(1, buffer.alignment / problem.unit_bytes);
    // As a double, because the times may lie at both ends of their type.
    for (const TimeInterval& interval : alive) {
      free.width += static_cast<double>(interval.upper) - static_cast<double>(interval.lower);
    }
  }
  const auto note_pairs = [&](std::uint32_t i, const std::vector<std::uint32_t>& alive) {
    if (moments == Moments::kAll) return;
    const auto obstruct = [&](std::uint32_t free, std::uint32_t fixed) {
      const Units offset = *buffers[fixed].offset / problem.unit_bytes;
      problem.buffers[index[free]].obstacles.emplace_back(offset, offset + buffers[fixed].bytes / problem.unit_bytes);
    };
    for (const std::uint32_t j : alive) {
      if (index[i] != kFixed && index[j] != kFixed) {
        problem.buffers[index[i]].near.push_back(index[j]);
        problem.buffers[index[j]].near.push_back(index[i]);
      } else if (index[i] != kFixed) {
        obstruct(i, j);
      } else if (index[j] != kFixed) {
        obstruct(j, i);
      }
    }
  };
  ForEachSection(buffers, moments, note_pairs, [&](const std::vector<std::uint32_t>& alive) {
    const std::uint32_t section = static_cast<std::uint32_t>(problem.load.size());
    Units load = 0;
    Units fixed = 0;
    Blocks blocked;
    for (const std::uint32_t i : alive) {
      const Units size = buffers[i].bytes / problem.unit_bytes;
      if (index[i] != kFixed) {
        problem.buffers[index[i]].sections.push_back(section);
        load += size;
      } else {
        const Units offset = *buffers[i].offset / problem.unit_bytes;
        blocked.emplace_back(offset, offset + size);
        fixed += size;
      }
    }
    SortAndMerge(blocked);
    problem.bound = std::max(problem.bound, load + fixed);
    problem.load.push_back(load);
    problem.blocked.push_back(std::move(blocked));
  });
  SortNear(problem.buffers);
  for (FreeBuffer& free : problem.buffers) SortAndMerge(free.obstacles);
  return problem;
}

std::uint64_t MeetingsAlive(std::span<const PlanBuffer> buffers) {
  std::uint64_t meetings = 0, alive = 0;
  for (const Change& change : ChangesInTime(buffers)) {
    if (change.begins) {
      meetings += alive++;
    } else {
      --alive;
    }
  }
  return meetings;
}

Units LowestAllowed(const FreeBuffer& buffer, Units offset) {
  const auto aligned = [&](Units at) {
    const Units remainder = at % buffer.alignment;
    return remainder == 0 ? at : at + (buffer.alignment - remainder);
  };
  offset = aligned(offset);
  for (const auto& [begin, end] : buffer.obstacles) {
    if (begin < offset + buffer.size && offset < end) offset = aligned(end);
  }
  return offset;
}

}  // namespace arenaproof
