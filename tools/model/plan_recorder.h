// Records the plan that an interpreter commits to, for reports.
#pragma once

#include <utility>
#include <vector>

#include "core/arena/silent_observer.h"

namespace arenaproof {

class PlanRecorder : public SilentObserver {
 public:
  const std::vector<PlanEntry>& plan() const { return plan_; }
  const std::vector<BufferAlias>& sharing() const { return sharing_; }  // of the plan

  void OnBytesShared(std::span<const BufferAlias> aliases) override {
    announced_.assign(aliases.begin(), aliases.end());
  }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry> plan) override {
    plan_.assign(plan.begin(), plan.end());
    sharing_ = std::move(announced_);
    announced_.clear();
  }

 private:
  std::vector<PlanEntry> plan_;
  std::vector<BufferAlias> sharing_;
  std::vector<BufferAlias> announced_;
};

}  // namespace arenaproof
