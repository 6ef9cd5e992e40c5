// Does an instrument see accesses of any width that begin and end in operands and step over closed bytes in between?
#pragma once

#include <cstddef>
#include <cstdint>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

inline constexpr std::size_t kGapDrillBytes = 128;

// Plants them into `place`, kGapDrillBytes of the arena of an instrument that is attached, from a multiple of 16 on, as
// operator `operator_index`; misses and false reports are added to `result`. Makes at most `kGapDrillGroups` groups.
inline constexpr std::size_t kGapDrillGroups = 48;
void DrillGaps(AccessInstrument& instrument, std::byte* place, std::int32_t operator_index, SelfTestResult* result);

}  // namespace arenaproof
