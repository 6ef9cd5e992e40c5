// Passes an interpreter's events on and judges the plan that it commits to (props/model_oracles/committed_plan.h).
#pragma once

#include <span>

#include "core/model/model_view.h"
#include "sanitizers/event_relay.h"

namespace arenaproof {

class PlanJudge final : public EventRelay {
 public:
  // `next` may be null. Ends the process over a wrong plan.
  PlanJudge(const ModelView& model, ArenaObserver* next) : EventRelay(next), model_(model) {}

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) override;

 private:
  const ModelView& model_;
  AttachedArena arena_;
};

}  // namespace arenaproof
