// A tensor's value after a run, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace arenaproof {

struct TensorValue {
  std::int32_t tensor = -1;
  std::string name = {}, type = {};
  std::vector<std::int32_t> shape = {};
  std::vector<std::byte> bytes = {};
};

// An integer keeps all its digits.
using ElementValue = std::variant<std::int64_t, std::uint64_t, double>;

// "81", "-0.5".
std::string NumberText(const ElementValue& value);

// Whether elements of the type are read as the numbers that they stand for; of other types each byte is one.
bool HasNumbers(std::string_view type);
std::size_t ElementWidth(std::string_view type);
ElementValue ElementOf(const TensorValue& value, std::size_t index);

// The first elements as numbers, at most `count`.
std::vector<ElementValue> FirstValues(const TensorValue& value, std::size_t count);

}  // namespace arenaproof
