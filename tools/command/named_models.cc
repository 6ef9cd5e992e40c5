#include "tools/command/named_models.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace arenaproof {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> ModelsIn(const std::string& folder, std::error_code& error) {
  std::vector<std::string> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".tflite") paths.push_back(entry->path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::vector<NamedModel> ModelsNamed(const std::vector<std::string>& words) {
  std::vector<NamedModel> named;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      named.push_back({word});
      continue;
    }
    const std::vector<std::string> models = ModelsIn(word, error);
    if (error) {
      named.push_back({word, "the folder '" + word + "' cannot be read: " + error.message()});
    } else if (models.empty()) {
      named.push_back({word, "the folder '" + word + "' holds no .tflite file"});
    }
    for (const std::string& model : models) named.push_back({model});
  }
  return named;
}

}  // namespace arenaproof
