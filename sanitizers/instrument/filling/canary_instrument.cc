#include "sanitizers/instrument/filling/canary_instrument.h"

namespace arenaproof {

void CanaryInstrument::Start(std::span<const WatchedRegion> watched) {
  FillingInstrument::Start(watched);
  AddLimit("reads: it compares bytes before and after, so only writes leave something behind");
  AddLimit("a write of the byte that lies there already, as when a byte is read and written back");
}

}  // namespace arenaproof
