#include "sanitizers/instrument/filling/closed_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sanitizers/report/apart_regions.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {

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

void ClosedBytes::Cover(std::span<const OperandRange> open, std::optional<Fill> fill) {
  open_.assign(open.begin(), open.end());
  fill_ = fill;
  for (Region& region : regions()) {
    region.saved.resize(region.bytes);
    CoverRegion({region.data, region.bytes, region.saved.data()}, open_, fill_);
  }
  covered_ = true;
}

std::vector<MemoryRegion> ClosedBytes::Uncover() {
  std::vector<MemoryRegion> changed;
  if (!covered_) return changed;
  covered_ = false;
  for (Region& region : regions()) {
    // Without a fill nearly always: looking at each byte would take longer than the operator.
    if (!fill_ && std::memcmp(region.data, region.saved.data(), region.bytes) == 0) continue;
    std::size_t from = 0;
    MemoryRegion stretch;
    while (UncoverNext({region.data, region.bytes, region.saved.data()}, open_, fill_, &from, &stretch)) {
      changed.push_back(stretch);
    }
  }
  return changed;
}

}  // namespace arenaproof
