// The interpreter options that a model itself asks for, whoever runs it, and those that the user chooses.
#pragma once

#include <cstddef>
#include <string>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/planning/offline_plan_listener.h"

namespace arenaproof {

// What the user chooses about the set-up of a model, in every command that sets one up. A choice is added here, in
// InterpreterOptionsOf() and in the command line's AddSetUp().
struct SetUpOptions {
  bool trust_plan = false;  // lets an offline plan's tensors share bytes while alive together
};

// `listener` receives what every set-up with these options reports about the model's offline plan.
InterpreterOptions InterpreterOptionsOf(const SetUpOptions& set_up, OfflinePlanListener* listener = nullptr);

// The words of the command line for what differs from the defaults, each with a space before it.
std::string WordsOf(const SetUpOptions& set_up);

// How many resource variables the model's VAR_HANDLE operators name: different pairs of container and shared name.
std::size_t CountResourceVariables(const ModelView& model);

// `options` with room for the model's resource variables.
InterpreterOptions ForModel(const ModelView& model, InterpreterOptions options = {});

}  // namespace arenaproof
