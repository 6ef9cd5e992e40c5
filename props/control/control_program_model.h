// A control program as a model file: each function a subgraph, each value a tensor of its own odd size.
#pragma once

#include <cstddef>
#include <vector>

#include "props/control/control_program.h"

namespace arenaproof::testing {

// Values are tensors of this many equal elements, so that tensors are no multiple of 16 bytes; conditions compare
// tensors of one element.
inline constexpr int kValueElements = 1;

std::vector<std::byte> ModelOf(const Program& program);

}  // namespace arenaproof::testing
