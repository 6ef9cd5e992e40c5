#include "sanitizers/event_checks/event_stream_checker.h"

#include <algorithm>
#include <utility>

#include "sanitizers/event_checks/event_words.h"

namespace arenaproof {
namespace {

constexpr std::size_t kAlignment = 16;

std::uintptr_t Number(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool Overlaps(MemoryRegion a, MemoryRegion b) {
  return Number(a.data) < Number(b.data) + b.bytes && Number(b.data) < Number(a.data) + a.bytes;
}

}  // namespace

void EventStreamChecker::ReportInconsistency(std::string what) {
  if (inconsistencies_.size() < kMaxInconsistencies) inconsistencies_.push_back(std::move(what));
}

void EventStreamChecker::CompareWith(const ModelView* model, ConstantPlacement* constants) {
  model_ = model;
  constants_ = constants;
  has_offline_plan_ = false;
  for (std::size_t i = 0; model != nullptr && i < model->metadata_count(); ++i) {
    has_offline_plan_ = has_offline_plan_ || model->metadata(i).name == "OfflineMemoryAllocation";
  }
}

bool EventStreamChecker::Inside(MemoryRegion region, MemoryRegion outer) {
  const std::uintptr_t begin = Number(region.data), outer_begin = Number(outer.data);
  return begin >= outer_begin && begin - outer_begin <= outer.bytes &&
         region.bytes <= outer.bytes - (begin - outer_begin);
}

std::uint64_t EventStreamChecker::BeginCount(OperatorPhase phase, std::int32_t subgraph,
                                             std::int32_t operator_index) const {
  const auto found = begin_counts_.find({phase, subgraph, operator_index});
  return found == begin_counts_.end() ? 0 : found->second;
}

const PlanEntry* EventStreamChecker::FindTensor(std::int32_t subgraph, std::int32_t tensor) const {
  for (const PlanEntry& buffer : plan_) {
    if (buffer.subgraph == subgraph && buffer.tensor == tensor) return &buffer;
  }
  return nullptr;
}

bool EventStreamChecker::IsTailBlock(MemoryRegion region) const {
  return std::any_of(tail_.begin(), tail_.end(), [&](const TailBlock& tail) {
    return tail.block.data == region.data && tail.block.bytes == region.bytes;
  });
}

bool EventStreamChecker::LiesInTailBlock(MemoryRegion region) const {
  return IsTailBlock(region) || std::any_of(tail_.begin(), tail_.end(), [&](const TailBlock& tail) {
           return tail.owner_operator >= 0 && Inside(region, tail.block);
         });
}

void EventStreamChecker::RequireRuntime(const char* event) {
  if (!attached_) ReportInconsistency(std::string("event ") + event + " without an attach");
  if (!running_.empty() && !running_.back().in_runtime) {
    ReportInconsistency(std::string("event ") + event + " while the code of " +
                        NameOfOperator(running_.back().subgraph, running_.back().operator_index) +
                        " runs: an operator's end or a call into the runtime was not announced");
  }
  if (runtime_works_) ReportInconsistency(std::string("event ") + event + " in the middle of the runtime's own work");
}

const std::byte* EventStreamChecker::tail_end() const {
  const std::byte* const end = tail_arena().data + tail_arena().bytes;
  return separate() ? end - Number(end) % kAlignment : end;
}

std::size_t EventStreamChecker::unexplained_tail_bytes() const {
  std::size_t bytes = 0;
  for (const TailBlock& tail : tail_) bytes += tail.unexplained_bytes;
  return bytes;
}

void EventStreamChecker::OnAttach(const AttachedArena& arena, MemoryRegion model) {
  if (attached_) ReportInconsistency("attached twice");
  attached_ = true;
  arena_ = arena.arena;
  persistent_arena_ = arena.persistent;
  head_ = {};
  temporaries_.clear();
  temporary_high_ = nullptr;
  tail_.clear();
  tail_begin_ = tail_end();
  plan_.clear();
  owners_.clear();
  announced_owners_.clear();
  plan_count_ = 0;
  variables_.Forget();
  running_.clear();
  runtime_works_ = false;
  begin_counts_.clear();
  EventRelay::OnAttach(arena, model);
}

void EventStreamChecker::OnHeadResized(MemoryRegion head) {
  RequireRuntime("head resized");
  if (!Inside(head, arena_)) ReportInconsistency("the head leaves the arena");
  if (Number(head.data) % kAlignment != 0 || head.data - arena_.data >= static_cast<std::ptrdiff_t>(kAlignment)) {
    ReportInconsistency("the head does not start at the arena's first multiple of 16");
  }
  if (MeetsTail(head)) ReportInconsistency("the head (" + Bytes(head.bytes) + ") reaches into the tail");
  if (!temporaries_.empty()) ReportInconsistency("the head moved over a live temporary");
  if (temporary_high_ != nullptr)
    ReportInconsistency("the head moved, and no reset of the temporaries was announced before");
  head_ = head;
  EventRelay::OnHeadResized(head);
}

void EventStreamChecker::OnTemporaryAllocated(MemoryRegion block) {
  RequireRuntime("temporary allocated");
  if (!Inside(block, arena_)) ReportInconsistency("a temporary of " + Bytes(block.bytes) + " leaves the arena");
  if (block.data < head_.data + head_.bytes)
    ReportInconsistency("a temporary of " + Bytes(block.bytes) + " lies in the head");
  if (MeetsTail(block)) ReportInconsistency("a temporary of " + Bytes(block.bytes) + " lies in the tail");
  if (temporary_high_ != nullptr && block.data < temporary_high_) {
    ReportInconsistency(
        "a temporary starts below the end of the one before, and no reset of the temporaries was announced");
  }
  temporaries_.push_back(block);
  temporary_high_ = block.data + block.bytes;
  EventRelay::OnTemporaryAllocated(block);
}

void EventStreamChecker::OnTemporaryFreed(const std::byte* address) {
  RequireRuntime("temporary freed");
  const auto found =
      std::find_if(temporaries_.rbegin(), temporaries_.rend(), [&](MemoryRegion t) { return t.data == address; });
  if (found == temporaries_.rend()) {
    ReportInconsistency("a temporary was freed whose allocation was not announced, or twice");
  } else {
    temporaries_.erase(std::next(found).base());
  }
  EventRelay::OnTemporaryFreed(address);
}

void EventStreamChecker::OnTemporariesReset() {
  RequireRuntime("temporaries reset");
  if (!temporaries_.empty()) ReportInconsistency("the temporaries were reset over a live one");
  temporaries_.clear();
  temporary_high_ = nullptr;
  EventRelay::OnTemporariesReset();
}

void EventStreamChecker::OnTailAllocated(MemoryRegion block) {
  RequireRuntime("tail allocated");
  TailBlock kept{.block = block};
  if (!Inside(block, tail_arena())) ReportInconsistency("a tail block of " + Bytes(block.bytes) + " leaves the arena");
  if (block.data + block.bytes > tail_begin_) {
    ReportInconsistency("a tail block of " + Bytes(block.bytes) + " does not lie below the one before");
  } else {
    const auto gap = static_cast<std::size_t>(tail_begin_ - (block.data + block.bytes));
    // What lies above may be spaced, and this block too.
    const std::size_t explained = kAlignment - 1 + 2 * options_.persistent_spacing_bytes;
    if (gap > explained) kept.unexplained_bytes = gap - explained;
    tail_begin_ = block.data;
  }
  if (!separate() && block.data < head_.data + head_.bytes) {
    ReportInconsistency("a tail block of " + Bytes(block.bytes) + " lies in the head");
  }
  if (!separate() && temporary_high_ != nullptr && block.data < temporary_high_) {
    ReportInconsistency("a tail block of " + Bytes(block.bytes) + " lies in the temporaries");
  }
  if (!running_.empty()) {
    kept.subgraph = running_.back().subgraph;
    kept.owner_operator = running_.back().operator_index;
    if (Number(block.data) % kAlignment != 0) {
      ReportInconsistency("alignment: a persistent block of " + NameOfOperator(kept.subgraph, kept.owner_operator) +
                          " does not start on a multiple of 16");
    }
  }
  tail_.push_back(kept);
  EventRelay::OnTailAllocated(block);
}

void EventStreamChecker::OnTailRewound(const std::byte* tail_begin) {
  RequireRuntime("tail rewound");
  if (tail_begin < tail_begin_ || tail_begin > tail_end()) {
    ReportInconsistency("the tail was rewound to where it had not been");
  }
  std::erase_if(tail_, [&](const TailBlock& tail) { return tail.block.data < tail_begin; });
  tail_begin_ = tail_begin;
  EventRelay::OnTailRewound(tail_begin);
}

void EventStreamChecker::OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) {
  RequireRuntime("plan committed");
  if (!running_.empty()) ReportInconsistency("a plan was committed while an operator ran");
  head_start_ = head_start;
  plan_.assign(plan.begin(), plan.end());
  owners_ = std::move(announced_owners_);
  announced_owners_.clear();
  ++plan_count_;
  variables_.Forget();
  CheckPlan();
  EventRelay::OnPlanCommitted(head_start, plan);
}

void EventStreamChecker::OnBytesShared(std::span<const BufferAlias> aliases) {
  RequireRuntime("bytes shared");
  for (const BufferAlias& alias : aliases) announced_owners_[alias.buffer] = alias.owner;
  EventRelay::OnBytesShared(aliases);
}

bool EventStreamChecker::MayShare(const PlanEntry* a, const PlanEntry* b) const {
  if (a == nullptr || b == nullptr) return false;
  const auto owner = [&](const PlanEntry* entry) {
    const auto index = static_cast<std::size_t>(entry - plan_.data());
    const auto found = owners_.find(index);
    return found == owners_.end() ? index : found->second;
  };
  return owner(a) == owner(b) && a->offset == b->offset && a->bytes == b->bytes;
}

void EventStreamChecker::CheckPlan() {
  const auto name = [](const PlanEntry& b) {
    return b.tensor >= 0 ? "tensor " + std::to_string(b.tensor) : "scratch buffer " + std::to_string(b.scratch);
  };
  constexpr std::size_t kMostPairs = 1024;  // of buffers that are compared each with each
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const PlanEntry& a = plan_[i];
    if (!InArena({head_start_ + a.offset, a.bytes})) ReportInconsistency("plan: " + name(a) + " leaves the arena");
    if (MeetsTail({head_start_ + a.offset, a.bytes})) ReportInconsistency("plan: " + name(a) + " lies in the tail");
    if (Number(head_start_ + a.offset) % kAlignment != 0)
      ReportInconsistency("alignment: plan: " + name(a) + " does not start on a multiple of 16");
    if (plan_.size() > kMostPairs || a.last < 0) continue;
    for (std::size_t j = i + 1; j < plan_.size(); ++j) {
      const PlanEntry& b = plan_[j];
      if (b.last < 0 || a.first > b.last || b.first > a.last || a.bytes == 0 || b.bytes == 0) continue;
      const std::size_t a_end = a.offset + a.bytes, b_end = b.offset + b.bytes;
      if (!owners_.empty() && MayShare(&a, &b)) continue;
      if (a.offset < b_end && b.offset < a_end) {
        if (!options_.trust_plan)
          ReportInconsistency("plan: " + name(a) + " and " + name(b) + " share bytes while both are alive");
        continue;
      }
      const std::size_t apart = a_end <= b.offset ? b.offset - a_end : a.offset - b_end;
      if (!options_.trust_plan && apart < options_.distance_bytes) {
        ReportInconsistency("dilated layout: " + name(a) + " and " + name(b) + " are " + Bytes(apart) +
                            " apart instead of " + std::to_string(options_.distance_bytes));
      }
    }
  }
}

