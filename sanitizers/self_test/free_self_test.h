// Proves CheckedMemory::Free, with which `arenaproof check` gives its arena back as an application would: freeing the
// pointer that was advanced over a reserve has to be reported and to change nothing, freeing the original one has to
// leave no page behind.
#pragma once

#include <cstddef>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// `seen` and `missed` list the wrong pointers that were reported and those that were not, `missed` also memory that was
// kept although it was freed; a refused original pointer is in `legal_reported`.
SelfTestResult RunFreeSelfTest(std::size_t reserve_bytes);

}  // namespace arenaproof
