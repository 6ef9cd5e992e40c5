// Judges the plan that a runtime committed to, whoever planned it: the right buffers with the right sizes, lifetimes
// and places, and every read finds its producer's value.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/arena/observer.h"
#include "core/model/model_view.h"

namespace arenaproof::oracle {

// Of a sound model, planned without trusted overlaps; `head_room_bytes` are there from the head's start. Empty when
// nothing is wrong. Of plans of more than kMostCheckedBuffers only that each buffer is somebody's, aligned and in the
// room, and that no two, variables aside, share a byte while both are alive.
std::string CheckCommittedPlan(const ModelView& model, std::span<const PlanEntry> plan, std::size_t head_room_bytes);

}  // namespace arenaproof::oracle
