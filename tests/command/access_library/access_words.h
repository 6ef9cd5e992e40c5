// What the option bytes of the custom operator "access" say, for the library that makes the access and for the tests
// that choose it.
#pragma once

#include <cstdint>

namespace arenaproof::testing {

inline constexpr const char* kAccessOperator = "access";
inline constexpr std::int32_t kMostAccessBytes = 64;

// What the first byte of an access is counted from: the operator's first input, its first output, or memory of the
// operator that holds some, which is nobody else's.
enum class AccessBase : std::uint8_t { kInput, kOutput, kPersistentOfHolder, kTemporaryOfHolder };

enum class AccessKind : std::uint8_t {
  kNone,
  kLoad,      // one access as the compiler sees it, or a call of memcpy()
  kUsedLoad,  // the same, and the result depends on each byte
  kStore      // of the byte kStoredByte
};

inline constexpr unsigned char kStoredByte = 0x2a;  // of no instrument's fill

struct AccessWords {
  AccessKind kind = AccessKind::kNone;
  AccessBase base = AccessBase::kInput;
  std::uint8_t by_call = 0;       // memcpy() for every width; else a power of two bytes wide
  std::uint8_t in_prepare = 0;    // of the holder's memory
  std::uint8_t holds_memory = 0;  // in prepare it takes a block, a scratch buffer, and a temporary that it gives back
  std::uint8_t unused[3] = {};
  std::int32_t at = 0;  // from the base's first byte to the access's
  std::int32_t bytes = 0;
};
static_assert(sizeof(AccessWords) == 16);

// Of the holder's blocks, so that what lies in their middle is far from everything else.
inline constexpr std::size_t kHeldBytes = 320;

}  // namespace arenaproof::testing
