// Hears every event and does nothing: the cost of the events themselves.
#pragma once

#include "core/arena/observer.h"

namespace arenaproof {

class SilentObserver final : public ArenaObserver {
 public:
  void OnAttach(const AttachedArena&, MemoryRegion) override {}
  void OnHeadResized(MemoryRegion) override {}
  void OnTemporaryAllocated(MemoryRegion) override {}
  void OnTemporaryFreed(const std::byte*) override {}
  void OnTemporariesReset() override {}
  void OnTailAllocated(MemoryRegion) override {}
  void OnTailRewound(const std::byte*) override {}
  void OnPlanCommitted(const std::byte*, std::span<const PlannedBuffer>) override {}
  void OnOperatorBegins(const OperatorScope&) override {}
  void OnOperatorEnds() override {}
  void OnRuntimeEnters() override {}
  void OnRuntimeLeaves() override {}
  void OnDetach() override {}
};

}  // namespace arenaproof
