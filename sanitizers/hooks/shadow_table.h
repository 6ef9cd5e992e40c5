// The byte shadow itself: one byte for each byte of the watched regions, with separate rights to read and to write and
// marks for what was touched. Plain data; sanitizers/instrument/shadow fills and reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof::hooks {

inline constexpr std::uint8_t kMayRead = 1;
inline constexpr std::uint8_t kMayWrite = 2;
inline constexpr std::uint8_t kWasRead = 4;
inline constexpr std::uint8_t kWasWritten = 8;
// A write takes the right to read: kMayRead << 4.
inline constexpr std::uint8_t kInPlace = 16;

inline constexpr int kMaxShadowRegions = 8;
// Shadow bytes behind a region's last one, so that the widest access that starts inside never reads past the shadow.
inline constexpr std::size_t kShadowPadding = 64;

struct ShadowRegion {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint8_t* shadow = nullptr;  // `bytes` + kShadowPadding long; the padding stays closed
};

struct ShadowTable {
  // While an operator's own code runs: all regions lie in [lowest, lowest + extent). Else extent is 0, and every access
  // returns at once.
  std::uintptr_t lowest = 0;
  std::uintptr_t extent = 0;
  int region_count = 0;
  ShadowRegion regions[kMaxShadowRegions];
  // Called for an access of which at least one byte in a region lacks the right, by one thread at a time. It is
  // instrumented code: accesses that it makes itself are not reported.
  void (*report)(std::uintptr_t address, std::size_t bytes, bool write) = nullptr;
};

// Read by every hook. Constant-initialised: constructors that run before main find it disarmed.
extern ShadowTable shadow_table;

// Sets extent to 0 when no other thread is in the middle of a report.
void DisarmShadow();

}  // namespace arenaproof::hooks
