#include "tests/memory/memory_models_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/runtime/kernel_set.h"
#include "kernels/kernel_sets.h"
#include "tests/support/shared_files.h"
#include "tools/memory_need.h"
#include "tools/model_file.h"

namespace arenaproof::testing {

void ForEachRunnableModel(const std::function<void(const ModelView& model)>& check) {
  const KernelSet& kernels = *FindKernelSet("reference");
  const KernelSetSupport support(kernels);
  std::vector<std::filesystem::path> folders = {SourceFolder() / "corpus" / "models"};
  if (const auto shared = SharedFile("models")) folders.push_back(*shared);
  for (const auto& folder : folders) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".tflite") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
      SCOPED_TRACE(path.filename().string());
      ModelFile file;
      const bool runs = file.Load(path, &support).empty() && MeasureMemory(file.view(), kernels, {}).status.ok();
      if (folder == folders.front()) {
        EXPECT_TRUE(runs);
      }
      if (runs) check(file.view());
    }
  }
}

}  // namespace arenaproof::testing
