#include "tools/worker/checking_observer.h"

#include <algorithm>

#include "sanitizers/layout/blind_pairs.h"
#include "tools/model/operator_board.h"

namespace arenaproof {

void CheckingObserver::AddPairs(const OperatorScope& scope, std::vector<Pair>& pairs) {
  for (const BlindPair& pair : FindBlindPairs(scope.operands)) {
    const OperandRange& first = scope.operands[pair.first];
    const OperandRange& second = scope.operands[pair.second];
    auto distance = static_cast<std::int64_t>(pair.gap_bytes);
    if (pair.overlap) {
      distance = std::max(first.data, second.data) - std::min(first.data + first.bytes, second.data + second.bytes);
    }
    pairs.push_back({scope.subgraph, scope.operator_index, scope.operator_name, first, second, distance});
  }
}

// An operator may have the same tensor twice.
ReadableAround CheckingObserver::AllowedAround(const OperatorScope& scope, const OperandRange& operand) const {
  ReadableAround around;
  const bool of_a_tensor = operand.kind == OperandKind::kInput || operand.kind == OperandKind::kOutput ||
                           operand.kind == OperandKind::kConstant || operand.kind == OperandKind::kVariable;
  if (scope.phase != OperatorPhase::kInvoke || !of_a_tensor || operand.data == nullptr || operand.bytes == 0) {
    return around;
  }
  for (const AllowedRead& read : allowed_) {
    if (read.subgraph != scope.subgraph || read.operator_index != scope.operator_index) continue;
    if (read.tensor != operand.index) continue;
    around.before_bytes = std::max(around.before_bytes, read.before_bytes);
    around.after_bytes = std::max(around.after_bytes, read.after_bytes);
  }
  return around;
}

void CheckingObserver::Inspect(const OperatorScope& scope) {
  if (scope.phase == OperatorPhase::kInit) return;
  if (!inspected_.emplace(std::tuple{scope.phase, scope.subgraph, scope.operator_index}, true).second) return;
  if (scope.phase == OperatorPhase::kPrepare) {
    AddPairs(scope, prepare_pairs_);
    return;
  }
  AddPairs(scope, pairs_);
  if (instrument_ == nullptr) return;
  for (const OperandRange& operand : scope.operands) {
    if (operand.data == nullptr || operand.bytes == 0) continue;
    const std::size_t before = instrument_->BlindBytesBefore(operand, AllowedAround(scope, operand));
    const std::size_t after = instrument_->BlindBytesAfter(operand, AllowedAround(scope, operand));
    if (before + after == 0) continue;
    not_exact_.push_back({scope.subgraph, scope.operator_index, scope.operator_name, operand, before, after});
  }
}

bool CheckingObserver::Watches() const {
  return instrument_ != nullptr && instrument_->self_test().ran && instrument_->self_test().status().ok() &&
         (!instrument_->log().capped() || instrument_->ChecksWhenCapped());
}

void CheckingObserver::NoteCap() {
  if (capped_at_ || running_.empty() || instrument_ == nullptr || !instrument_->log().capped()) return;
  capped_at_ = running_.back().place;
}

CheckingObserver::Invokes CheckingObserver::InvokesOf(std::int32_t subgraph, std::int32_t operator_index) const {
  const auto found = invokes_.find({subgraph, operator_index});
  return found == invokes_.end() ? Invokes() : found->second;
}

void CheckingObserver::OnBytesShared(std::span<const BufferAlias> aliases) {
  sharing_.assign(aliases.begin(), aliases.end());
  EventRelay::OnBytesShared(aliases);
}

void CheckingObserver::OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) {
  plan_.assign(plan.begin(), plan.end());
  head_start_ = head_start;
  EventRelay::OnPlanCommitted(head_start, plan);
}

// The observer's own work comes before anything is closed.
void CheckingObserver::OnOperatorBegins(const OperatorScope& scope) {
  Inspect(scope);
  // Until it ends it was not seen.
  if (scope.phase == OperatorPhase::kInvoke) ++invokes_[{scope.subgraph, scope.operator_index}].count;
  running_.push_back({{scope.subgraph, scope.operator_index, scope.operator_name, scope.phase}, Watches()});
  BoardOfParent().Begin(scope);
  std::vector<OperandRange> allowances;
  for (const OperandRange& operand : scope.operands) {
    const ReadableAround around = AllowedAround(scope, operand);
    if (around.before_bytes + around.after_bytes == 0) continue;
    const auto add = [&](const std::byte* data, std::size_t bytes) {
      if (bytes > 0) allowances.push_back({data, bytes, AccessRight::kRead, operand.kind, operand.index});
    };
    add(operand.data - around.before_bytes, around.before_bytes);
    add(operand.data + operand.bytes, around.after_bytes);
  }
  OperatorScope with_allowances = scope;
  with_allowances.read_allowances = allowances;
  EventRelay::OnOperatorBegins(with_allowances);
}

void CheckingObserver::OnOperatorEnds() {
  EventRelay::OnOperatorEnds();
  if (running_.empty()) return;
  BoardOfParent().End();
  NoteCap();
  const Running ended = running_.back();
  running_.pop_back();
  if (ended.place.phase == OperatorPhase::kInvoke && ended.watched_at_begin && Watches() &&
      instrument_->SawOperator()) {
    ++invokes_[{ended.place.subgraph, ended.place.operator_index}].seen;
  }
}

// A log that the caller filled is not charged to an operator that it calls.
void CheckingObserver::OnRuntimeEnters() {
  EventRelay::OnRuntimeEnters();
  NoteCap();
}

}  // namespace arenaproof
