// The size of every structure that lives in an arena, pinned for 64-bit and for 32-bit words: a structure that grows by
// accident does not compile, and what a device needs can be computed on a host.
//
// Right behind a structure stands ARENAPROOF_PIN_BYTES(Structure, bytes, alignment, 32-bit bytes, 32-bit alignment).
// 32-bit: the ARM EABI, which aligns 8-byte types to 8.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof {

enum class WordSize : std::uint8_t { k32 = 4, k64 = 8 };

inline constexpr WordSize kOwnWordSize = sizeof(void*) == 8 ? WordSize::k64 : WordSize::k32;

struct StructureBytes {
  const char* name = "";
  std::uint16_t bytes64 = 0, alignment64 = 0;
  std::uint16_t bytes32 = 0, alignment32 = 0;

  constexpr std::size_t bytes(WordSize word) const { return word == WordSize::k64 ? bytes64 : bytes32; }
  constexpr std::size_t alignment(WordSize word) const { return word == WordSize::k64 ? alignment64 : alignment32; }
};

// The sizes of words themselves.
constexpr StructureBytes PinnedBytes(std::byte* const*) { return {"address", 8, 8, 4, 4}; }
constexpr StructureBytes PinnedBytes(const std::size_t*) { return {"size", 8, 8, 4, 4}; }
constexpr StructureBytes PinnedBytes(const std::int32_t*) { return {"number", 4, 4, 4, 4}; }

template <typename Structure>
concept Pinned = requires { PinnedBytes(static_cast<const Structure*>(nullptr)); };

template <typename Structure>
constexpr StructureBytes BytesOf() {
  static_assert(Pinned<Structure>, "what lives in an arena needs ARENAPROOF_PIN_BYTES behind its definition");
  constexpr StructureBytes kBytes = PinnedBytes(static_cast<const Structure*>(nullptr));
  static_assert(kBytes.bytes(kOwnWordSize) == sizeof(Structure) &&
                kBytes.alignment(kOwnWordSize) == alignof(Structure));
  return kBytes;
}

}  // namespace arenaproof

// Stands in the structure's own namespace, or with `friend` before it in the class that the structure belongs to.
#define ARENAPROOF_PIN_BYTES(structure, bytes64, alignment64, bytes32, alignment32)                           \
  constexpr ::arenaproof::StructureBytes PinnedBytes(const structure*) {                                      \
    constexpr ::arenaproof::StructureBytes kPinned{#structure, bytes64, alignment64, bytes32, alignment32};   \
    static_assert(kPinned.bytes(::arenaproof::kOwnWordSize) == sizeof(structure), "the structure has grown"); \
    static_assert(kPinned.alignment(::arenaproof::kOwnWordSize) == alignof(structure), "its alignment");      \
    return kPinned;                                                                                           \
  }                                                                                                           \
  static_assert(true)
