#include "tests/models/model_files_support.h"

#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {

std::vector<std::filesystem::path> SeedModels() { return SeedModelFiles(); }

std::vector<std::filesystem::path> SharedModels() {
  const auto folder = SharedFile("models");
  return folder ? ModelFilesIn(*folder) : std::vector<std::filesystem::path>();
}

std::vector<std::filesystem::path> RunnableModels() { return RunnableModelFiles(); }

}  // namespace arenaproof::testing
