// Where Valgrind is on this machine.
#pragma once

#include <string>

namespace arenaproof {

inline constexpr const char* kValgrindInstrument = "valgrind";
inline constexpr const char* kNoValgrind =
    "there is no program 'valgrind' in the folders of PATH; Debian's package valgrind has it";

// The path of `valgrind` as a shell would find it; empty: there is none.
std::string FindValgrind();

}  // namespace arenaproof
