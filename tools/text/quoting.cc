#include "tools/text/quoting.h"

#include <string_view>

#include "tools/text/names.h"

namespace arenaproof {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+@";

// Every backslash and quote of the word itself first, so that those of the escapes remain the only others.
std::string WithEscapes(const std::string& word) {
  std::string escaped;
  for (const char character : word) {
    if (character == '\\' || character == '\'') escaped += '\\';
    escaped += character;
  }
  return "$'" + PrintableSentence(escaped) + "'";
}

}  // namespace

std::string ShellWord(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (PrintableSentence(word) != word) return WithEscapes(word);
  std::string result = "'";
  for (const char character : word) result += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return result + "'";
}

std::string ShellPath(const std::string& path) { return ShellWord(path.starts_with('-') ? "./" + path : path); }

}  // namespace arenaproof
