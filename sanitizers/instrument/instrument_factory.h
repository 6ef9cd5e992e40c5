// Instruments by name.
#pragma once

#include <memory>
#include <string_view>

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

inline constexpr const char* kInstrumentNames = "shadow, asan, guard, canary, twofill, valgrind";

// One of the names; null for another name. It may not be available in this build: ask it.
std::unique_ptr<AccessInstrument> MakeInstrument(std::string_view name);

}  // namespace arenaproof
