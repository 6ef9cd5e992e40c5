#include "tests/models/model_files_support.h"

#include <algorithm>

#include "core/runtime/kernel_set.h"
#include "kernels/kernel_sets.h"
#include "tests/support/shared_files.h"
#include "tools/arena_need.h"
#include "tools/model_file.h"

namespace arenaproof::testing {
namespace {

std::vector<std::filesystem::path> ModelsIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::vector<std::filesystem::path> SeedModels() { return ModelsIn(SourceFolder() / "corpus" / "models"); }

std::vector<std::filesystem::path> SharedModels() {
  const auto folder = SharedFile("models");
  return folder ? ModelsIn(*folder) : std::vector<std::filesystem::path>();
}

std::vector<std::filesystem::path> RunnableModels() {
  const KernelSet& kernels = *FindKernelSet("reference");
  const KernelSetSupport support(kernels);
  std::vector<std::filesystem::path> runnable;
  for (const auto& paths : {SeedModels(), SharedModels()}) {
    for (const auto& path : paths) {
      ModelFile file;
      if (file.Load(path, &support).empty() && FindArenaNeed(file.view(), kernels).status.ok()) {
        runnable.push_back(path);
      }
    }
  }
  return runnable;
}

}  // namespace arenaproof::testing
