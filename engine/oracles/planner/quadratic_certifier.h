// A certifier that compares each pair of buffers: too simple to be wrong.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/exact.h"
#include "core/planner/certifier.h"
#include "core/planner/placed_buffer.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {

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

// Equal verdicts; where several pairs share bytes either side may name any.
inline bool SameVerdict(const Certificate& found, const Certificate& expected, std::span<const PlacedBuffer> buffers) {
  if (found.reason != expected.reason) return false;
  if (found.reason != CertificateReason::kSharedBytes) {
    return found.first == expected.first && found.second == expected.second;
  }
  return found.first < found.second && found.second < buffers.size() &&
         WronglyShareBytes(buffers[found.first], buffers[found.second]);
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
