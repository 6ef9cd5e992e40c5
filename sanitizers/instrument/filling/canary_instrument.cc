#include "sanitizers/instrument/filling/canary_instrument.h"

#include "sanitizers/device/canary_limits.h"

namespace arenaproof {

void CanaryInstrument::Start(std::span<const WatchedRegion> watched) {
  FillingInstrument::Start(watched);
  AddLimit(kReadsLeaveNothing);
  AddLimit(kSameByteLeavesNothing);
}

}  // namespace arenaproof
