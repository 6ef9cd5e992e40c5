// An input of a fuzz target as a test: the target's replay program of this build runs it. `./dev explain` prints such
// tests.
#pragma once

#include <string>
#include <string_view>

namespace arenaproof::testing {

struct ReplayedInput {
  int exit_status = 0;  // 128 and the signal's number when one ended it
  std::string said;     // on standard output and standard error
};

// Throws std::runtime_error when there is no such program, or the text is no base64.
ReplayedInput ReplayInput(const std::string& target, std::string_view base64);

}  // namespace arenaproof::testing
