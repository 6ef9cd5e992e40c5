// One rule for every name from a file, a path or a model and for every sentence that holds one, in text and in JSON:
//
//   what can be read stays: printable ASCII, the letters and signs of UTF-8
//   \xNN for each byte of everything else: control characters, bytes that are no UTF-8, characters that are not seen or
//   turn the text around them
//
// So no name drives a terminal, breaks a line or hides a part of itself. A backslash stays as it is: applying the rule
// twice is applying it once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arenaproof {

// A name: at most 200 bytes of it, then "...".
std::string Printable(std::string_view name);

// The whole text, for sentences in which every part from a file is bounded already.
std::string PrintableSentence(std::string_view text);

// The columns that a printable text takes: its characters.
std::size_t Columns(std::string_view text);

}  // namespace arenaproof
