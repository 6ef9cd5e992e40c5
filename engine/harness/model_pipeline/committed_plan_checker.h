// Passes an interpreter's events on and checks the plan that it commits to (engine/oracles/model/committed_plan.h),
// after the model file that both plan and oracle are read from: nobody may write it.
#pragma once

#include <cstddef>
#include <span>

#include "engine/harness/model_pipeline/placed_model.h"
#include "sanitizers/event_checks/event_relay.h"

namespace arenaproof {

class CommittedPlanChecker final : public EventRelay {
 public:
  // `next` may be null. Ends the process over a wrong plan and over a changed file.
  CommittedPlanChecker(const PlacedModel& model, ArenaObserver* next) : EventRelay(next), model_(model) {}

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override;

 private:
  const PlacedModel& model_;
  AttachedArena arena_;
};

}  // namespace arenaproof
