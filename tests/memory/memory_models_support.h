// Whole models for tests about memory.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/model/validated_model.h"

namespace arenaproof::testing {

// Calls `check` for each model of corpus/models and each of the shared folder's that has to run
// (tests/support/runnable_models.h); one that is missing, or that the reference kernels do not set up, is a failure.
void ForEachRunnableModel(const std::function<void(const ValidatedModel& model)>& check);

// Calls `check` with one model of corpus/models.
void WithSeedModel(const std::string& name, const std::function<void(const ValidatedModel& model)>& check);

}  // namespace arenaproof::testing
