// What memory an operator takes besides its tensors, by its definition: the scratch buffers that the reference's
// kernels request, byte for byte, and the arrays of a number for each channel.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cases/operator_case.h"

namespace arenaproof::props {

// Bytes of each buffer, in the order of the requests.
std::vector<std::size_t> ScratchOf(const OperatorCase& subject);

// Bytes of each persistent block beside the operator's own data, which comes first.
std::vector<std::size_t> ArraysOf(const OperatorCase& subject);

}  // namespace arenaproof::props
