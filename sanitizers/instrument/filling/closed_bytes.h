// Watched memory while an operator runs, for instruments that need no help from the compiler: any number of regions,
// each covered and put back as covered_bytes.h says, with the memory for their copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/device/covered_bytes.h"
#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

class ClosedBytes {
 public:
  void Watch(std::vector<MemoryRegion> regions);

  // Lays `fill` where nothing is open. Bytes that are open for reading stay as they are; without a fill all do.
  void Cover(std::span<const OperandRange> open, std::optional<Fill> fill);

  // Puts back whatever is not open for writing and returns its stretches that had changed, in the order of addresses;
  // nothing unless covered.
  std::vector<MemoryRegion> Uncover();

  // Overwrites what lies in `range` and is watched, for good.
  void Lay(MemoryRegion range, Fill fill) const;

  bool covered() const { return covered_; }

 private:
  // The buffers are kept for the next regions: those of one operator follow those of another all the time.
  struct Region {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::vector<std::byte> saved;
  };

  std::span<Region> regions() { return std::span(regions_).first(region_count_); }
  std::span<const Region> regions() const { return std::span(regions_).first(region_count_); }

  std::vector<Region> regions_;
  std::size_t region_count_ = 0;
  std::vector<OperandRange> open_;
  std::optional<Fill> fill_;
  bool covered_ = false;
};

}  // namespace arenaproof
