// Passes an interpreter's events on and judges the plan that it commits to (props/model_oracles/committed_plan.h).
#pragma once

#include <span>

#include "core/arena/observer.h"
#include "core/model/model_view.h"

namespace arenaproof {

class PlanJudge final : public ArenaObserver {
 public:
  // `next` may be null. Ends the process over a wrong plan.
  PlanJudge(const ModelView& model, ArenaObserver* next) : model_(model), next_(next) {}

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnHeadResized(MemoryRegion head) override;
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnTemporariesReset() override;
  void OnTailAllocated(MemoryRegion block) override;
  void OnTailRewound(const std::byte* tail_begin) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) override;
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override;
  void OnRuntimeEnters() override;
  void OnRuntimeLeaves() override;
  void OnDetach() override;
  void OnShape(const StructureBytes& element, std::size_t count) override;
  void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override;
  ArenaObserver* DuringBookkeeping() override;

 private:
  const ModelView& model_;
  ArenaObserver* next_;
  AttachedArena arena_;
};

}  // namespace arenaproof
