// 1 / sqrt in fixed point, as RSQRT and L2_NORMALIZATION use it.
#pragma once

#include "engine/oracles/operators/fixed_point_definition.h"

namespace arenaproof::props {

// 1 / sqrt(a) for 0 <= a < 2^31, as a mantissa of 31 bits and an exponent.
Ratio InverseRootOf(std::int64_t a);

}  // namespace arenaproof::props
