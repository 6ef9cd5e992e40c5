#include "core/planner/offline_overlap.h"

#include <algorithm>
#include <new>

namespace arenaproof {
namespace {

std::size_t EndOf(const PlacedBuffer& buffer) { return buffer.offset + buffer.bytes; }

}  // namespace

bool ShareBytes(const PlacedBuffer& a, const PlacedBuffer& b) {
  return a.bytes != 0 && b.bytes != 0 && a.offset < EndOf(b) && b.offset < EndOf(a);
}

std::size_t LowestSharedOffset(const PlacedBuffer& a, const PlacedBuffer& b) { return std::max(a.offset, b.offset); }

bool AliveTogether(const PlacedBuffer& a, const PlacedBuffer& b) {
  return a.last >= 0 && b.last >= 0 && a.first <= b.last && b.first <= a.last;
}

BufferPair FirstLiveOverlap(std::span<PlacedBuffer> buffers, std::span<std::byte> workspace) {
  if (workspace.size() < CertifierWorkspaceBytes(buffers.size())) return {OverlapVerdict::kNoRoom};
  // The certifier lets trusted buffers share bytes with each other: is there a pair whose lower index is below `bound`?
  const auto pair_below = [&](std::size_t bound) {
    for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].trusted = i >= bound;
    return Certify(buffers, SIZE_MAX, 1, workspace).reason == CertificateReason::kSharedBytes;
  };
  BufferPair pair;
  if (pair_below(buffers.size())) {
    std::size_t none_below = 0;
    std::size_t some_below = buffers.size();
    while (some_below - none_below > 1) {
      const std::size_t middle = none_below + (some_below - none_below) / 2;
      (pair_below(middle) ? some_below : none_below) = middle;
    }
    pair = {OverlapVerdict::kFound, none_below, none_below + 1};
    const PlacedBuffer& lower = buffers[none_below];
    while (!ShareBytes(lower, buffers[pair.second]) || !AliveTogether(lower, buffers[pair.second])) ++pair.second;
  }
  for (PlacedBuffer& buffer : buffers) buffer.trusted = false;
  return pair;
}

std::span<const std::uint32_t> OrderByOffset(std::span<const PlacedBuffer> buffers, std::span<std::byte> workspace) {
  // The certifier's workspace has three indices for each buffer at a word's alignment.
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  constexpr std::size_t kAlignment = alignof(std::uint32_t);
  std::byte* const memory = workspace.data() + (kAlignment - address % kAlignment) % kAlignment;
  auto* const order = reinterpret_cast<std::uint32_t*>(memory);
  std::size_t count = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes != 0) new (&order[count++]) std::uint32_t{static_cast<std::uint32_t>(i)};
  }
  std::sort(order, order + count, [&](std::uint32_t a, std::uint32_t b) {
    return buffers[a].offset != buffers[b].offset ? buffers[a].offset < buffers[b].offset : a < b;
  });
  return {order, count};
}

}  // namespace arenaproof
