// The interpreter options that a model itself asks for, whoever runs it, and those that the user chooses.
#pragma once

#include <cstddef>
#include <string>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/planning/offline_plan_listener.h"
#include "tools/model/chosen_planner.h"

namespace arenaproof {

// What the user chooses about the set-up of a model, in every command that sets one up. A choice is added here, in
// InterpreterOptionsOf() and in the command line's AddSetUp().
struct SetUpOptions {
  bool trust_plan = false;                // lets an offline plan's tensors share bytes while alive together
  bool strict_plan = false;               // refuses offsets of constants, which else are not used
  std::string planner = kDefaultPlanner;  // as tools/model/chosen_planner.h has it
  bool no_sharing = false;                // no output lies in the bytes of an input
};

// `planner` has chosen that of `set_up`, and outlives every set-up with these options. `listener` receives what each of
// them reports about the model's offline plan.
InterpreterOptions InterpreterOptionsOf(const SetUpOptions& set_up, ChosenPlanner& planner,
                                        OfflinePlanListener* listener = nullptr);

// The words of the command line for what differs from the defaults, each with a space before it.
std::string WordsOf(const SetUpOptions& set_up);

// How many resource variables the model's VAR_HANDLE operators name: different pairs of container and shared name.
std::size_t CountResourceVariables(const ModelView& model);

// `options` with room for the model's resource variables.
InterpreterOptions ForModel(const ModelView& model, InterpreterOptions options = {});

}  // namespace arenaproof
