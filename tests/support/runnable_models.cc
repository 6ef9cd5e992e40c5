#include "tests/support/runnable_models.h"

#include <algorithm>
#include <string>

#include "tests/support/shared_files.h"

namespace arenaproof::testing {

std::vector<std::filesystem::path> ModelFilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::filesystem::path> SeedModelFiles() { return ModelFilesIn(SourceFolder() / "corpus" / "models"); }

std::vector<std::filesystem::path> RunnableSharedModelFiles() {
  const auto folder = SharedFile("models");
  if (!folder) return {};
  std::vector<std::filesystem::path> paths;
  for (const std::string_view name : kRunnableSharedModels) paths.push_back(*folder / (std::string(name) + ".tflite"));
  return paths;
}

std::vector<std::filesystem::path> RunnableModelFiles() {
  std::vector<std::filesystem::path> paths = SeedModelFiles();
  const std::vector<std::filesystem::path> shared = RunnableSharedModelFiles();
  paths.insert(paths.end(), shared.begin(), shared.end());
  return paths;
}

}  // namespace arenaproof::testing
