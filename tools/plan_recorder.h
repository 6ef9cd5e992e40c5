// Keeps the plan that an interpreter commits to, for reports.
#pragma once

#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

class PlanRecorder : public ArenaObserver {
 public:
  const std::vector<PlannedBuffer>& plan() const { return plan_; }

  void OnPlanCommitted(const std::byte*, std::span<const PlannedBuffer> plan) override {
    plan_.assign(plan.begin(), plan.end());
  }
  void OnAttach(const AttachedArena&, MemoryRegion) override {}
  void OnHeadResized(MemoryRegion) override {}
  void OnTemporaryAllocated(MemoryRegion) override {}
  void OnTemporaryFreed(const std::byte*) override {}
  void OnTemporariesReset() override {}
  void OnTailAllocated(MemoryRegion) override {}
  void OnTailRewound(const std::byte*) override {}
  void OnOperatorBegins(const OperatorScope&) override {}
  void OnOperatorEnds() override {}
  void OnRuntimeEnters() override {}
  void OnRuntimeLeaves() override {}
  void OnDetach() override {}

 private:
  std::vector<PlannedBuffer> plan_;
};

}  // namespace arenaproof
