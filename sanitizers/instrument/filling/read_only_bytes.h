// What the running operator may read and not write, for instruments whose memory has one right for both: a write is
// seen by the byte that it leaves behind, when the operator's code stops running, and is put back.
#pragma once

#include <span>
#include <vector>

#include "sanitizers/instrument/filling/closed_bytes.h"

namespace arenaproof {

class ReadOnlyBytes {
 public:
  // Keeps what `open` and `allowances` let the operator read and not write.
  void Keep(std::span<const OperandRange> open, std::span<const OperandRange> allowances);
  // The stretches that were written since, in the order of addresses.
  std::vector<MemoryRegion> TakeWritten() { return bytes_.Uncover(); }

 private:
  ClosedBytes bytes_;
};

}  // namespace arenaproof
