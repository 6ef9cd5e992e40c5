// The micro runtime's greedy planner as its description words it, in numbers that cannot wrap: what the real one is
// compared with, offset for offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

// Nothing where the description knows no plan: a negative fixed offset, or an end behind the largest std::size_t.
inline std::optional<PlanResult> ReferenceGreedy(std::span<const BufferRequest> requests) {
#ifdef __SIZEOF_INT128__
  using ExactSum = __int128;
#else
  using ExactSum = std::int64_t;
  static_assert(sizeof(std::size_t) == 4);
#endif
  const auto online = [&](std::size_t i) { return requests[i].offline_offset == kOnline; };
  // Fixed buffers as added. Then the others, largest first, among equals the one added later first: filled in from
  // behind and sorted by swapping neighbours, only where the left one is smaller.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!online(i)) order.push_back(i);
  }
  const std::size_t fixed_count = order.size();
  for (std::size_t i = requests.size(); i-- > 0;) {
    if (online(i)) order.push_back(i);
  }
  for (std::size_t end = order.size(); end > fixed_count + 1; --end) {
    bool swapped = false;
    for (std::size_t i = fixed_count; i + 1 < end; ++i) {
      if (requests[order[i]].bytes >= requests[order[i + 1]].bytes) continue;
      std::swap(order[i], order[i + 1]);
      swapped = true;
    }
    if (!swapped) break;
  }
  struct Entry {
    ExactSum offset;
    std::size_t index;
  };
  std::vector<Entry> list;  // by offset; behind those of equal offset
  PlanResult result{std::vector<std::size_t>(requests.size()), 0};
  for (const std::size_t index : order) {
    const BufferRequest& wanted = requests[index];
    ExactSum offset = wanted.offline_offset;
    if (online(index)) {
      offset = 0;
      for (const Entry& entry : list) {
        const BufferRequest& other = requests[entry.index];
        if (wanted.first > other.last || other.first > wanted.last) continue;
        if (entry.offset - offset >= static_cast<ExactSum>(wanted.bytes)) break;
        const ExactSum end = entry.offset + static_cast<ExactSum>(other.bytes);
        if (end > offset) offset = end;
      }
    }
    const ExactSum end = offset + static_cast<ExactSum>(wanted.bytes);
    if (offset < 0 || end > static_cast<ExactSum>(SIZE_MAX)) return std::nullopt;
    auto place = list.begin();
    while (place != list.end() && place->offset <= offset) ++place;
    list.insert(place, {offset, index});
    result.offsets[index] = static_cast<std::size_t>(offset);
    if (static_cast<std::size_t>(end) > result.maximum_bytes) result.maximum_bytes = static_cast<std::size_t>(end);
  }
  return result;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