void EventStreamChecker::OnOperatorBegins(const OperatorScope& scope) {
  if (!attached_) ReportInconsistency("an operator begins without an attach");
  if (runtime_works_) ReportInconsistency("an operator begins in the middle of the runtime's own work");
  if (!running_.empty() && !running_.back().in_runtime) {
    ReportInconsistency(NameOfOperator(scope.subgraph, scope.operator_index) + " begins, and the end of " +
                        NameOfOperator(running_.back().subgraph, running_.back().operator_index) +
                        " was not announced");
    running_.pop_back();
  }
  if (!temporaries_.empty() && running_.empty()) ReportInconsistency("an operator begins with a live temporary");
  if (scope.phase == OperatorPhase::kInvoke && plan_count_ == 0)
    ReportInconsistency("an operator is invoked without a plan");
  ++begin_counts_[{scope.phase, scope.subgraph, scope.operator_index}];
  CheckAccessList(scope, *this, variables_);
  running_.push_back({scope.phase, scope.subgraph, scope.operator_index, false});
  EventRelay::OnOperatorBegins(scope);
}

void EventStreamChecker::OnOperatorEnds() {
  EventRelay::OnOperatorEnds();
  if (running_.empty()) return ReportInconsistency("an operator ends whose begin was not announced");
  if (running_.back().in_runtime) ReportInconsistency("an operator ends inside a call into the runtime");
  running_.pop_back();
}

