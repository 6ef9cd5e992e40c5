#include "tools/worker/checking_observer.h"

#include <algorithm>

#include "sanitizers/blind_pairs.h"

namespace arenaproof {

void CheckingObserver::Inspect(const OperatorScope& scope) {
  if (scope.phase != OperatorPhase::kInvoke) return;
  if (!inspected_.emplace(std::pair{scope.subgraph, scope.operator_index}, true).second) return;
  for (const BlindPair& pair : FindBlindPairs(scope.operands)) {
    const OperandRange& first = scope.operands[pair.first];
    const OperandRange& second = scope.operands[pair.second];
    auto distance = static_cast<std::int64_t>(pair.gap_bytes);
    if (pair.overlap) {
      distance = std::max(first.data, second.data) - std::min(first.data + first.bytes, second.data + second.bytes);
    }
    pairs_.push_back({scope.subgraph, scope.operator_index, scope.operator_name, first, second, distance});
  }
  if (instrument_ == nullptr) return;
  for (const OperandRange& operand : scope.operands) {
    if (operand.data == nullptr || operand.bytes == 0) continue;
    const std::size_t before = instrument_->BlindBytesBefore(operand);
    const std::size_t after = instrument_->BlindBytesAfter(operand);
    if (before + after == 0) continue;
    not_exact_.push_back({scope.subgraph, scope.operator_index, scope.operator_name, operand, before, after});
  }
}

void CheckingObserver::OnAttach(MemoryRegion arena, MemoryRegion model) {
  if (instrument_ != nullptr) instrument_->OnAttach(arena, model);
}

void CheckingObserver::OnHeadResized(MemoryRegion head) {
  if (instrument_ != nullptr) instrument_->OnHeadResized(head);
}

void CheckingObserver::OnTemporaryAllocated(MemoryRegion block) {
  if (instrument_ != nullptr) instrument_->OnTemporaryAllocated(block);
}

void CheckingObserver::OnTemporaryFreed(const std::byte* address) {
  if (instrument_ != nullptr) instrument_->OnTemporaryFreed(address);
}

void CheckingObserver::OnTemporariesReset() {
  if (instrument_ != nullptr) instrument_->OnTemporariesReset();
}

void CheckingObserver::OnTailAllocated(MemoryRegion block) {
  if (instrument_ != nullptr) instrument_->OnTailAllocated(block);
}

void CheckingObserver::OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) {
  plan_.assign(plan.begin(), plan.end());
  if (instrument_ != nullptr) instrument_->OnPlanCommitted(head_start, plan);
}

// Its own work comes before anything is closed.
void CheckingObserver::OnOperatorBegins(const OperatorScope& scope) {
  Inspect(scope);
  if (instrument_ != nullptr) instrument_->OnOperatorBegins(scope);
}

void CheckingObserver::OnOperatorEnds() {
  if (instrument_ != nullptr) instrument_->OnOperatorEnds();
}

void CheckingObserver::OnRuntimeEnters() {
  if (instrument_ != nullptr) instrument_->OnRuntimeEnters();
}

void CheckingObserver::OnRuntimeLeaves() {
  if (instrument_ != nullptr) instrument_->OnRuntimeLeaves();
}

void CheckingObserver::OnDetach() {
  if (instrument_ != nullptr) instrument_->OnDetach();
}

}  // namespace arenaproof
