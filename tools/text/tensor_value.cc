#include "tools/text/tensor_value.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace arenaproof {
namespace {

template <typename Element>
ElementValue ElementAt(const TensorValue& value, std::size_t index) {
  Element element{};
  std::memcpy(&element, value.bytes.data() + index * sizeof element, sizeof element);
  if constexpr (std::is_floating_point_v<Element>)
    return static_cast<double>(element);
  else if constexpr (std::is_signed_v<Element>)
    return std::int64_t{element};
  else
    return std::uint64_t{element};
}

}  // namespace

std::string NumberText(const ElementValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.9g", *number);
    return text.data();
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::to_string(std::get<std::uint64_t>(value));
}

std::vector<ElementValue> FirstValues(const TensorValue& value, std::size_t count) {
  ElementValue (*element_at)(const TensorValue&, std::size_t) = &ElementAt<std::uint8_t>;
  std::size_t width = 1;
  const auto use = [&](auto element, auto function) {
    width = sizeof element;
    element_at = function;
  };
  if (value.type == "FLOAT32") use(float{}, &ElementAt<float>);
  if (value.type == "INT8" || value.type == "INT4") use(std::int8_t{}, &ElementAt<std::int8_t>);
  if (value.type == "INT16") use(std::int16_t{}, &ElementAt<std::int16_t>);
  if (value.type == "INT32") use(std::int32_t{}, &ElementAt<std::int32_t>);
  if (value.type == "INT64") use(std::int64_t{}, &ElementAt<std::int64_t>);
  std::vector<ElementValue> first;
  for (std::size_t i = 0; i < count && (i + 1) * width <= value.bytes.size(); ++i) {
    first.push_back(element_at(value, i));
  }
  return first;
}

}  // namespace arenaproof