void EventStreamChecker::OnRuntimeEnters() {
  EventRelay::OnRuntimeEnters();
  if (running_.empty() || running_.back().in_runtime)
    return ReportInconsistency("a call into the runtime without an operator");
  running_.back().in_runtime = true;
}

void EventStreamChecker::OnRuntimeLeaves() {
  if (running_.empty() || !running_.back().in_runtime) {
    ReportInconsistency("the runtime is left, and nobody had entered it");
  } else {
    running_.back().in_runtime = false;
  }
  EventRelay::OnRuntimeLeaves();
}

void EventStreamChecker::OnRuntimeWorkBegins(const RuntimeScope& scope) {
  RequireRuntime("work of the runtime");
  runtime_works_ = true;
  for (const OperandRange& operand : scope.operands) CheckWorkOperand(scope.work, operand);
  EventRelay::OnRuntimeWorkBegins(scope);
}

// The list opens no more than the work needs: what is in the arena at all is one whole block that was handed out, lies
// in one, or is a tensor of the plan.
void EventStreamChecker::CheckWorkOperand(RuntimeWork work, const OperandRange& operand) {
  const MemoryRegion region{operand.data, operand.bytes};
  if (operand.bytes == 0 || (!Overlaps(region, arena_) && !Overlaps(region, persistent_arena_))) return;
  const auto holds = [&](MemoryRegion block) { return Inside(region, block); };
  bool known = false;
  if (work == RuntimeWork::kRecords) {
    known = !tail_.empty() && tail_.back().block.data == region.data && tail_.back().block.bytes == region.bytes;
  } else if (operand.kind == OperandKind::kWorkspace) {
    known = std::any_of(temporaries_.begin(), temporaries_.end(), holds);
  } else {
    known = std::any_of(temporaries_.begin(), temporaries_.end(), holds) ||
            std::any_of(tail_.begin(), tail_.end(), [&](const TailBlock& tail) { return holds(tail.block); }) ||
            std::any_of(plan_.begin(), plan_.end(),
                        [&](const PlanEntry& entry) { return holds({head_start_ + entry.offset, entry.bytes}); });
  }
  // Values of resource variables lie in blocks of the tail that are not announced: above the lowest one that is, or
  // below it in a graph without inputs and outputs, whose lists would lie lower still.
  if (work == RuntimeWork::kTensorCopy || work == RuntimeWork::kVariableFill) {
    const bool may_be_lowest = model_ == nullptr || (model_->inputs(0).empty() && model_->outputs(0).empty());
    known = known || (Inside(region, tail_arena()) && (may_be_lowest || region.data >= tail_begin_) &&
                      (separate() || !Overlaps(region, head_)) &&
                      std::none_of(tail_.begin(), tail_.end(),
                                   [&](const TailBlock& tail) { return Overlaps(region, tail.block); }));
  }
  if (!known) {
    ReportInconsistency("the runtime's own work opens " + Bytes(operand.bytes) +
                        " that are no block, no record and no tensor");
  }
}

void EventStreamChecker::OnRuntimeWorkEnds() {
  EventRelay::OnRuntimeWorkEnds();
  if (!runtime_works_) ReportInconsistency("the runtime's own work ends, and its begin was not announced");
  runtime_works_ = false;
}

void EventStreamChecker::OnDetach() {
  if (!attached_) ReportInconsistency("a detach without an attach");
  if (!running_.empty()) ReportInconsistency("a detach while an operator runs: its end was not announced");
  attached_ = false;
  EventRelay::OnDetach();
}

}  // namespace arenaproof
