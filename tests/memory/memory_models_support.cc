#include "tests/memory/memory_models_support.h"

#include <gtest/gtest.h>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/memory/memory_need.h"
#include "tools/model/model_file.h"

namespace arenaproof::testing {
namespace {

void CheckModel(const std::filesystem::path& path, const std::function<void(const ValidatedModel& model)>& check) {
  SCOPED_TRACE(path.filename().string());
  const KernelSet& kernels = *FindKernelSet("reference");
  const KernelSetSupport support(kernels);
  ModelFile file;
  ASSERT_EQ(file.Load(path, &support), "");
  ASSERT_TRUE(MeasureMemory(file.model(), kernels, {}).status.ok());
  check(file.model());
}

}  // namespace

void ForEachRunnableModel(const std::function<void(const ValidatedModel& model)>& check) {
  const std::vector<std::filesystem::path> paths = RunnableModelFiles();
  ASSERT_GE(paths.size(), SharedFile("models") ? 11 + kRunnableSharedModels.size() : 11);
  for (const std::filesystem::path& path : paths) CheckModel(path, check);
}

void WithSeedModel(const std::string& name, const std::function<void(const ValidatedModel& model)>& check) {
  CheckModel(SourceFolder() / "corpus" / "models" / (name + ".tflite"), check);
}

}  // namespace arenaproof::testing
