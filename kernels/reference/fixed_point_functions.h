// exp, logistic, tanh and the reciprocal on fixed-point numbers, by gemmlowp's fixed-point header. "Qi" means an int32
// with i integer bits and 31 - i fraction bits.
#pragma once

#include <cstdint>

namespace arenaproof::reference {

// exp(x) for x <= 0 in Q5; the result is Q0.
std::int32_t ExpOfNonPositive(std::int32_t x);

// 1 / (1 + a) for a >= 0 in Q0; the result is Q0.
std::int32_t OneOverOnePlus(std::int32_t a);

// logistic(x) and tanh(x) for x in Q4, x > -2^31; the results are Q0.
std::int32_t Logistic(std::int32_t x);
std::int32_t Tanh(std::int32_t x);

}  // namespace arenaproof::reference
