// Memory that is overwritten where it is closed to an operator while that operator runs, and is put back when its code
// stops running. A byte that is no longer what was laid there was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/arena/observer.h"

namespace arenaproof {

// No byte of one is a byte of the other, or 0. Which byte lies where depends on its place in its region alone, so that
// two runs see the same.
enum class Fill : std::uint8_t { kFirst, kSecond };

// The byte that `fill` has at `offset`, where `present` lies: another one than that.
std::byte FillByte(Fill fill, std::size_t offset, std::byte present);

// A region, and room for a copy of it.
struct CoveredRegion {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::byte* saved = nullptr;  // as many bytes
};

// Keeps the region's bytes, and lays `fill` where `open` opens nothing. What is open for reading stays as it is;
// without a fill all does.
void CoverRegion(const CoveredRegion& region, std::span<const OperandRange> open, std::optional<Fill> fill);

// Puts back whatever is not open for writing, from the offset `from` up to the end of the next stretch that had
// changed: true, and `from` is behind it. False when none is left, and the region is as it was. `open` and `fill` are
// those that it was covered with.
bool UncoverNext(const CoveredRegion& region, std::span<const OperandRange> open, std::optional<Fill> fill,
                 std::size_t* from, MemoryRegion* changed);

}  // namespace arenaproof
