#include "tests/device/program_options.h"

#include <algorithm>

namespace arenaproof::device {
namespace {

constexpr std::size_t kMostBytes = 64;  // of the memory around the arena

std::string_view TakeWord(std::string_view* words) {
  while (words->starts_with(' ')) words->remove_prefix(1);
  // No substr: what it throws would bring a heap along.
  const std::string_view word(words->data(), std::min(words->find(' '), words->size()));
  words->remove_prefix(word.size());
  return word;
}

bool ReadCount(std::string_view digits, std::size_t* count) {
  *count = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return false;
    *count = *count * 10 + static_cast<std::size_t>(digit - '0');
    if (*count > kMostBytes) return false;
  }
  return *count > 0;
}

bool ReadOverwritten(std::string_view word, ProgramOptions* options) {
  struct Named {
    std::string_view name;
    Overwritten where;
  };
  for (const Named& named : {Named{"inside=", Overwritten::kInside}, Named{"behind=", Overwritten::kBehind},
                             Named{"before=", Overwritten::kBefore}}) {
    if (!word.starts_with(named.name)) continue;
    options->overwritten = named.where;
    word.remove_prefix(named.name.size());
    return ReadCount(word, &options->bytes);
  }
  return false;
}

}  // namespace

bool ReadOptions(std::string_view words, ProgramOptions* options) {
  const std::string_view name = TakeWord(&words);
  for (const DeviceModel& model : DeviceModels()) {
    if (options->model == nullptr && (name.empty() || name == model.name)) options->model = &model;
  }
  const std::string_view overwritten = TakeWord(&words);
  return options->model != nullptr && (overwritten.empty() || ReadOverwritten(overwritten, options)) &&
         TakeWord(&words).empty();
}

}  // namespace arenaproof::device
