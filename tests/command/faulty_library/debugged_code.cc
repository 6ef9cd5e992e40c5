// Code whose debugging information, clang's own of a recent kind, Valgrind 3.19 cannot read; nobody calls it.
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

std::string DebuggedCode(const std::string& text);

std::string DebuggedCode(const std::string& text) {
  std::map<std::string, std::vector<int>> counts;
  counts[text].push_back(static_cast<int>(text.size()));
  std::ostringstream stream;
  for (auto& [word, numbers] : counts) {
    std::sort(numbers.begin(), numbers.end(), std::greater<>());
    stream << word << numbers.size();
  }
  return std::regex_replace(stream.str(), std::regex(text), "x");
}
