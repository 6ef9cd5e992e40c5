// The interpreter options that a model itself asks for, whoever runs it.
#pragma once

#include <cstddef>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter_options.h"

namespace arenaproof {

// How many resource variables the model's VAR_HANDLE operators name: different pairs of container and shared name.
std::size_t CountResourceVariables(const ModelView& model);

// `options` with room for the model's resource variables.
InterpreterOptions ForModel(const ModelView& model, InterpreterOptions options = {});

}  // namespace arenaproof
