// A graph and a sequence of calls of the arena planner as plain numbers, which a generator draws, a shrinker makes
// smaller and a fuzzer's bytes are read as. Every combination of numbers means something.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

namespace arenaproof::testing {

struct SessionDraw {
  std::uint8_t what = 0;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::uint8_t c = 0;

  friend std::ostream& operator<<(std::ostream& stream, const SessionDraw& draw) {
    return stream << '{' << int{draw.what} << ", " << int{draw.a} << ", " << int{draw.b} << ", " << int{draw.c} << '}';
  }
};

struct PlannerSession {
  std::uint8_t options = 0;
  std::vector<SessionDraw> tensors;  // graph inputs, variables and constants
  std::vector<SessionDraw> nodes;
  std::vector<SessionDraw> calls;

  friend std::ostream& operator<<(std::ostream& stream, const PlannerSession& session) {
    const auto show = [&](const char* name, const std::vector<SessionDraw>& draws) {
      stream << ", {";
      for (const SessionDraw& draw : draws) stream << draw << ',';
      stream << "} /* " << name << " */";
    };
    stream << '{' << int{session.options};
    show("tensors", session.tensors);
    show("nodes", session.nodes);
    show("calls", session.calls);
    return stream << '}';
  }
};

}  // namespace arenaproof::testing
