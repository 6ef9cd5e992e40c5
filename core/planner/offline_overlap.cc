#include "core/planner/offline_overlap.h"

#include <algorithm>
#include <new>

#include "core/planner/certifier.h"

namespace arenaproof {
namespace {

std::size_t EndOf(const PlacedBuffer& buffer) { return buffer.offset + buffer.bytes; }

// Buffers in the order of their offsets, to ask each whether another one reaches into it.
class ByOffset {
 public:
  // `order` has room for an index of each buffer.
  ByOffset(std::span<const PlacedBuffer> buffers, std::uint32_t* order) : buffers_(buffers), order_(order) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].bytes != 0) new (&order_[count_++]) std::uint32_t{static_cast<std::uint32_t>(i)};
    }
    std::sort(order_, order_ + count_, [&](std::uint32_t a, std::uint32_t b) {
      return buffers[a].offset != buffers[b].offset ? buffers[a].offset < buffers[b].offset : a < b;
    });
  }

  // The lowest index in a pair of which one is marked; buffers.size() when there is none. A pair shares bytes exactly
  // when the later one of the order starts before the other has ended.
  std::size_t LowestInAPair() const {
    std::size_t lowest = buffers_.size();
    std::size_t end_of_any = 0;
    std::size_t end_of_marked = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const PlacedBuffer& buffer = buffers_[order_[i]];
      const bool marked = !buffer.trusted;
      if ((marked ? end_of_any : end_of_marked) > buffer.offset) lowest = std::min<std::size_t>(lowest, order_[i]);
      end_of_any = std::max(end_of_any, EndOf(buffer));
      if (marked) end_of_marked = std::max(end_of_marked, EndOf(buffer));
    }
    std::size_t next_of_any = SIZE_MAX;
    std::size_t next_marked = SIZE_MAX;
    for (std::size_t i = count_; i-- > 0;) {
      const PlacedBuffer& buffer = buffers_[order_[i]];
      const bool marked = !buffer.trusted;
      if ((marked ? next_of_any : next_marked) < EndOf(buffer)) lowest = std::min<std::size_t>(lowest, order_[i]);
      next_of_any = buffer.offset;
      if (marked) next_marked = buffer.offset;
    }
    return lowest;
  }

 private:
  std::span<const PlacedBuffer> buffers_;
  std::uint32_t* order_;
  std::size_t count_ = 0;
};

std::byte* AlignedForIndices(std::span<std::byte> workspace) {
  const auto address = reinterpret_cast<std::uintptr_t>(workspace.data());
  constexpr std::size_t kAlignment = alignof(std::uint32_t);
  return workspace.data() + (kAlignment - address % kAlignment) % kAlignment;
}

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

BufferPair FirstSharedBytes(std::span<const PlacedBuffer> buffers, std::span<std::byte> workspace) {
  if (workspace.size() < CertifierWorkspaceBytes(buffers.size())) return {OverlapVerdict::kNoRoom};
  if (buffers.empty()) return {};
  static_assert(alignof(std::size_t) >= alignof(std::uint32_t), "the certifier's workspace is enough for the indices");
  const ByOffset by_offset(buffers, reinterpret_cast<std::uint32_t*>(AlignedForIndices(workspace)));
  BufferPair pair;
  pair.first = by_offset.LowestInAPair();
  if (pair.first == buffers.size()) return {};
  pair.verdict = OverlapVerdict::kFound;
  const PlacedBuffer& lower = buffers[pair.first];
  pair.second = pair.first + 1;
  while (!ShareBytes(lower, buffers[pair.second]) || (lower.trusted && buffers[pair.second].trusted)) ++pair.second;
  return pair;
}

}  // namespace arenaproof
