// What the real runtime needs for a network of networks.h, found once for each.
#pragma once

#include <cstddef>

namespace arenaproof {

// The size of the arena with which set-up just succeeds, and the operations of the arena that a set-up asks for.
std::size_t NeedBytes(std::size_t network);
std::size_t OperationCount(std::size_t network);

}  // namespace arenaproof
