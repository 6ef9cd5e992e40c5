// Real accesses of every shape that kernels make, in code compiled exactly like the kernels, for instruments to prove
// that they see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace arenaproof {

inline constexpr std::size_t kPlantedBytes = 16;  // the most a planted access touches, from the address on

struct PlantedAccess {
  const char* what;   // "16-byte vector read"
  std::size_t bytes;  // touched, from `address` on
  bool write;
  bool any_alignment;  // false: the address has to be a multiple of `bytes`
  void (*make)(std::byte* address);
  // Lays what it reads, by code that no instrument looks at, or sorts what lies there: what it leaves behind is no
  // question for an instrument that compares bytes.
  bool depends_on_bytes = false;
  // Of what it reads it keeps a comparison's outcome only.
  bool compares = false;
};

std::span<const PlantedAccess> PlantedAccesses();

// Memory in which accesses are planted on attach: as much open as any of them needs, closed bytes on both sides, and
// what is left over where it starts on no multiple of 8.
inline constexpr std::size_t kPlantedClosedBytes = 64, kPlantedOpenBytes = 24;
inline constexpr std::size_t kPlantedAreaBytes = kPlantedClosedBytes + kPlantedOpenBytes + kPlantedClosedBytes + 8;

// Where an access is planted to try what an instrument sees that leaves [open, open + open_bytes) open: inside, on both
// sides, and across both edges when it can be made at any address. visit(address, illegal, "before").
template <typename Visit>
void ForEachPlantedPlace(const PlantedAccess& planted, std::byte* open, std::size_t open_bytes, Visit visit) {
  visit(open, false, "inside");
  visit(open - kPlantedBytes, true, "before");
  visit(open + open_bytes, true, "after");
  if (!planted.any_alignment) return;
  visit(open - planted.bytes / 2, true, "across the start");
  visit(open + open_bytes - planted.bytes / 2, true, "across the end");
}

// What planted writes write from now on, as long as no planted read changes it: every byte is `byte`, or 0 in numbers
// of more than 32 bits. A long double has bytes of its own, none of them above 0x80 or from 0x40 to 0x7f.
void SetPlantedValue(std::uint8_t byte);

// Accesses of any width up to kPlantedRangeBytes.
inline constexpr std::size_t kPlantedRangeBytes = 64;
struct PlantedRange {
  const char* what;
  bool write;
  void (*make)(std::byte* address, std::size_t bytes);
};
std::span<const PlantedRange> PlantedRanges();

// Writes what the planted reads have kept of the bytes that they read last.
inline constexpr std::size_t kPlantedResultBytes = 48;
void WritePlantedResults(std::byte* to);

// Writes a byte back where it was read, in one expression: the write must not be taken for covered by the read.
void PlantWriteBack(std::byte* address);

}  // namespace arenaproof
