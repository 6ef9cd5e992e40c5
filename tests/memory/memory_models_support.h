// Whole models for tests about memory.
#pragma once

#include <filesystem>
#include <functional>

#include "core/model/model_view.h"

namespace arenaproof::testing {

// Calls `check` for each model of corpus/models and of the shared folder that the reference kernels set up; at least
// all of corpus/models.
void ForEachRunnableModel(const std::function<void(const ModelView& model)>& check);

}  // namespace arenaproof::testing
