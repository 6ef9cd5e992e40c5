// Prints the plan that was committed, a line for each buffer.
#pragma once

#include "core/arena/silent_observer.h"

namespace arenaproof::device {

class PlanPrinter final : public SilentObserver {
 public:
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override;
};

}  // namespace arenaproof::device
