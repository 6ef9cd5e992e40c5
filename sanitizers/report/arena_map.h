// A small picture of the memory around an illegal access: one letter for 8 bytes, 16 letters a row, at most five rows,
// below each a line of marks where it is touched, and a legend of the letters that occur.
#pragma once

#include <string>
#include <vector>

#include "sanitizers/report/attribution.h"
#include "sanitizers/report/byte_registry.h"

namespace arenaproof {

// Rows start at multiples of 8 relative to the region's start. A granule shows the byte that comes first in this order:
// the charged operand, another operand, a buffer, a gap; below it stands '!' when the run touches it.
std::vector<std::string> DrawArenaMap(const ByteRegistry& registry, const RunningOperator& running,
                                      const IllegalRun& run);

}  // namespace arenaproof
