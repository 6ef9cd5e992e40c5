// Watched memory while an operator runs, for instruments that need no help from the compiler: what is closed to the
// operator is saved and overwritten with a fill that differs from it in every byte, and is put back when the operator's
// code stops running. A byte that is no longer what was laid there was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// No byte of one is a byte of the other, or 0. Which byte lies where depends on its place in its region alone, so that
// two runs see the same.
enum class Fill : std::uint8_t { kFirst, kSecond };

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

  // The byte that `fill` has at `offset`, where `present` lies.
  static std::byte FillByte(Fill fill, std::size_t offset, std::byte present);

 private:
  // The buffers are kept for the next regions: those of one operator follow those of another all the time.
  struct Region {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::vector<std::byte> saved, laid;
    std::vector<AccessRight> rights;
  };

  static void Admit(const OperandRange& operand, Region& region);
  void SetRights(Region& region) const;
  std::span<Region> regions() { return std::span(regions_).first(region_count_); }
  std::span<const Region> regions() const { return std::span(regions_).first(region_count_); }
  static void UncoverRegion(Region& region, std::vector<MemoryRegion>& changed);

  std::vector<Region> regions_;
  std::size_t region_count_ = 0;
  std::vector<OperandRange> open_;
  bool covered_ = false, filled_ = false;
};

}  // namespace arenaproof
