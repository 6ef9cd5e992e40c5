#include "engine/oracles/host_planner/smallest_gap.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {

std::optional<WideOffset> SmallestGap(std::vector<GapObstacle> obstacles, std::size_t bytes, std::size_t alignment) {
  std::sort(obstacles.begin(), obstacles.end(),
            [](const GapObstacle& a, const GapObstacle& b) { return a.offset < b.offset; });
  const auto up = [&](WideOffset offset) { return (offset + alignment - 1) / alignment * alignment; };
  WideOffset floor = 0;
  std::optional<WideOffset> best;
  WideOffset width = kLargestOffset;
  for (const GapObstacle& each : obstacles) {
    const WideOffset start = up(floor);
    if (start + bytes > kLargestOffset) return std::nullopt;
    if (start + bytes <= each.offset && each.offset - start < width) {
      best = start;
      width = each.offset - floor;
    }
    floor = std::max(floor, each.offset + each.bytes);
  }
  const WideOffset offset = best ? *best : up(floor);
  if (offset + bytes > kLargestOffset) return std::nullopt;
  return offset;
}

std::vector<std::size_t> OrderOfPlacement(std::span<const TimedBuffer> buffers) {
  std::int32_t last = 0;
  for (const TimedBuffer& buffer : buffers) last = std::max(last, buffer.last);
  std::vector<std::tuple<bool, std::size_t, std::int32_t, std::size_t>> keys;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const bool always = buffers[i].first == 0 && buffers[i].last == last;
    keys.emplace_back(!always, always ? 0 : SIZE_MAX - buffers[i].bytes, always ? 0 : buffers[i].first, i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  for (const auto& key : keys) order.push_back(std::get<3>(key));
  return order;
}

std::optional<GapPlan> PlanBySmallestGap(std::span<const TimedBuffer> buffers, std::size_t alignment,
                                         std::size_t* refused) {
  GapPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<std::size_t> placed;
  for (const std::size_t i : OrderOfPlacement(buffers)) {
    if (buffers[i].bytes == 0) continue;
    std::vector<GapObstacle> obstacles;
    for (const std::size_t j : placed) {
      const bool apart = buffers[i].last < buffers[j].first || buffers[j].last < buffers[i].first;
      if (!apart) obstacles.push_back({plan.offsets[j], buffers[j].bytes});
    }
    const std::optional<WideOffset> offset = SmallestGap(std::move(obstacles), buffers[i].bytes, alignment);
    if (!offset) {
      *refused = i;
      return std::nullopt;
    }
    plan.offsets[i] = static_cast<std::size_t>(*offset);
    plan.end = std::max(plan.end, plan.offsets[i] + buffers[i].bytes);
    placed.push_back(i);
  }
  return plan;
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
