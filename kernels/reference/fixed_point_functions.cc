#include "kernels/reference/fixed_point_functions.h"

#include <gemmlowp/fixedpoint/fixedpoint.h>

namespace arenaproof::reference {
namespace {

template <int kIntegerBits>
using Fixed = gemmlowp::FixedPoint<std::int32_t, kIntegerBits>;

}  // namespace

std::int32_t ExpOfNonPositive(std::int32_t x) { return gemmlowp::exp_on_negative_values(Fixed<5>::FromRaw(x)).raw(); }

std::int32_t OneOverOnePlus(std::int32_t a) {
  return gemmlowp::one_over_one_plus_x_for_x_in_0_1(Fixed<0>::FromRaw(a)).raw();
}

std::int32_t Logistic(std::int32_t x) { return gemmlowp::logistic(Fixed<4>::FromRaw(x)).raw(); }

std::int32_t Tanh(std::int32_t x) { return gemmlowp::tanh(Fixed<4>::FromRaw(x)).raw(); }

}  // namespace arenaproof::reference
