// The model files that tests of whole models go through.
#pragma once

#include <filesystem>
#include <vector>

namespace arenaproof::testing {

// *.tflite of corpus/models, sorted.
std::vector<std::filesystem::path> SeedModels();

// *.tflite of the shared folder's models, sorted; none when it is absent.
std::vector<std::filesystem::path> SharedModels();

// Those of both that have to run (tests/support/runnable_models.h).
std::vector<std::filesystem::path> RunnableModels();

}  // namespace arenaproof::testing
