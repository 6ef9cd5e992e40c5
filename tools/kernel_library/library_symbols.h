// What the symbols of a shared library with hooks show of code that no hook looks at: functions of others that it
// calls, and functions of its own that have lost their names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace arenaproof {

// Functions that the library asks others for, and data, which may be a table of functions, sorted, other than those of
// the instrument (hooks, wrappers), those that touch no memory of operands (harmless_calls.h), and those that
// `instrument`, the file of the program which loads the library, defines for it: AddressSanitizer's runtime has checked
// ones of many of the C library's.
std::vector<std::string> UnwatchedCalls(std::span<const std::byte> library, std::span<const std::byte> instrument);

// Whether all of the library's code belongs to functions that have names, exported or not: a disassembler takes code
// without a name (`strip`, `strip -x`) for a part of the function before it.
bool NamesItsFunctions(std::span<const std::byte> library);

}  // namespace arenaproof
