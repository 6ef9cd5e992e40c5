// What lies in the head before each run.
#pragma once

#include <cstddef>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"

namespace arenaproof {

// Overwrites the head with `garbage`, another byte in each layout: an answer that depends on it differs between them.
// Variables that the model's own plan puts into the head keep their values.
void FillHeadWithGarbage(const ModelView& model, const Interpreter& interpreter, MemoryRegion head, std::byte garbage);

}  // namespace arenaproof
