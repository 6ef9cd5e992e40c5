// A committed plan, the arena's figures and the place of a refusal for people and programs.
#pragma once

#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "core/runtime/interpreter/operator_location.h"
#include "tools/command/run.h"

namespace arenaproof {

// "operator 3 of subgraph 0: ", to stand before a sentence; empty when no operator was refused.
std::string LocationText(const OperatorLocation& location);

// One line for each buffer: offset, bytes, lifetime, what it is.
std::string PlanText(const ModelView& model, std::span<const PlanEntry> plan);
// JSON text: a list of objects with tensor, scratch, owner_operator, name, offset, bytes, first_step, last_step.
std::string PlanJson(const ModelView& model, std::span<const PlanEntry> plan);

std::string ArenaText(const ArenaFigures& arena);
// JSON text: an object with need_bytes (0: the size was given), arena_bytes, used_bytes, head_bytes, tail_bytes.
std::string ArenaJson(const ArenaFigures& arena);

}  // namespace arenaproof
