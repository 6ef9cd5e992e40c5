// The check that the wrapped library calls (library_calls.cc) make before they touch memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenaproof::hooks {

// Returns false, after having reported it, when the running operator may not touch all of [address, address + bytes):
// the caller then does the work without the library's own checks, so that one access is reported once. Null in a build
// without a checker.
using RangeCheck = bool (*)(const void* address, std::size_t bytes, bool write);
extern RangeCheck check_range;

// All that is checked lies in [first_checked, behind_checked): most ranges are of the stack, and need no call.
extern std::uintptr_t first_checked;
extern std::uintptr_t behind_checked;

}  // namespace arenaproof::hooks
