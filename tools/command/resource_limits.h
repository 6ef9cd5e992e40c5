// The limits that a shell sets on its programs (ulimit), where they keep this one or its children from running.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace arenaproof {

// "the limit on address space is 8000 KiB (ulimit -v)"; empty when there is no such limit.
std::string LimitText(int resource);

struct LimitNeed {
  int resource;         // RLIMIT_...
  std::uint64_t least;  // that is enough
};

// About the first of them that is set too low: what it is, and what would be right. Empty when none is.
std::string LimitTooLow(std::initializer_list<LimitNeed> needs);

// Why a program of this project that died without a word may have died: a limit under which an ordinary start fails.
// Empty when there is none.
std::string LimitOnStart();

// How a command ends that has no memory left, with its line break, without taking any: the limit that is met, or the
// machine's end. In `buffer`.
std::string_view NoMemoryLeft(std::span<char> buffer);

// A stack that overflows cannot be reported from where it happens: the command refuses to start on one like that.
std::string StackTooSmall();

}  // namespace arenaproof
