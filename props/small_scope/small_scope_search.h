// Every sequence of calls on a small arena, of any length: breadth-first over the states that sequences can reach,
// until no call leads to a new one (the fixpoint). Every step of every sequence is checked by the oracle that the proof
// uses and by the invariants over histories. Where the proof takes any state and any number, this takes only states
// that calls really reach; so it also sees what goes wrong over several calls, and reports the shortest sequence that
// does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/arena/arena_state.h"

namespace arenaproof {

// At most this many temporaries are outstanding at once.
inline constexpr std::size_t kMostOutstanding = 4;

struct SmallScope {
  const char* name;
  unsigned word_bits;   // 32 or 64
  std::uint64_t begin;  // of the arena; misaligned, at 0 and just below the largest word on purpose
  std::uint64_t bytes;
  std::size_t outstanding_limit;  // <= kMostOutstanding
  bool wrong_frees;               // also frees that the arena cannot distinguish from rightful ones
  ArenaKind kind;
  bool attempts;  // the tail is marked, rewound and kept too; else those calls are checked but not followed
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> alignments;
};

struct SmallScopeResult {
  enum class End { kFixpoint, kViolation, kTooManyStates };
  End end = End::kFixpoint;
  std::uint64_t state_count = 0;
  std::uint64_t transition_count = 0;
  std::size_t longest_sequence = 0;   // calls to the farthest state
  std::string broken;                 // name of the invariant
  std::vector<std::string> sequence;  // readable, the violating call last
};

// The scopes, small ones first. `quick` leaves out what takes more than about a second without instruments.
std::vector<SmallScope> SmallScopes(bool quick);

// `progress(states, transitions, states left)` is called now and then; stops after `most_states`.
using SearchProgress = void (*)(std::uint64_t state_count, std::uint64_t transition_count, std::uint64_t open_count);
SmallScopeResult Search(const SmallScope& scope, std::uint64_t most_states, SearchProgress progress);

}  // namespace arenaproof
