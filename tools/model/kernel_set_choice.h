// Kernel sets as the user names them.
#pragma once

#include <string>

namespace arenaproof {

// Empty when there is such a set, else a sentence that lists those there are.
std::string UnknownKernelSet(const std::string& name);

}  // namespace arenaproof
