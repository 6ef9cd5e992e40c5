// Self-test: an instrument has to see accesses of any width that begin and end in operands and step over closed bytes
// in between.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

inline constexpr std::size_t kGapSelfTestBytes = 128;

// Plants them into `place`, kGapSelfTestBytes of the arena of an instrument that is attached, from a multiple of 16 on,
// as operator `operator_index`; misses and false reports are added to `result`. Makes at most `kGapSelfTestGroups`
// groups.
inline constexpr std::size_t kGapSelfTestGroups = 48;
void RunGapSelfTest(AccessInstrument& instrument, std::byte* place, std::int32_t operator_index,
                    SelfTestResult* result);

}  // namespace arenaproof
