// Proves CheckedMemory::Free, with which `arenaproof check` gives its arena back as an application would: freeing the
// pointer that was advanced over a reserve has to be reported and to change nothing, freeing the original one has to
// leave no page behind.
#pragma once

#include <cstddef>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// What was reported stands in `seen`, what was not in `missed`; a refused original pointer, and memory that was kept
// although it was freed, in `legal_reported` and `missed`.
SelfTestResult RunFreeSelfTest(std::size_t reserve_bytes);

}  // namespace arenaproof
