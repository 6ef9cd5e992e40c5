// Extents of a shape, or a place in it, as text.
#pragma once

#include <string>

namespace arenaproof {

// "[1, 20]", "[]".
template <typename Numbers>
std::string ExtentsText(const Numbers& numbers) {
  std::string text = "[";
  for (const auto number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

}  // namespace arenaproof
