// Everything an arena knows: five cursors and the book of outstanding temporaries. All cursors are addresses.
//
//   begin          head_end        temporary_end          tail_begin            end
//     | head  ------> | temporary ------> | free             | <------ tail      |
//
// Head: data that dies or is overwritten (the planned tensors). Temporary: scoped structures, freed by a reset. Tail:
// what lives as long as the arena. begin <= head_end <= temporary_end <= tail_begin <= end always holds.
#pragma once

namespace arenaproof {

template <typename Word>
struct ArenaState {
  Word begin{};
  Word head_end{};
  Word temporary_end{};
  Word tail_begin{};
  Word end{};
  Word temporary_count{};     // outstanding temporaries
  Word temporary_checksum{};  // Toggle over their addresses

  friend bool operator==(const ArenaState&, const ArenaState&) = default;
};

// An arena over [begin, end) with nothing in it. Precondition: begin <= end.
template <typename Word>
constexpr ArenaState<Word> EmptyArena(const Word& begin, const Word& end) {
  return ArenaState<Word>{begin, begin, begin, end, end, Word(0), Word(0)};
}

}  // namespace arenaproof
