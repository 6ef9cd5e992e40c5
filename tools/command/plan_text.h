// A committed plan and the arena's figures for people and programs.
#pragma once

#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/model/model_view.h"
#include "tools/command/run.h"

namespace arenaproof {

// One line for each buffer: offset, bytes, lifetime, what it is.
std::string PlanText(const ModelView& model, std::span<const PlanEntry> plan);
// JSON text: a list of objects with tensor, scratch, owner_operator, name, offset, bytes, first_step, last_step.
std::string PlanJson(const ModelView& model, std::span<const PlanEntry> plan);

std::string ArenaText(const ArenaFigures& arena);
// JSON text: an object with need_bytes (0: the size was given), arena_bytes, used_bytes, head_bytes, tail_bytes.
std::string ArenaJson(const ArenaFigures& arena);

}  // namespace arenaproof
