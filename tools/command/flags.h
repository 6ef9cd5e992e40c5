// `arenaproof flags`: how a library of kernels is compiled, for one instrument or for none.
#pragma once

#include <string>

#include "tools/text/exit_status.h"

namespace arenaproof {

// One of them.
struct FlagsOptions {
  bool shadow = false, asan = false, plain = false;
};

// The words for clang, on one line without its break.
std::string FlagsText(const FlagsOptions& options);

ExitStatus FlagsCommand(const FlagsOptions& options);

}  // namespace arenaproof
