// Plans a sound model on the side, with and without scratch buffers, and checks what lifetimes, sizes, planner and
// certifier make of it against oracles that share no code with them.
#pragma once

#include <cstddef>
#include <string>

#include "core/model/model_view.h"

namespace arenaproof::oracle {

// In models with more buffers or operators only sizes and lifetimes are checked, in linear time: the other oracles are
// quadratic.
inline constexpr std::size_t kMostCheckedBuffers = 512;

// Empty when lifetimes, sizes and plans are right and every read finds its producer's value.
std::string CheckPlanning(const ModelView& model);

}  // namespace arenaproof::oracle
