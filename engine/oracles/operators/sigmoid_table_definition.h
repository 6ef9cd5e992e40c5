// The logistic function and tanh of 16 bits by straight lines between 256 points, as LOGISTIC, TANH and the gates of an
// LSTM use them. The argument is v / 12288, the result a fraction of 2^15.
#pragma once

#include <cstdint>

namespace arenaproof::props {

std::int64_t LogisticByTable(std::int64_t v);
std::int64_t TanhByTable(std::int64_t v);

// Is the scale that of a power of two, to a thousandth of its logarithm? Then this is its exponent.
bool IsNearPowerOfTwo(double scale, int* exponent);

}  // namespace arenaproof::props
