// What an input does, in words, for ./dev explain. Off unless somebody asked: then a line goes out before what it tells
// happens, so that the last line is where a crash happened.
#pragma once

#include <cstdio>
#include <string>

namespace arenaproof {

inline bool explaining = false;

inline bool Explaining() { return explaining; }

// A text of one or more lines, without the last one's end.
inline void Explain(const std::string& text) {
  if (!explaining) return;
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

}  // namespace arenaproof
