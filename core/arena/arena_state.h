// The whole state of an arena: five cursors, count and checksum of the outstanding temporaries and the tail's mark. All
// cursors are addresses.
//
//   begin          head_end        temporary_end          tail_begin            end
//     | head  ------> | temporary ------> | free             | <------ tail      |
//
// Head: data that dies or is overwritten (the planned tensors). Temporary: scoped structures, freed by a reset. Tail:
// what lives as long as the arena. begin <= head_end <= temporary_end <= tail_begin <= end always holds.
//
// In a pair of arenas the persistent one has a tail only (head and temporaries stay empty at begin), the other one has
// no tail (it stays empty at end) and records whether its one resizable block is taken.
//
// A mark is where the tail stood when an attempt began (a model's allocation). While it is set, the tail can be rewound
// to it, which takes back every block of the attempt and no other; keeping the tail ends the attempt for good.
#pragma once

#include <cstdint>

#include "core/base/word.h"

namespace arenaproof {

enum class ArenaKind : std::uint8_t { kSingle, kPersistent, kNonPersistent };

template <typename Word>
struct ArenaState {
  Word begin{};
  Word head_end{};
  Word temporary_end{};
  Word tail_begin{};
  Word end{};
  Word temporary_count{};     // outstanding temporaries
  Word temporary_checksum{};  // Toggle over their addresses
  Word tail_mark{};           // 0 unless marked
  ConditionOf<Word> marked = Flag<Word>(false);
  ConditionOf<Word> resizable_taken = Flag<Word>(false);  // of a non-persistent arena
  ArenaKind kind = ArenaKind::kSingle;

  friend bool operator==(const ArenaState&, const ArenaState&) = default;
};

// An arena over [begin, end) with nothing in it. Precondition: begin <= end.
template <typename Word>
constexpr ArenaState<Word> EmptyArena(const Word& begin, const Word& end, ArenaKind kind = ArenaKind::kSingle) {
  return ArenaState<Word>{
      begin, begin, begin, end, end, Word(0), Word(0), Word(0), Flag<Word>(false), Flag<Word>(false), kind};
}

}  // namespace arenaproof
