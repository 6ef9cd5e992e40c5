// Helpers of everything that drives planners: requests, running a planner over them, and a quadratic certifier that is
// too simple to be wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/exact.h"
#include "core/planner/certifier.h"
#include "core/planner/memory_planner.h"
#include "core/planner/placed_buffer.h"
#include "tests/support/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

struct BufferRequest {
  std::size_t bytes = 0;
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int64_t offline_offset = kOnline;

  friend bool operator==(const BufferRequest&, const BufferRequest&) = default;
};

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

inline bool ConflictInTime(const PlacedBuffer& a, const PlacedBuffer& b) {
  return !(a.first > b.last || b.first > a.last);
}

// May the two not lie as they lie? One byte at a time would be even simpler; this is its closed form.
inline bool WronglyShareBytes(const PlacedBuffer& a, const PlacedBuffer& b) {
  if (a.bytes == 0 || b.bytes == 0 || a.last < 0 || b.last < 0) return false;
  if (a.trusted && b.trusted) return false;
  return ConflictInTime(a, b) && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

// What Certify has to say: the reason, the buffer where a single one is at fault, whether any pair is.
inline Certificate QuadraticCertificate(std::span<const PlacedBuffer> buffers, std::size_t head_bytes,
                                        std::size_t alignment) {
  if (alignment == 0) return {CertificateReason::kZeroAlignment};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlacedBuffer& buffer = buffers[i];
    const auto end = Widen(buffer.offset) + buffer.bytes;
    if (buffer.last < buffer.first) return {CertificateReason::kBadLifetime, i};
    if (buffer.offset == kUnplaced) return {CertificateReason::kNoOffset, i};
    if (buffer.offset % alignment != 0) return {CertificateReason::kMisaligned, i};
    if (end > head_bytes) return {CertificateReason::kOutsideHead, i};
  }
  const PlacedBuffer* const all = buffers.data();  // quadratic: no checked access
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = i + 1; j < buffers.size(); ++j) {
      if (WronglyShareBytes(all[i], all[j])) return {CertificateReason::kSharedBytes, i, j};
    }
  }
  return {};
}

inline Certificate CertifyAnywhere(std::span<const PlacedBuffer> buffers, std::size_t head_bytes,
                                   std::size_t alignment) {
  std::vector<std::byte> workspace(CertifierWorkspaceBytes(buffers.size()));
  return Certify(buffers, head_bytes, alignment, workspace);
}

// Equal verdicts; of several guilty pairs either side may name any.
inline bool SameVerdict(const Certificate& found, const Certificate& expected, std::span<const PlacedBuffer> buffers) {
  if (found.reason != expected.reason) return false;
  if (found.reason != CertificateReason::kSharedBytes) {
    return found.first == expected.first && found.second == expected.second;
  }
  return found.first < found.second && found.second < buffers.size() &&
         WronglyShareBytes(buffers[found.first], buffers[found.second]);
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
