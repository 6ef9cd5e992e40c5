// Has the head planned and the plan certified. Nothing is reserved and no pointer written: a plan that is refused
// leaves no trace but the bytes of its workspace.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/buffer_alias.h"
#include "core/planner/memory_planner.h"
#include "core/planner/placed_buffer.h"

namespace arenaproof {

// Hands `buffers` (bytes rounded up to 16, lifetimes; with an offset where an offline plan fixes it, else kUnplaced) to
// the planner in their order, fetches the offsets into them and has them certified within the planner's maximum, which
// becomes *head_bytes; the plan of a planner that claims to preserve all tensors as if every buffer lived all the
// time. Fixed offsets stay, save with a planner that claims to move them. The planner and then the certifier work in
// `workspace`. Fails with the planner's status, with kPlannerBufferCount, kPlanFixedMoved, or with the certifier's
// status; with kPlanMemoryDoesNotFit when one of them had too small a workspace.
//
// `aliases`: buffers that share bytes on purpose (core/planner/alias_groups.h). Each group is handed over as one
// buffer, its owner; the whole is certified with the list, whose refusals come before the planner's.
Status PlanHead(MemoryPlanner& planner, std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases,
                std::span<std::byte> workspace, std::size_t* head_bytes);

}  // namespace arenaproof
