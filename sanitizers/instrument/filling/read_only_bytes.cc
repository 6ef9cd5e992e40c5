#include "sanitizers/instrument/filling/read_only_bytes.h"

#include <utility>

#include "sanitizers/report/attribution.h"

namespace arenaproof {

void ReadOnlyBytes::Keep(std::span<const OperandRange> open, std::span<const OperandRange> allowances) {
  std::vector<MemoryRegion> regions;
  for (const auto ranges : {open, allowances}) {
    for (const OperandRange& range : ranges) {
      if (Grants(range.right, false) && !Grants(range.right, true)) regions.push_back({range.data, range.bytes});
    }
  }
  bytes_.Watch(std::move(regions));
  bytes_.Cover(open, {});
}

}  // namespace arenaproof
