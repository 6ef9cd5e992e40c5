// Records every event: what an instrument pays before it checks anything.
#pragma once

#include <cstddef>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

class RecordingObserver final : public ArenaObserver {
 public:
  std::size_t event_count() const { return events_.size(); }

  void OnAttach(const AttachedArena& memory, MemoryRegion) override {
    events_.clear();
    events_.reserve(4096);
    Write(memory.arena);
    Write(memory.persistent);
  }
  void OnHeadResized(MemoryRegion head) override { Write(head); }
  void OnTemporaryAllocated(MemoryRegion block) override { Write(block); }
  void OnTemporaryFreed(const std::byte* address) override { Write({address, 0}); }
  void OnTemporariesReset() override { Write({}); }
  void OnTailAllocated(MemoryRegion block) override { Write(block); }
  void OnTailRewound(const std::byte* tail_begin) override { Write({tail_begin, 0}); }
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override {
    for (const PlanEntry& buffer : plan) Write({head_start + buffer.offset, buffer.bytes});
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    // Invokes follow one another without end; a few thousand events are kept.
    if (events_.size() + scope.operands.size() + 16 > events_.capacity()) events_.clear();
    for (const OperandRange& operand : scope.operands) Write({operand.data, operand.bytes});
  }
  void OnOperatorEnds() override { Write({}); }
  void OnRuntimeEnters() override { Write({}); }
  void OnRuntimeLeaves() override { Write({}); }
  void OnDetach() override { Write({}); }

 private:
  void Write(MemoryRegion region) { events_.push_back(region); }

  std::vector<MemoryRegion> events_;
};

}  // namespace arenaproof
