// Real accesses of every shape that kernels make, in code compiled exactly like the kernels, for instruments to prove
// that they see them.
#pragma once

#include <cstddef>
#include <span>

namespace arenaproof {

inline constexpr std::size_t kPlantedBytes = 16;  // the most a planted access touches, from the address on

struct PlantedAccess {
  const char* what;   // "16-byte vector read"
  std::size_t bytes;  // touched, from `address` on
  bool write;
  bool any_alignment;  // false: the address has to be a multiple of `bytes`
  void (*make)(std::byte* address);
};

std::span<const PlantedAccess> PlantedAccesses();

// Accesses of any width up to kPlantedRangeBytes.
inline constexpr std::size_t kPlantedRangeBytes = 64;
struct PlantedRange {
  const char* what;
  bool write;
  void (*make)(std::byte* address, std::size_t bytes);
};
std::span<const PlantedRange> PlantedRanges();

// Writes a byte back where it was read, in one expression: the write must not be taken for covered by the read.
void PlantWriteBack(std::byte* address);

}  // namespace arenaproof
