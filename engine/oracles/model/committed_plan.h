// Checks the plan that a runtime committed to, whoever planned it: the right buffers with the right sizes, lifetimes
// and places, and every read finds its producer's value.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/model/model_view.h"

namespace arenaproof::oracle {

// What is wrong with the plan of a sound model, planned without trusted overlaps; `head_room_bytes` are there from the
// head's start. Empty when nothing is wrong. In plans of more than kMostCheckedBuffers it is checked only that each
// buffer is somebody's, aligned and in the room, and that no two, variables aside, share a byte while both are alive.
std::string CheckCommittedPlan(const ModelView& model, std::span<const PlanEntry> plan, std::size_t head_room_bytes);

}  // namespace arenaproof::oracle
