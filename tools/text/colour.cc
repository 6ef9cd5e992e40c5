#include "tools/text/colour.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace arenaproof {
namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

std::string InColour(const std::string& text, Colour colour) {
  const char* const start = colour == Colour::kGreen    ? "\033[1;32m"
                            : colour == Colour::kYellow ? "\033[1;33m"
                                                        : "\033[1;31m";
  return start + text + "\033[0m";
}

bool ColoursWanted(int descriptor) {
  return isatty(descriptor) != 0 && Environment("NO_COLOR").empty() && Environment("TERM") != "dumb";
}

}  // namespace arenaproof
