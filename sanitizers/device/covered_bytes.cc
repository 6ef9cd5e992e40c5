#include "sanitizers/device/covered_bytes.h"

#include <cstring>

#include "sanitizers/device/illegal_runs.h"

namespace arenaproof {
namespace {

constexpr std::size_t kBlockBytes = 16;

// Bytes that have one right: all operands that hold them together grant it.
struct Stretch {
  std::size_t end;  // an offset in the region
  AccessRight right;
};

Stretch StretchAt(const CoveredRegion& region, std::span<const OperandRange> open, std::size_t offset) {
  const std::uintptr_t start = AddressOf(region.data), address = start + offset;
  unsigned right = 0;
  for (const OperandRange& operand : open) {
    if (!Exists(operand) || address < AddressesOf(operand).begin || address >= AddressesOf(operand).end) continue;
    right |= static_cast<unsigned>(RightOf(operand.right));
  }
  return {NextEdge(open, address, start + region.bytes) - start, static_cast<AccessRight>(right)};
}

}  // namespace

std::byte FillByte(Fill fill, std::size_t offset, std::byte present) {
  // Bits that look random, so that neighbours differ, below those that name the fill: sums and the like of several
  // bytes differ too. Words of one block are large, as integers and as floats. Those of the next leave the top bits
  // alone, so that sums of a few have the sign of their fill and do not saturate alike.
  const bool large = offset / kBlockBytes % 2 == 0, first = fill == Fill::kFirst;
  const std::uint64_t mixed = std::uint64_t{offset} * (first ? 0x9e3779b97f4a7c15U : 0xd1342543de82ef95U);
  const unsigned mark = large ? (first ? 0xc0U : 0x40U) : (first ? 0xf0U : 0x10U);
  const std::byte byte{static_cast<std::uint8_t>(mark | static_cast<unsigned>(mixed >> (large ? 58U : 60U)))};
  return byte == present ? byte ^ std::byte{0x20} : byte;
}

void CoverRegion(const CoveredRegion& region, std::span<const OperandRange> open, std::optional<Fill> fill) {
  std::memcpy(region.saved, region.data, region.bytes);
  if (!fill) return;
  for (std::size_t offset = 0; offset < region.bytes;) {
    const Stretch stretch = StretchAt(region, open, offset);
    if (stretch.right != AccessRight::kNone) {
      offset = stretch.end;
      continue;
    }
    for (; offset < stretch.end; ++offset) region.data[offset] = FillByte(*fill, offset, region.saved[offset]);
  }
}

bool UncoverNext(const CoveredRegion& region, std::span<const OperandRange> open, std::optional<Fill> fill,
                 std::size_t* from, MemoryRegion* changed) {
  *changed = {};
  for (std::size_t offset = *from; offset < region.bytes;) {
    const Stretch stretch = StretchAt(region, open, offset);
    const bool writable = Grants(stretch.right, true);
    if (writable && changed->bytes > 0) break;
    if (writable) offset = stretch.end;
    const bool filled = fill && stretch.right == AccessRight::kNone;
    for (; offset < stretch.end; ++offset) {
      const std::byte kept = region.saved[offset];
      if (region.data[offset] == (filled ? FillByte(*fill, offset, kept) : kept)) {
        if (changed->bytes > 0) break;
      } else {
        if (changed->bytes++ == 0) changed->data = region.data + offset;
      }
      if (region.data[offset] != kept) region.data[offset] = kept;
    }
    if (changed->bytes > 0 && offset < stretch.end) break;
  }
  if (changed->bytes == 0) return false;
  *from = static_cast<std::size_t>(changed->data + changed->bytes - region.data);
  return true;
}

}  // namespace arenaproof
