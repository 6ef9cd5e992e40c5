// Buffers with lifetimes, drawn as plain numbers, planned by the arena planner behind the interface of the head's
// planners and by a bare arena at one of several alignments, both beside a plain search for the smallest gap.
#pragma once

#include <string>
#include <vector>

#include "engine/cases/planner_session.h"

namespace arenaproof::testing {

struct HeadSession {
  std::uint8_t alignment = 0;  // which one the bare arena is asked for
  std::vector<SessionDraw> buffers;

  friend std::ostream& operator<<(std::ostream& stream, const HeadSession& session) {
    stream << '{' << int{session.alignment} << ", {";
    for (const SessionDraw& draw : session.buffers) stream << draw << ", ";
    return stream << "}}";
  }
};

struct HeadSessionResult {
  std::string fault;    // empty: nothing is wrong
  std::string history;  // a line for each buffer
  bool refused = false;
};

HeadSessionResult RunHeadSession(const HeadSession& session);

}  // namespace arenaproof::testing
