#include "engine/harness/model_pipeline/committed_plan_checker.h"

#include <string>

#include "engine/oracles/defect.h"
#include "engine/oracles/model/committed_plan.h"

namespace arenaproof {

void CommittedPlanChecker::OnAttach(const AttachedArena& arena, MemoryRegion model) {
  arena_ = arena;
  EventRelay::OnAttach(arena, model);
}

void CommittedPlanChecker::OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) {
  model_.RefuseChangedFile();
  const auto room_bytes = static_cast<std::size_t>(arena_.arena.data + arena_.arena.bytes - head_start);
  const std::string complaint = oracle::CheckCommittedPlan(model_.view, plan, room_bytes);
  if (!complaint.empty()) Defect("the runtime's plan", complaint.c_str());
  EventRelay::OnPlanCommitted(head_start, plan);
}

}  // namespace arenaproof
