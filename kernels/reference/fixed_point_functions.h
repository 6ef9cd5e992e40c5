// exp, logistic, tanh and the reciprocal on fixed-point numbers, by gemmlowp's fixed-point header; the inverse square
// root and the logarithm, by the reference's own formulas on them. "Qi" means an int32 with i integer bits and 31 - i
// fraction bits.
#pragma once

#include <cstdint>

#include "kernels/reference/fixed_point.h"

namespace arenaproof::reference {

// exp(x) for x <= 0 in Q5; the result is Q0.
std::int32_t ExpOfNonPositive(std::int32_t x);

// 1 / (1 + a) for a >= 0 in Q0; the result is Q0.
std::int32_t OneOverOnePlus(std::int32_t a);

// logistic(x) and tanh(x) for x in Q4, x > -2^31; the results are Q0.
std::int32_t Logistic(std::int32_t x);
std::int32_t Tanh(std::int32_t x);

// 1 / sqrt(a) for an integer a >= 1, shift <= 0; 0 counts as 1.
QuantizedMultiplier InverseSquareRoot(std::int32_t a);

// ln(z) for z >= 1 in Q12; the result is Q5.
std::int32_t Logarithm(std::int32_t z);

}  // namespace arenaproof::reference
