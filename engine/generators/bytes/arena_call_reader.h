// A world for an arena and the calls made there, from a fuzzer's bytes. The target that checks them and the program
// that replays them without an oracle read the same sequences from the same inputs.
//
//   byte 0     world: 0 and 3 real buffer, 1 bare 32 bits, 2 bare 64 bits (mod 4); arena: 0 and 3 single, 1 persistent,
//              2 non-persistent (the rest mod 4); size: as said, or when the rest mod 8 is 1, far
//   byte 1, 2  bytes past alignment (mod 64), arena bytes: of a far one which of the numbers of reach.h
//   byte 3     base address of a bare world
//   then       per call: operation (mod table size), and as it takes them: size, alignment, address (see Draw... below)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/arena/arena_state.h"
#include "core/base/word.h"
#include "engine/cases/arena_call.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach.h"

namespace arenaproof {

enum class ArenaWorldKind : std::uint8_t { kBuffer, kBare32, kBare64 };

struct ArenaWorld {
  ArenaWorldKind kind = ArenaWorldKind::kBuffer;
  ArenaKind arena = ArenaKind::kSingle;
  std::uint8_t misalignment = 0;  // below 64
  std::size_t bytes = 0;
  std::uint8_t base = 0;
};

inline ArenaWorld DrawWorld(ByteReader& reader) {
  ArenaWorld world;
  const std::uint8_t choice = reader.Byte();
  const unsigned kind = choice % 4u;
  if (choice / 4 % 4 == 1) world.arena = ArenaKind::kPersistent;
  if (choice / 4 % 4 == 2) world.arena = ArenaKind::kNonPersistent;
  if (kind == 1) world.kind = ArenaWorldKind::kBare32;
  if (kind == 2) world.kind = ArenaWorldKind::kBare64;
  world.misalignment = static_cast<std::uint8_t>(reader.Below(64));
  world.bytes = choice / 16 % 8 == 1 ? DrawReach(reader) : reader.Byte();
  world.base = reader.Byte();
  return world;
}

// An arena of numbers only, at the address that the world says.
template <typename Word>
ArenaState<Word> BareArena(const ArenaWorld& world) {
  constexpr Word kLargest = Largest<Word>();
  Word begin = static_cast<Word>(world.base) * 64 + world.misalignment;
  // Ends near the last address; around the sign bit; address 0 and after.
  if (world.base >= 192) begin = static_cast<Word>(kLargest - world.bytes - world.misalignment);
  if (world.base >= 128 && world.base < 192) begin = static_cast<Word>(kLargest / 2 - world.misalignment);
  if (world.base < 16) begin = world.misalignment;
  return EmptyArena<Word>(begin, static_cast<Word>(begin + world.bytes), world.arena);
}

// Small, of a far arena far, around what is left, near the largest, or any.
template <typename Word>
Word DrawSize(ByteReader& reader, const ArenaState<Word>& arena) {
  const std::uint8_t choice = reader.Byte();
  // Arenas of more bytes than one byte counts are taken in as large steps.
  if (choice < 96 && arena.end - arena.begin > 255) return static_cast<Word>(DrawReach(reader));
  if (choice < 160) return choice;
  if (choice < 208) return static_cast<Word>(arena.tail_begin - arena.temporary_end + choice - 184);
  if (choice < 232) return static_cast<Word>(Largest<Word>() - (choice - 208u));
  if (choice < 248) return static_cast<Word>(Word{0} - arena.tail_begin + choice - 232);
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

// `bare`: any number; on a real buffer only what behaves the same wherever the buffer lies.
template <typename Word>
Word DrawAlignment(ByteReader& reader, bool bare) {
  constexpr std::array<Word, 16> kCommon = {1, 2, 4, 8,  16, 32, 64, 128,
                                            3, 5, 6, 12, 24, 48, 0,  Word{1} << (sizeof(Word) * 8 - 1)};
  const std::uint8_t choice = reader.Byte();
  if (choice < 224) return kCommon[choice % kCommon.size()];
  if (choice < 240) return static_cast<Word>(Largest<Word>() - (choice - 224u));
  if (!bare) return 16;
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

// The tail's mark, an outstanding temporary, an address near the arena, or any. `history` has an array `outstanding`,
// of which the first outstanding_count are used.
template <typename Word, typename History>
Word DrawAddress(ByteReader& reader, const ArenaState<Word>& arena, const History& history, bool bare) {
  const std::uint8_t choice = reader.Byte();
  if (arena.marked && choice % 4 == 3) return arena.tail_mark;
  if (choice < 128 && history.outstanding_count > 0) return history.outstanding[choice % history.outstanding_count];
  if (choice < 192) return static_cast<Word>(arena.begin + choice % 64);
  if (choice < 208) return static_cast<Word>(arena.head_end + choice - 200);
  if (choice < 224) return static_cast<Word>(arena.temporary_end + choice - 216);
  if (choice < 240 || !bare) return static_cast<Word>(arena.end + choice - 232);
  return static_cast<Word>(reader.Number(sizeof(Word)));
}

template <typename Word, typename History>
ArenaCall<Word> DrawCall(ByteReader& reader, const ArenaState<Word>& arena, const History& history, bool bare) {
  const OperationDescriptor& descriptor = kOperationTable[reader.Below(kOperationTable.size())];
  ArenaCall<Word> call{descriptor.operation, {}};
  if (descriptor.takes_size) call.arguments.size = DrawSize(reader, arena);
  if (descriptor.takes_alignment) call.arguments.alignment = DrawAlignment<Word>(reader, bare);
  if (descriptor.takes_address) call.arguments.address = DrawAddress(reader, arena, history, bare);
  return call;
}

}  // namespace arenaproof
