// What a program's draws reached, counted while it runs and printed on stderr when it ends. Diagnostics only: nothing a
// program does depends on it.
#pragma once

#include <cstddef>
#include <cstdio>

#include "engine/generators/reach_tally.h"
#include "engine/unguided.h"

namespace arenaproof {

ARENAPROOF_UNGUIDED_BEGIN

inline void CountReach(const char* dimension, std::size_t number) {
  struct Report {
    ReachTally tally;
    ~Report() { std::fputs(tally.Lines().c_str(), stderr); }
  };
  static Report report;
  report.tally.Count(dimension, number);
}

ARENAPROOF_UNGUIDED_END

}  // namespace arenaproof
