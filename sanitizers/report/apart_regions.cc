#include "sanitizers/report/apart_regions.h"

#include <algorithm>

#include "sanitizers/report/attribution.h"

namespace arenaproof {

std::vector<MemoryRegion> Apart(std::vector<MemoryRegion> regions) {
  std::sort(regions.begin(), regions.end(),
            [](const MemoryRegion& a, const MemoryRegion& b) { return AddressOf(a.data) < AddressOf(b.data); });
  std::vector<MemoryRegion> apart;
  for (const MemoryRegion& region : regions) {
    if (region.data == nullptr || region.bytes == 0) continue;
    if (apart.empty() || AddressOf(region.data) >= AddressOf(apart.back().data) + apart.back().bytes) {
      apart.push_back(region);
    } else {
      const std::size_t end = AddressOf(region.data) + region.bytes - AddressOf(apart.back().data);
      apart.back().bytes = std::max(apart.back().bytes, end);
    }
  }
  return apart;
}

}  // namespace arenaproof
