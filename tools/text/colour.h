// Colours of a text for a terminal, and whether somebody wants them.
#pragma once

#include <cstdint>
#include <string>

namespace arenaproof {

enum class Colour : std::uint8_t { kGreen, kYellow, kRed };

// The text in bold letters of the colour.
std::string InColour(const std::string& text, Colour colour);

// A terminal that knows colours, and no NO_COLOR in the environment (https://no-color.org).
bool ColoursWanted(int descriptor);

}  // namespace arenaproof
