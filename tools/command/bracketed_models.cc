#include "tools/command/bracketed_models.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace arenaproof {
namespace {

constexpr char kMark = '\x1f';

}  // namespace

void BracketedModels::Mark(std::vector<const char*>& words, std::span<const std::string> flags) {
  bool options_over = false;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string_view before = words[i - 1];
    options_over = options_over || before == "--";
    const bool value = !options_over && before.starts_with("--") && before.find('=') == std::string_view::npos &&
                       std::find(flags.begin(), flags.end(), before) == flags.end();
    if (value || words[i][0] != '[') continue;
    words[i] = marked_.emplace_back(words[i] + std::string(1, kMark)).c_str();
  }
}

void BracketedModels::Unmark(std::vector<std::string>& models) {
  for (std::string& model : models) {
    if (model.starts_with('[') && model.ends_with(kMark)) model.pop_back();
  }
}

}  // namespace arenaproof
