// How an arena comes to be: directly over a buffer, or by the factory that places the arena into its own tail.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/arena/arena_support.h"

namespace arenaproof {
namespace {

TEST(SingleArenaFactory, PlacesTheArenaIntoItsOwnTail) {
  AlignedBuffer<1024> buffer;
  SingleArena* arena = nullptr;
  ASSERT_TRUE(SingleArena::Create(buffer.data(), 1024, nullptr, &arena).ok());
  EXPECT_EQ(reinterpret_cast<std::byte*>(arena), buffer.data() + 1024 - sizeof(SingleArena));
  EXPECT_EQ(arena->PersistentUsedBytes(), sizeof(SingleArena)) << "it counts itself";
  EXPECT_EQ(arena->NonPersistentUsedBytes(), 0u);
  EXPECT_EQ(arena->OverlayAddress(), buffer.data());
}

TEST(SingleArenaFactory, AlignsTheFrontAndLeavesTheEndAsItIs) {
  AlignedBuffer<1024> buffer;
  for (std::size_t skip = 1; skip <= 16; ++skip) {
    SingleArena* arena = nullptr;
    ASSERT_TRUE(SingleArena::Create(buffer.data() + skip, 1003 - skip, nullptr, &arena).ok());
    EXPECT_EQ(arena->OverlayAddress(), buffer.data() + 16);
    EXPECT_EQ(arena->TotalBytes(), 1003u - 16u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena) % alignof(SingleArena), 0u);
    EXPECT_EQ(arena->PersistentUsedBytes(), sizeof(SingleArena) + 3);
  }
}

TEST(SingleArenaFactory, WritesNothingButItself) {
  AlignedBuffer<1024> buffer;
  std::memset(buffer.data(), 0xA5, 1024);
  SingleArena* arena = nullptr;
  ASSERT_TRUE(SingleArena::Create(buffer.data(), 1024, nullptr, &arena).ok());
  for (std::size_t i = 0; i < 1024 - sizeof(SingleArena); ++i) ASSERT_EQ(buffer.bytes[i], std::byte{0xA5}) << i;
}

TEST(SingleArenaFactory, X10BufferThatEndsBeforeItsFirstAlignedByte) {
  AlignedBuffer<64> buffer;
  SingleArena* arena = nullptr;
  for (std::size_t bytes = 0; bytes < 15; ++bytes) {
    EXPECT_EQ(SingleArena::Create(buffer.data() + 1, bytes, nullptr, &arena).code, StatusCode::kArenaBufferTooSmall);
  }
  EXPECT_EQ(arena, nullptr);
}

TEST(SingleArenaFactory, X11BufferTooSmallForTheArenaItself) {
  AlignedBuffer<256> buffer;
  std::memset(buffer.data(), 0xA5, 256);
  SingleArena* arena = nullptr;
  for (std::size_t bytes = 0; bytes < sizeof(SingleArena); ++bytes) {
    const Status status = SingleArena::Create(buffer.data(), bytes, nullptr, &arena);
    EXPECT_EQ(status, Failure(StatusCode::kArenaBufferTooSmall, bytes, sizeof(SingleArena)));
  }
  EXPECT_EQ(arena, nullptr);
  for (const std::byte byte : buffer.bytes) ASSERT_EQ(byte, std::byte{0xA5}) << "a refusal wrote into the buffer";
  EXPECT_TRUE(SingleArena::Create(buffer.data(), sizeof(SingleArena), nullptr, &arena).ok());
}

TEST(SingleArenaFactory, X12NullBuffer) {
  SingleArena* made = nullptr;
  EXPECT_EQ(SingleArena::Create(nullptr, 1024, nullptr, &made).code, StatusCode::kArenaNullBuffer);
  EXPECT_EQ(made, nullptr);
  SingleArena arena;
  ExpectRefused(arena, StatusCode::kArenaNullBuffer, [&] { return arena.Init(nullptr, 1024); });
}

TEST(SingleArenaFactory, X8BufferThatWouldEndPastTheLastAddress) {
  AlignedBuffer<64> buffer;
  SingleArena* made = nullptr;
  EXPECT_EQ(SingleArena::Create(buffer.data(), kLargestSize, nullptr, &made).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(SingleArena::Create(buffer.data() + 1, kLargestSize - 4, nullptr, &made).code, StatusCode::kSizeOverflow);
  EXPECT_EQ(made, nullptr);
  SingleArena arena;
  ExpectRefused(arena, StatusCode::kSizeOverflow, [&] { return arena.Init(buffer.data(), kLargestSize); });
}

TEST(SingleArenaFactory, DirectlyBuiltArenaTakesTheBufferUnchanged) {
  AlignedBuffer<64> buffer;
  SingleArena arena;
  ASSERT_TRUE(arena.Init(buffer.data() + 3, 50).ok());
  EXPECT_EQ(arena.OverlayAddress(), buffer.data() + 3);
  EXPECT_EQ(arena.TotalBytes(), 50u);
}

}  // namespace
}  // namespace arenaproof
