// EXP, LOG, SIN, COS, CEIL, FLOOR, ROUND, NEG, SQRT, SQUARE of float32, by the C library.
#include "kernels/reference/elementwise.h"

#include <cmath>

#include "kernels/reference/checks.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

template <typename Function>
Status Invoke(const InvokeContext& context, Function function) {
  MapElements<float>(context, function);
  return Ok();
}

// Half to even, by the reference's steps: they decide the sign of a zero.
float RoundHalfToEven(float x) {
  const float below = std::floor(x);
  const float fraction = x - below;
  if (fraction < 0.5f || (fraction == 0.5f && std::fmod(below, 2.0f) == 0.0f)) return below;
  return below + 1.0f;
}

}  // namespace

Status PrepareElementwise(PrepareContext& context) { return CheckUnary(context, {TensorType::kFloat32}); }

Status InvokeExp(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::exp(x); });
}
Status InvokeLog(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::log(x); });
}
Status InvokeSin(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::sin(x); });
}
Status InvokeCos(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::cos(x); });
}
Status InvokeCeil(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::ceil(x); });
}
Status InvokeFloor(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::floor(x); });
}
Status InvokeRound(const InvokeContext& context) { return Invoke(context, RoundHalfToEven); }
Status InvokeNeg(const InvokeContext& context) {
  return Invoke(context, [](float x) { return -x; });
}
Status InvokeSqrt(const InvokeContext& context) {
  return Invoke(context, [](float x) { return std::sqrt(x); });
}
Status InvokeSquare(const InvokeContext& context) {
  return Invoke(context, [](float x) { return x * x; });
}

}  // namespace arenaproof::reference
