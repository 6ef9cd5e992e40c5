// Runs what is expected to end the process in a child.
#pragma once

#include <functional>
#include <string>

namespace arenaproof {

// What the child wrote to stderr until it died; "survived" when it did not die. `action` may leave anything behind: it
// has its own copy of the memory.
std::string StderrOfCrash(const std::function<void()>& action);

}  // namespace arenaproof
