#include "fuzz/model_pipeline/plan_judge.h"

#include <string>

#include "fuzz/model_pipeline/defect.h"
#include "props/model_oracles/committed_plan.h"

namespace arenaproof {

void PlanJudge::OnAttach(const AttachedArena& arena, MemoryRegion model) {
  arena_ = arena;
  if (next_ != nullptr) next_->OnAttach(arena, model);
}

void PlanJudge::OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) {
  const auto room_bytes = static_cast<std::size_t>(arena_.arena.data + arena_.arena.bytes - head_start);
  const std::string complaint = oracle::JudgeCommittedPlan(model_, plan, room_bytes);
  if (!complaint.empty()) Defect("the runtime's plan", complaint.c_str());
  if (next_ != nullptr) next_->OnPlanCommitted(head_start, plan);
}

void PlanJudge::OnHeadResized(MemoryRegion head) {
  if (next_ != nullptr) next_->OnHeadResized(head);
}
void PlanJudge::OnTemporaryAllocated(MemoryRegion block) {
  if (next_ != nullptr) next_->OnTemporaryAllocated(block);
}
void PlanJudge::OnTemporaryFreed(const std::byte* address) {
  if (next_ != nullptr) next_->OnTemporaryFreed(address);
}
void PlanJudge::OnTemporariesReset() {
  if (next_ != nullptr) next_->OnTemporariesReset();
}
void PlanJudge::OnTailAllocated(MemoryRegion block) {
  if (next_ != nullptr) next_->OnTailAllocated(block);
}
void PlanJudge::OnTailRewound(const std::byte* tail_begin) {
  if (next_ != nullptr) next_->OnTailRewound(tail_begin);
}
void PlanJudge::OnOperatorBegins(const OperatorScope& scope) {
  if (next_ != nullptr) next_->OnOperatorBegins(scope);
}
void PlanJudge::OnOperatorEnds() {
  if (next_ != nullptr) next_->OnOperatorEnds();
}
void PlanJudge::OnRuntimeEnters() {
  if (next_ != nullptr) next_->OnRuntimeEnters();
}
void PlanJudge::OnRuntimeLeaves() {
  if (next_ != nullptr) next_->OnRuntimeLeaves();
}
void PlanJudge::OnDetach() {
  if (next_ != nullptr) next_->OnDetach();
}
void PlanJudge::OnShape(const StructureBytes& element, std::size_t count) {
  if (next_ != nullptr) next_->OnShape(element, count);
}
void PlanJudge::OnOperation(Operation operation, std::size_t size, std::size_t alignment) {
  if (next_ != nullptr) next_->OnOperation(operation, size, alignment);
}
ArenaObserver* PlanJudge::DuringBookkeeping() { return next_ == nullptr ? nullptr : next_->DuringBookkeeping(); }

}  // namespace arenaproof
