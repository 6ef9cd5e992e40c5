// From a prepared model to the addresses of its tensors and scratch buffers, in one block of temporary memory.
//
// The block is carved, from its start: lifetimes of all tensors (8 bytes each), places and lifetimes of scratch
// buffers (8 + 8), the buffers to plan (32 each), and what is left for the planner and then the certifier. At the end
// the plan with the buffers' owners (40 bytes each) takes the place of the buffers and their workspace.
#pragma once

#include <cstddef>
#include <span>

#include "core/arena/observer.h"
#include "core/model/lifetimes.h"
#include "core/model/model_view.h"
#include "core/planner/memory_planner.h"
#include "core/planner/placed_buffer.h"
#include "core/runtime/model_allocation.h"
#include "core/runtime/scratch_requests.h"

namespace arenaproof {

class PlanCommit {
 public:
  // The arguments stay in place as long as this object.
  PlanCommit(const ModelView& model, const ModelAllocation& allocation, std::span<const ScratchRequest> requests,
             std::span<std::byte> block)
      : model_(model), allocation_(allocation), requests_(requests), block_(block) {}

  // A certified plan, *head_bytes of head. kIntermediateTensor, kPlanMemoryDoesNotFit, the lifetime walk's statuses and
  // those of PlanHead. The allocation is not changed.
  Status Plan(MemoryPlanner& planner, std::size_t* head_bytes);

  // After Plan, once: the plan as the observer gets it, in the block (over the buffers and their workspace).
  std::span<const PlannedBuffer> Describe();

  // Gives every tensor and scratch buffer of the plan its address.
  static void WriteAddresses(std::span<const PlannedBuffer> plan, std::byte* head_start, ModelAllocation* allocation);

 private:
  Status RefuseIntermediates() const;
  Status Carve();
  Status ComputeAllLifetimes();
  Status CollectBuffers();

  const ModelView& model_;
  const ModelAllocation& allocation_;
  const std::span<const ScratchRequest> requests_;
  const std::span<std::byte> block_;
  std::span<Lifetime> tensor_lifetimes_;
  std::span<Lifetime> scratch_lifetimes_;
  std::span<ScratchPlace> scratch_places_;
  std::span<PlacedBuffer> buffers_;  // planned tensors in order, then scratch buffers
  std::span<std::byte> workspace_;
};

}  // namespace arenaproof
