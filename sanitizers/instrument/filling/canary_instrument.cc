#include "sanitizers/instrument/filling/canary_instrument.h"

#include "sanitizers/report/attribution.h"

namespace arenaproof {

void CanaryInstrument::Start(std::span<const WatchedRegion> watched) {
  closed_.Watch(watched);
  AddLimit("reads: it compares bytes before and after, so only writes leave something behind");
  AddLimit("a write of the byte that lies there already, as when a byte is read and written back");
  AddLimit("single accesses: adjoining bytes that changed while an operator ran are one, whatever wrote them");
  AddLimit("accesses outside of arena and model and of the closed bytes around them");
}

void CanaryInstrument::Open(std::span<const OperandRange>) {
  for (const MemoryRegion& stretch : closed_.Uncover()) CheckAccess(AddressOf(stretch.data), stretch.bytes, true);
}

}  // namespace arenaproof
