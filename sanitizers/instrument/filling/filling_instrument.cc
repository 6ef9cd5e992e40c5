#include "sanitizers/instrument/filling/filling_instrument.h"

#include <utility>
#include <vector>

#include "sanitizers/device/canary_limits.h"
#include "sanitizers/report/attribution.h"

namespace arenaproof {

void FillingInstrument::Start(std::span<const WatchedRegion> watched) {
  std::vector<MemoryRegion> regions;
  for (const WatchedRegion& region : watched) regions.push_back(region.whole);
  closed_.Watch(std::move(regions));
  AddLimit(kFarAccesses);
  AddLimit(kAdjoiningBytesAreOne);
}

void FillingInstrument::Open(std::span<const OperandRange>) {
  for (const MemoryRegion& stretch : closed_.Uncover()) CheckAccess(AddressOf(stretch.data), stretch.bytes, true);
}

}  // namespace arenaproof
