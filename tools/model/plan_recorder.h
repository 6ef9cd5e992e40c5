// Records the plan that an interpreter commits to, for reports.
#pragma once

#include <vector>

#include "core/arena/silent_observer.h"

namespace arenaproof {

class PlanRecorder : public SilentObserver {
 public:
  const std::vector<PlanEntry>& plan() const { return plan_; }

  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry> plan) override {
    plan_.assign(plan.begin(), plan.end());
  }

 private:
  std::vector<PlanEntry> plan_;
};

}  // namespace arenaproof
