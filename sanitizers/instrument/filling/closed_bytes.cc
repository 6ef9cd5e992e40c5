#include "sanitizers/instrument/filling/closed_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sanitizers/report/apart_regions.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {

std::byte ClosedBytes::FillByte(Fill fill, std::size_t offset, std::byte present) {
  // Six bits that look random, so that neighbours differ, below two that name the fill. Those of the other fill are
  // others: sums and the like of several bytes differ too.
  const std::uint64_t factor = fill == Fill::kFirst ? 0x9e3779b97f4a7c15U : 0xd1342543de82ef95U;
  const auto bits = static_cast<unsigned>((std::uint64_t{offset} * factor) >> 58U);
  const std::byte byte{static_cast<std::uint8_t>((fill == Fill::kFirst ? 0xc0U : 0x40U) | bits)};
  return byte == present ? byte ^ std::byte{0x20} : byte;
}

// A byte that two regions share is saved once: the second copy would be of the first one's fill.
void ClosedBytes::Watch(std::vector<MemoryRegion> regions) {
  covered_ = false;
  const std::vector<MemoryRegion> apart = Apart(std::move(regions));
  region_count_ = apart.size();
  if (regions_.size() < apart.size()) regions_.resize(apart.size());
  for (std::size_t i = 0; i < apart.size(); ++i) {
    regions_[i].data = const_cast<std::byte*>(apart[i].data);
    regions_[i].bytes = apart[i].bytes;
  }
}

void ClosedBytes::Admit(const OperandRange& operand, Region& region) {
  const std::uintptr_t start = AddressOf(region.data), end = start + region.bytes;
  const std::uintptr_t from = std::max(start, AddressOf(operand.data));
  const std::uintptr_t to = std::min(end, AddressOf(operand.data) + operand.bytes);
  for (std::uintptr_t address = from; address < to; ++address) {
    AccessRight& right = region.rights[address - start];
    right = static_cast<AccessRight>(static_cast<unsigned>(right) | static_cast<unsigned>(RightOf(operand.right)));
  }
}

void ClosedBytes::Lay(MemoryRegion range, Fill fill) const {
  for (const Region& region : regions()) {
    const std::uintptr_t start = AddressOf(region.data);
    const std::uintptr_t from = std::max(start, AddressOf(range.data));
    const std::uintptr_t to = std::min(start + region.bytes, AddressOf(range.data) + range.bytes);
    for (std::uintptr_t address = from; address < to; ++address) {
      region.data[address - start] = FillByte(fill, address - start, std::byte{});
    }
  }
}

void ClosedBytes::SetRights(Region& region) const {
  region.rights.assign(region.bytes, AccessRight::kNone);
  for (const OperandRange& operand : open_) {
    if (operand.data != nullptr) Admit(operand, region);
  }
}

void ClosedBytes::Cover(std::span<const OperandRange> open, std::optional<Fill> fill) {
  open_.assign(open.begin(), open.end());
  filled_ = fill.has_value();
  for (Region& region : regions()) {
    region.saved.assign(region.data, region.data + region.bytes);
    if (!fill) continue;
    SetRights(region);
    region.laid = region.saved;
    for (std::size_t i = 0; i < region.bytes; ++i) {
      if (region.rights[i] == AccessRight::kNone) region.laid[i] = FillByte(*fill, i, region.saved[i]);
    }
    std::memcpy(region.data, region.laid.data(), region.bytes);
  }
  covered_ = true;
}

std::vector<MemoryRegion> ClosedBytes::Uncover() {
  std::vector<MemoryRegion> changed;
  if (!covered_) return changed;
  covered_ = false;
  for (Region& region : regions()) {
    if (!filled_) {
      // Nearly always: looking at each byte would take longer than the operator.
      if (std::memcmp(region.data, region.saved.data(), region.bytes) == 0) continue;
      SetRights(region);
      region.laid = region.saved;
    }
    UncoverRegion(region, changed);
  }
  return changed;
}

void ClosedBytes::UncoverRegion(Region& region, std::vector<MemoryRegion>& changed) {
  bool in_stretch = false;
  for (std::size_t i = 0; i < region.bytes; ++i) {
    if (Grants(region.rights[i], true)) {
      in_stretch = false;
      continue;
    }
    if (region.data[i] == region.laid[i]) {
      in_stretch = false;
    } else if (in_stretch) {
      ++changed.back().bytes;
    } else {
      changed.push_back({region.data + i, 1});
      in_stretch = true;
    }
    if (region.data[i] != region.saved[i]) region.data[i] = region.saved[i];
  }
}

}  // namespace arenaproof
