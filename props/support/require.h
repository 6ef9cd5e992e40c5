// What does not hold is reported on one line that begins with VIOLATED, whatever RapidCheck prints around it.
#pragma once

#include <rapidcheck.h>

#include <string>

namespace arenaproof::testing {

inline void Require(bool holds, const std::string& what) {
  const std::string message = "VIOLATED: " + what;
  if (!holds) RC_FAIL(message);
}

}  // namespace arenaproof::testing
