// Regions of memory, each byte in one of them only.
#pragma once

#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

// The same bytes in the order of their addresses: those that share bytes become one, those without bytes are left out.
std::vector<MemoryRegion> Apart(std::vector<MemoryRegion> regions);

}  // namespace arenaproof
