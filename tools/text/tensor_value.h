// A tensor's value after a run, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arenaproof {

struct TensorValue {
  std::int32_t tensor = -1;
  std::string name, type;
  std::vector<std::int32_t> shape;
  std::vector<std::byte> bytes;
};

// The first elements as numbers, at most `count`.
std::vector<double> FirstValues(const TensorValue& value, std::size_t count);

}  // namespace arenaproof
