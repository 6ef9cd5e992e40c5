// Runs a session of the arena planner beside the second planner that is written from the specification, and compares
// after every call: the answer, every address, who shares with whom, both arenas' bytes. When everything is placed, the
// graph is run byte for byte.
#pragma once

#include <string>

#include "engine/cases/planner_session.h"

namespace arenaproof::testing {

struct SessionResult {
  std::string fault;    // empty: nothing is wrong
  std::string history;  // the graph and the calls, a line each
  std::size_t nodes = 0;
  std::size_t shared = 0;   // tensors that shared bytes at some time
  std::size_t refused = 0;  // calls
  std::size_t runs = 0;     // of the whole graph
};

// `describe`: whether to fill `history`.
SessionResult RunSession(const PlannerSession& session, bool describe = false);

}  // namespace arenaproof::testing
