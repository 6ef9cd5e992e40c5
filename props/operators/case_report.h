// Which case runs, for whoever reports it.
#pragma once

#include <cstdio>
#include <string>

namespace arenaproof::props {

inline std::string current_case;

// False, for the one who found it.
inline bool Complain(const char* what) {
  std::fprintf(stderr, "KERNEL WRONG: %s: %s\n", what, current_case.c_str());
  return false;
}

}  // namespace arenaproof::props
