// CAST among float32, int8, int16, int32 and uint32, and from BOOL to them; shapes may differ, element counts may not.
// Integers keep their low bits. A float beyond the target's range, which the reference leaves undefined, saturates; NaN
// becomes 0.
#include <limits>
#include <type_traits>

#include "kernels/reference/checks.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/families.h"

namespace arenaproof::reference {
namespace {

template <typename To>
To Saturated(float value) {
  using Limits = std::numeric_limits<To>;
  constexpr float kLeast = static_cast<float>(Limits::min());                  // exact
  constexpr float kBeyond = 2.0f * static_cast<float>(Limits::max() / 2 + 1);  // max + 1, exact
  if (value <= kLeast) return Limits::min();
  if (value >= kBeyond) return Limits::max();
  return value == value ? static_cast<To>(value) : To{0};
}

template <typename To, typename From>
To Converted(From value) {
  if constexpr (std::is_same_v<From, float> && !std::is_same_v<To, float>) {
    return Saturated<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

// `of_element(element)` comes before the conversion.
template <typename From, typename To, typename OfElement>
void Run(const InvokeContext& context, OfElement of_element) {
  const ElementReader<From> from(context.inputs[0]);
  const ElementWriter<To> to(context.outputs[0]);
  const std::size_t count = context.outputs[0].element_count();
  for (std::size_t i = 0; i < count; ++i) to.Store(i, Converted<To>(of_element(from[i])));
}

template <typename From, typename OfElement>
void RunFrom(const InvokeContext& context, OfElement of_element) {
  switch (context.outputs[0].type) {
    case TensorType::kFloat32:
      return Run<From, float>(context, of_element);
    case TensorType::kInt8:
      return Run<From, std::int8_t>(context, of_element);
    case TensorType::kInt16:
      return Run<From, std::int16_t>(context, of_element);
    case TensorType::kInt32:
      return Run<From, std::int32_t>(context, of_element);
    default:
      return Run<From, std::uint32_t>(context, of_element);
  }
}

}  // namespace

Status PrepareCast(PrepareContext& context) {
  ARENAPROOF_RETURN_IF_ERROR(CheckOperandCounts(context, 1, 1, 1));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(context, 0,
                                         {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16,
                                          TensorType::kInt32, TensorType::kUInt32, TensorType::kBool}));
  ARENAPROOF_RETURN_IF_ERROR(CheckServed(
      context, kOutput,
      {TensorType::kFloat32, TensorType::kInt8, TensorType::kInt16, TensorType::kInt32, TensorType::kUInt32}));
  return CheckElementCount(context, kOutput, context.inputs[0].element_count());
}

Status InvokeCast(const InvokeContext& context) {
  constexpr auto kAsItIs = [](auto element) { return element; };
  switch (context.inputs[0].type) {
    case TensorType::kFloat32:
      RunFrom<float>(context, kAsItIs);
      break;
    case TensorType::kInt8:
      RunFrom<std::int8_t>(context, kAsItIs);
      break;
    case TensorType::kInt16:
      RunFrom<std::int16_t>(context, kAsItIs);
      break;
    case TensorType::kInt32:
      RunFrom<std::int32_t>(context, kAsItIs);
      break;
    case TensorType::kUInt32:
      RunFrom<std::uint32_t>(context, kAsItIs);
      break;
    default:
      // A byte that is neither 0 nor 1 counts as true.
      RunFrom<std::uint8_t>(context, [](std::uint8_t element) { return std::uint8_t{element != 0}; });
      break;
  }
  return Ok();
}

}  // namespace arenaproof::reference
