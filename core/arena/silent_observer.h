// Receives every event and does nothing. An observer of some of the events derives from it; one that has to receive all
// of them derives from ArenaObserver, so that a new event is not forgotten.
#pragma once

#include "core/arena/observer.h"

namespace arenaproof {

class SilentObserver : public ArenaObserver {
 public:
  void OnAttach(const AttachedArena&, MemoryRegion) override {}
  void OnHeadResized(MemoryRegion) override {}
  void OnTemporaryAllocated(MemoryRegion) override {}
  void OnTemporaryFreed(const std::byte*) override {}
  void OnTemporariesReset() override {}
  void OnTailAllocated(MemoryRegion) override {}
  void OnTailRewound(const std::byte*) override {}
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override {}
  void OnOperatorBegins(const OperatorScope&) override {}
  void OnOperatorEnds() override {}
  void OnRuntimeEnters() override {}
  void OnRuntimeLeaves() override {}
  void OnDetach() override {}
};

}  // namespace arenaproof
