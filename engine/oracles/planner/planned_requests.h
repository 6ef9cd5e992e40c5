// Running a planner over requests, and what any plan of them needs at least.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/planner/placed_buffer.h"
#include "engine/cases/buffer_request.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

struct PlanResult {
  std::vector<std::size_t> offsets;
  std::size_t maximum_bytes = 0;

  friend bool operator==(const PlanResult&, const PlanResult&) = default;
};

// The whole plan, or nothing when any step fails. The workspace starts `shift_bytes` into a
// block and is `spare_bytes` longer than needed.
template <typename Planner>
std::optional<PlanResult> Plan(Planner& planner, std::span<const BufferRequest> requests, std::size_t shift_bytes = 0,
                               std::size_t spare_bytes = 0, std::byte fill = std::byte{0xA5}) {
  const std::size_t needed_bytes = planner.WorkspaceBytes(requests.size());
  std::vector<std::byte> memory(shift_bytes + needed_bytes + spare_bytes, fill);
  if (!planner.Init(std::span(memory).subspan(shift_bytes)).ok()) return std::nullopt;
  for (const BufferRequest& request : requests) {
    if (!planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset).ok()) {
      return std::nullopt;
    }
  }
  PlanResult result;
  result.offsets.resize(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!planner.OffsetOf(i, &result.offsets[i]).ok()) return std::nullopt;
  }
  if (!planner.MaximumBytes(&result.maximum_bytes).ok()) return std::nullopt;
  return result;
}

inline std::vector<PlacedBuffer> Placed(std::span<const BufferRequest> requests, std::span<const std::size_t> offsets,
                                        bool trust_offline = false) {
  std::vector<PlacedBuffer> placed;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const bool trusted = trust_offline && requests[i].offline_offset != kOnline;
    placed.push_back({offsets[i], requests[i].bytes, requests[i].first, requests[i].last, trusted});
  }
  return placed;
}

// Largest sum of sizes alive at one time step.
inline std::size_t PeakLiveBytes(std::span<const BufferRequest> requests) {
  std::size_t peak = 0;
  for (const BufferRequest& at : requests) {
    std::size_t live = 0;
    for (const BufferRequest& request : requests) {
      if (request.first <= at.first && at.first <= request.last) live += request.bytes;
    }
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
