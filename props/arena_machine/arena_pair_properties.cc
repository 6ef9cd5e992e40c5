// Two arenas beside, over and inside each other: what shares a byte, or an address, is refused, and only that; what is
// taken stays inside its own bytes.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/arena/tensor_arena.h"
#include "engine/oracles/arena/arena_buffer.h"
#include "props/support/draws.h"

namespace arenaproof {
namespace {

static_assert(2 * kFarthest + 200 <= kArenaBufferBytes);

struct Place {
  std::size_t begin = 0;  // in the buffer
  std::size_t bytes = 0;
  std::size_t end() const { return begin + bytes; }
};

// The bytes of the buffer that a case is about: mostly few, for each is looked at.
std::size_t DrawRoom() {
  const std::size_t most = testing::OneIn(8) ? *testing::Reach() : 900;
  return 2 * std::max<std::size_t>(most, 900) + 200;
}

Place DrawPlace(std::size_t room) {
  const std::size_t most = room / 2 - 100;
  auto bytes = *rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 24), rc::gen::inRange<std::size_t>(230, 900));
  if (most > 900 && testing::OneIn(2)) bytes = *testing::Reach(most);
  return {*rc::gen::inRange<std::size_t>(1, room - bytes), bytes};
}

// Their edges lie within two bytes of each other, or anywhere.
Place DrawBeside(const Place& other, std::size_t room) {
  Place place = DrawPlace(room);
  const auto shift = *rc::gen::inRange<int>(-2, 3);
  const auto at = [&](std::size_t edge) {
    const auto moved = static_cast<std::ptrdiff_t>(edge) + shift;
    const auto most = static_cast<std::ptrdiff_t>(room - place.bytes);
    return static_cast<std::size_t>(std::clamp(moved, std::ptrdiff_t{1}, most));
  };
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      place.begin = at(other.end());
      break;
    case 1:
      place.begin = at(other.begin > place.bytes ? other.begin - place.bytes : 1);
      break;
    case 2:
      place.begin = at(other.begin);
      break;
    default:
      break;
  }
  return place;
}

// Counted byte by byte; arenas at one address are one, also of no bytes.
bool Share(const Place& a, const Place& b, std::size_t room) {
  if (a.begin == b.begin) return true;
  std::vector<bool> taken(room);
  for (std::size_t i = a.begin; i < a.end(); ++i) taken[i] = true;
  // What has no bytes lies in another as soon as it lies inside of it.
  if (b.bytes == 0) return taken[b.begin];
  if (a.bytes == 0) return a.begin > b.begin && a.begin < b.end();
  return std::any_of(taken.begin() + static_cast<std::ptrdiff_t>(b.begin),
                     taken.begin() + static_cast<std::ptrdiff_t>(b.end()), [](bool byte) { return byte; });
}

RC_GTEST_PROP(ArenaPair, IsRefusedExactlyWhenItsArenasShareAByte, ()) {
  const std::size_t room = DrawRoom();
  const Place persistent = DrawPlace(room);
  const Place other = DrawBeside(persistent, room);
  const bool recorded = *rc::gen::arbitrary<bool>();
  std::byte* const buffer = ArenaBuffer();
  std::memset(buffer, 0xa5, room);
  TensorArena arena;
  const Status status = TensorArena::CreatePair(
      {buffer + persistent.begin, persistent.bytes, buffer + other.begin, other.bytes}, nullptr, &arena, recorded);
  RC_LOG() << "persistent [" << persistent.begin << ", " << persistent.end() << "), other [" << other.begin << ", "
           << other.end() << ")\n";
  const bool share = Share(persistent, other, room);
  RC_CLASSIFY(share, "overlapping");
  RC_CLASSIFY(status.ok(), "taken");
  if (share && status.code != StatusCode::kArenaBuffersOverlap) {
    RC_FAIL("two arenas share bytes and are not refused for it (kArenaBuffersOverlap)");
  }
  if (!share && status.code == StatusCode::kArenaBuffersOverlap) {
    RC_FAIL("two arenas that share no byte are refused for overlap");
  }
  RC_ASSERT(status.ok() || share || status.code == StatusCode::kArenaBufferTooSmall);
  // Whatever came of it: only the persistent arena was written.
  for (std::size_t i = 0; i < room; ++i) {
    const bool own = status.ok() && i >= persistent.begin && i < persistent.end();
    if (!own && buffer[i] != std::byte{0xa5}) RC_FAIL("a byte outside of the persistent arena was written");
  }
}

}  // namespace
}  // namespace arenaproof
