// Models whose names stand in brackets: the library of command lines takes a word such as '[a,b]' for a list where
// several words may stand. While it parses, such words end with a mark.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace arenaproof {

class BracketedModels {
 public:
  // From the command's name on. What is the value of an option, which no flag has, stays as it is. Marked words live as
  // long as this object.
  void Mark(std::vector<const char*>& words, std::span<const std::string> flags);
  static void Unmark(std::vector<std::string>& models);

 private:
  std::deque<std::string> marked_;
};

}  // namespace arenaproof
