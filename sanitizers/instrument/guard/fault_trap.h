// While it exists, an access to pages that are closed in one of its mappings is noted, its page is opened, and the
// access is made again. A fault anywhere else, and one that an open page does not help, goes where it went before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"

namespace arenaproof {

inline constexpr std::size_t kPageBytes = 4096;

struct PageFault {
  std::uintptr_t address;  // the first byte of the access that lies in a closed page
  bool write;
};

class FaultTrap {
 public:
  // Whether this machine tells reads from writes.
  static bool Available();

  // One at a time in a process. The mappings outlive it, each of whole pages.
  explicit FaultTrap(std::span<const MemoryRegion> mappings);
  ~FaultTrap();
  FaultTrap(const FaultTrap&) = delete;
  FaultTrap& operator=(const FaultTrap&) = delete;

  // In the order in which they came; later ones than kMostFaults are not noted.
  static constexpr std::size_t kMostFaults = 256;
  std::span<const PageFault> faults() const;
};

}  // namespace arenaproof
