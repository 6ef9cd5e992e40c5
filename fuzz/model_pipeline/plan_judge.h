// Passes an interpreter's events on and judges the plan that it commits to (props/model_oracles/committed_plan.h),
// after the model file that plan and judgement are read from: nobody may write it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/model_view.h"
#include "sanitizers/event_relay.h"

namespace arenaproof {

class PlanJudge final : public EventRelay {
 public:
  // `next` may be null. Ends the process over a wrong plan and over a changed file.
  PlanJudge(const ModelView& model, ArenaObserver* next);

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) override;

  void RefuseChangedFile() const;

 private:
  const ModelView& model_;
  const std::vector<std::byte> file_;  // as it was when the judge was made
  AttachedArena arena_;
};

}  // namespace arenaproof
