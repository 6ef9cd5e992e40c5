// Runs a sequence of operations of the growing arena, drawn as plain numbers, and checks every step by the invariants:
// the bare operations at 32 and at 64 bits, with numbers up to the last word, and a real SimpleArena beside them.
#pragma once

#include <string>
#include <vector>

#include "engine/cases/planner_session.h"

namespace arenaproof::testing {

struct ArenaSession {
  std::uint8_t world = 0;  // word, alignment of the arena, form of the memory, whether sizes are small
  std::vector<SessionDraw> calls;

  friend std::ostream& operator<<(std::ostream& stream, const ArenaSession& session) {
    stream << '{' << int{session.world} << ", {";
    for (const SessionDraw& draw : session.calls) stream << draw << ", ";
    return stream << "}}";
  }
};

struct ArenaSessionResult {
  std::string fault;    // empty: nothing is wrong
  std::string history;  // a line for each call
  std::size_t most_active = 0;
  std::size_t refused = 0;
};

ArenaSessionResult RunArenaSession(const ArenaSession& session, bool describe = false);

}  // namespace arenaproof::testing
