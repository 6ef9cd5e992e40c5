// What the arena tests share: the largest size, an aligned buffer and a call that has to be refused without a trace.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>

#include "core/arena/invariants.h"
#include "core/arena/single_arena.h"

namespace arenaproof {

inline constexpr std::size_t kLargestSize = std::numeric_limits<std::size_t>::max();

// Bytes of a buffer that starts at a multiple of 64.
template <std::size_t kBytes>
struct AlignedBuffer {
  alignas(64) std::array<std::byte, kBytes> bytes{};
  std::byte* data() { return bytes.data(); }
};

// A directly built arena over `kBytes` bytes, `kSkip` past a multiple of 64.
template <std::size_t kBytes, std::size_t kSkip = 0>
struct ArenaUnderTest : SingleArena {
  ArenaUnderTest() { EXPECT_TRUE(Init(start(), kBytes).ok()); }
  std::byte* start() { return buffer.data() + kSkip; }

  std::byte* Temporary(std::size_t size, std::size_t alignment) {
    std::byte* block = nullptr;
    EXPECT_TRUE(AllocateTemporary(size, alignment, &block).ok());
    return block;
  }
  std::byte* Persistent(std::size_t size, std::size_t alignment) {
    std::byte* block = nullptr;
    EXPECT_TRUE(AllocatePersistent(size, alignment, &block).ok());
    return block;
  }
  std::byte* Resizable(std::size_t size, std::size_t alignment) {
    std::byte* block = nullptr;
    EXPECT_TRUE(AllocateResizable(size, alignment, &block).ok());
    return block;
  }

  AlignedBuffer<kBytes + kSkip> buffer;
};

// Makes the call and expects it to be refused with `code`, changing nothing.
template <typename Call>
void ExpectRefused(Arena& arena, StatusCode code, Call&& call) {
  const auto before = arena.state();
  const Status status = call();
  EXPECT_EQ(status.code, code);
  EXPECT_EQ(arena.state(), before) << "a refused call changed the arena";
}

}  // namespace arenaproof
