// How two regions of memory lie to each other. Precondition everywhere: no region reaches beyond the address space.
#pragma once

#include <cstdint>

#include "core/arena/observer.h"

namespace arenaproof {

// Whether they share a byte.
inline bool Overlap(MemoryRegion one, MemoryRegion other) {
  if (one.bytes == 0 || other.bytes == 0) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(one.data);
  const auto second = reinterpret_cast<std::uintptr_t>(other.data);
  return first < second ? second - first < one.bytes : first - second < other.bytes;
}

// Whether every byte of `inner` is one of `outer`; one without bytes lies anywhere in it.
inline bool Contains(MemoryRegion outer, MemoryRegion inner) {
  const auto start = reinterpret_cast<std::uintptr_t>(outer.data);
  const auto inner_start = reinterpret_cast<std::uintptr_t>(inner.data);
  return inner_start >= start && inner_start - start <= outer.bytes &&
         inner.bytes <= outer.bytes - (inner_start - start);
}

}  // namespace arenaproof
