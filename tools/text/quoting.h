// Words of commands that a report prints, so that a shell that gets the line gets the very same bytes.
#pragma once

#include <string>

namespace arenaproof {

// The word as a shell reads it back: in quotes where it needs them, as $'...' (bash, zsh, POSIX of 2024) where it holds
// what names.h escapes.
std::string ShellWord(const std::string& word);

// The same of a path that stands alone, where a word that begins with a dash would be an option.
std::string ShellPath(const std::string& path);

}  // namespace arenaproof
