#include "sanitizers/planted/planted_access.h"

#include <cstdint>
#include <cstring>

namespace arenaproof {
namespace {

// Results go here, so that no access can be left out; lengths and values come from here, so that none can be narrowed.
volatile int sink;
volatile std::size_t planted_bytes = kPlantedBytes;
std::byte other[kPlantedBytes];

typedef std::int32_t Vector __attribute__((vector_size(16)));

template <typename Integer>
__attribute__((noinline)) void Read(std::byte* address) {
  sink = static_cast<int>(*reinterpret_cast<const volatile Integer*>(address));
}

template <typename Integer>
__attribute__((noinline)) void Write(std::byte* address) {
  *reinterpret_cast<volatile Integer*>(address) = static_cast<Integer>(sink);
}

__attribute__((noinline)) void ReadVector(std::byte* address) {
  Vector lanes;
  std::memcpy(&lanes, address, sizeof lanes);
  sink = lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

__attribute__((noinline)) void WriteVector(std::byte* address) {
  const int value = sink;
  const Vector lanes{value, value, value, value};
  std::memcpy(address, &lanes, sizeof lanes);
}

__attribute__((noinline)) void CopyFrom(std::byte* address) { std::memcpy(other, address, planted_bytes); }
__attribute__((noinline)) void CopyTo(std::byte* address) { std::memcpy(address, other, planted_bytes); }
__attribute__((noinline)) void MoveFrom(std::byte* address) { std::memmove(other, address, planted_bytes); }
__attribute__((noinline)) void MoveTo(std::byte* address) { std::memmove(address, other, planted_bytes); }
__attribute__((noinline)) void Set(std::byte* address) { std::memset(address, sink, planted_bytes); }
__attribute__((noinline)) void Compare(std::byte* address) { sink = std::memcmp(address, other, planted_bytes); }
__attribute__((noinline)) void CompareEqual(std::byte* address) {
  sink = std::memcmp(address, other, planted_bytes) == 0 ? 1 : 0;
}

__attribute__((noinline)) void CompareAsSecond(std::byte* address) {
  sink = std::memcmp(other, address, planted_bytes);
}

constexpr PlantedAccess kPlanted[] = {
    {"1-byte read", 1, false, false, Read<std::uint8_t>},
    {"1-byte write", 1, true, false, Write<std::uint8_t>},
    {"2-byte read", 2, false, false, Read<std::int16_t>},
    {"2-byte write", 2, true, false, Write<std::int16_t>},
    {"4-byte read", 4, false, false, Read<std::int32_t>},
    {"4-byte write", 4, true, false, Write<std::int32_t>},
    {"8-byte read", 8, false, false, Read<std::int64_t>},
    {"8-byte write", 8, true, false, Write<std::int64_t>},
    {"16-byte vector read", 16, false, true, ReadVector},
    {"16-byte vector write", 16, true, true, WriteVector},
    {"memcpy from", 16, false, true, CopyFrom},
    {"memcpy to", 16, true, true, CopyTo},
    {"memmove from", 16, false, true, MoveFrom},
    {"memmove to", 16, true, true, MoveTo},
    {"memset", 16, true, true, Set},
    {"memcmp", 16, false, true, Compare},
    {"memcmp, second", 16, false, true, CompareAsSecond},
    {"memcmp for equality", 16, false, true, CompareEqual},
};

}  // namespace

std::span<const PlantedAccess> PlantedAccesses() { return kPlanted; }

__attribute__((noinline)) void PlantWriteBack(std::byte* address) {
  auto* const byte = reinterpret_cast<volatile std::uint8_t*>(address);
  *byte = *byte;
}

}  // namespace arenaproof
