#include "tools/text/tensor_value.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace arenaproof {
namespace {

template <typename Element>
ElementValue ReadElement(const TensorValue& value, std::size_t index) {
  Element element{};
  std::memcpy(&element, value.bytes.data() + index * sizeof element, sizeof element);
  if constexpr (std::is_floating_point_v<Element>)
    return static_cast<double>(element);
  else if constexpr (std::is_signed_v<Element>)
    return std::int64_t{element};
  else
    return std::uint64_t{element};
}

struct NumberType {
  std::string_view name;
  std::size_t width;
  ElementValue (*read)(const TensorValue&, std::size_t);
};

template <typename Element>
constexpr NumberType TypeOf(std::string_view name) {
  return {name, sizeof(Element), &ReadElement<Element>};
}

constexpr NumberType kTypes[] = {
    TypeOf<float>("FLOAT32"),        TypeOf<double>("FLOAT64"),       TypeOf<std::int8_t>("INT8"),
    TypeOf<std::int8_t>("INT4"),     TypeOf<std::int16_t>("INT16"),   TypeOf<std::int32_t>("INT32"),
    TypeOf<std::int64_t>("INT64"),   TypeOf<std::uint8_t>("UINT8"),   TypeOf<std::uint8_t>("BOOL"),
    TypeOf<std::uint16_t>("UINT16"), TypeOf<std::uint32_t>("UINT32"), TypeOf<std::uint64_t>("UINT64"),
};
constexpr NumberType kBytes = TypeOf<std::uint8_t>("");

const NumberType& TypeNamed(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kTypes), std::end(kTypes), [&](const NumberType& type) { return type.name == name; });
  return found == std::end(kTypes) ? kBytes : *found;
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

bool HasNumbers(std::string_view type) { return &TypeNamed(type) != &kBytes; }

std::size_t ElementWidth(std::string_view type) { return TypeNamed(type).width; }

ElementValue ElementOf(const TensorValue& value, std::size_t index) { return TypeNamed(value.type).read(value, index); }

std::vector<ElementValue> FirstValues(const TensorValue& value, std::size_t count) {
  const NumberType& type = TypeNamed(value.type);
  std::vector<ElementValue> first;
  for (std::size_t i = 0; i < count && (i + 1) * type.width <= value.bytes.size(); ++i) {
    first.push_back(type.read(value, i));
  }
  return first;
}

}  // namespace arenaproof
