// An observer that trusts no event: it records the state of arena, plan and operators for itself and compares every
// event with that state. An event that was forgotten, sent twice, late or with the wrong numbers, and an access list
// that opens more than the operator's own operands, are reported as inconsistencies. allocation_audit.h compares the
// recorded state with model and interpreter.
//
// An event is checked before it is passed on, so nothing that the checker reads is closed yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/model/model_view.h"
#include "core/runtime/kernel_interface/constant_placement.h"
#include "sanitizers/event_checks/access_list_check.h"
#include "sanitizers/event_checks/event_relay.h"

namespace arenaproof {

struct EventStreamOptions {
  // In the dilated layout: the least distance between the arena's operands (0: none is promised), and how much of the
  // tail the runtime keeps closed around each spaced block.
  std::size_t distance_bytes = 0;
  std::size_t persistent_spacing_bytes = 0;
  // The plan may share bytes (an offline plan that is trusted).
  bool trust_plan = false;
};

class EventStreamChecker final : public EventRelay {
 public:
  static constexpr std::size_t kMaxInconsistencies = 16;

  struct TailBlock {
    MemoryRegion block;
    std::int32_t subgraph = -1;  // of the operator that took it; -1: the runtime's own
    std::int32_t owner_operator = -1;
    std::size_t unexplained_bytes = 0;  // between it and the one above, beyond what alignment and spacing explain
  };

  explicit EventStreamChecker(EventStreamOptions options = {}) : EventRelay(nullptr), options_(options) {}

  using EventRelay::ForwardTo;
  // With a model, access lists are compared with its operators, and what they open of the file with its constants and
  // quantisation lists, to the byte; `constants`: where they were moved.
  void CompareWith(const ModelView* model, ConstantPlacement* constants = nullptr);

  // Sentences about the first of them; empty when all events fit.
  const std::vector<std::string>& inconsistencies() const { return inconsistencies_; }
  void ReportInconsistency(std::string what);

  // ---- recorded state
  const EventStreamOptions& options() const { return options_; }
  // All bytes given: those for head and temporaries, and those for the tail (the same in a single arena).
  MemoryRegion arena() const { return arena_; }
  MemoryRegion tail_arena() const { return separate() ? persistent_arena_ : arena_; }
  const ModelView* model() const { return model_; }
  ConstantPlacement* constants() const { return constants_; }
  static bool Inside(MemoryRegion region, MemoryRegion outer);
  bool InArena(MemoryRegion region) const { return Inside(region, arena_) || Inside(region, tail_arena()); }
  // The model's own plan may place variables in the head.
  bool has_offline_plan() const { return has_offline_plan_; }
  bool separate() const { return persistent_arena_.bytes > 0; }
  MemoryRegion head() const { return head_; }
  const std::vector<MemoryRegion>& temporaries() const { return temporaries_; }
  bool temporary_region_is_reset() const { return temporary_high_ == nullptr; }
  const std::vector<TailBlock>& tail() const { return tail_; }
  // Where an empty tail begins: at the arena's end, in a persistent arena at its last multiple of 16.
  const std::byte* tail_end() const;
  // The lowest tail byte announced; tail_end() when there is none.
  const std::byte* tail_begin() const { return tail_begin_; }
  std::size_t unexplained_tail_bytes() const;
  const std::byte* head_start() const { return head_start_; }
  const std::vector<PlanEntry>& plan() const { return plan_; }
  std::uint64_t plan_count() const { return plan_count_; }
  std::uint64_t BeginCount(OperatorPhase phase, std::int32_t subgraph, std::int32_t operator_index) const;
  bool IsTailBlock(MemoryRegion region) const;
  // The same, or a part of a block that an operator took.
  bool LiesInTailBlock(MemoryRegion region) const;
  const PlanEntry* FindTensor(std::int32_t subgraph, std::int32_t tensor) const;
  // Whether these entries of the plan are of one group that shares bytes on purpose.
  bool MayShare(const PlanEntry* a, const PlanEntry* b) const;

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnHeadResized(MemoryRegion head) override;
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnTemporariesReset() override;
  void OnTailAllocated(MemoryRegion block) override;
  void OnTailRewound(const std::byte* tail_begin) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override;
  void OnBytesShared(std::span<const BufferAlias> aliases) override;
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override;
  void OnRuntimeEnters() override;
  void OnRuntimeLeaves() override;
  void OnDetach() override;
  void OnRuntimeWorkBegins(const RuntimeScope& scope) override;
  void OnRuntimeWorkEnds() override;

 private:
  struct Running {
    OperatorPhase phase;
    std::int32_t subgraph;
    std::int32_t operator_index;
    bool in_runtime;
  };

  // Whether the region reaches into the tail, where that is in the same arena.
  bool MeetsTail(MemoryRegion region) const { return !separate() && region.data + region.bytes > tail_begin_; }
  // Arena operations are the runtime's: while an operator's own code runs there are none.
  void RequireRuntime(const char* event);
  void CheckPlan();
  void CheckWorkOperand(RuntimeWork work, const OperandRange& operand);

  const EventStreamOptions options_;
  const ModelView* model_ = nullptr;
  ConstantPlacement* constants_ = nullptr;
  bool has_offline_plan_ = false;
  std::vector<std::string> inconsistencies_;
  bool attached_ = false;
  MemoryRegion arena_, persistent_arena_, head_;
  std::vector<MemoryRegion> temporaries_;
  const std::byte* temporary_high_ = nullptr;  // end of the highest temporary since the last reset
  std::vector<TailBlock> tail_;
  const std::byte* tail_begin_ = nullptr;
  const std::byte* head_start_ = nullptr;
  std::vector<PlanEntry> plan_;
  std::map<std::size_t, std::size_t> announced_owners_;  // of the plan that comes next
  std::map<std::size_t, std::size_t> owners_;            // of the plan's buffers that share: whose bytes they lie in
  std::uint64_t plan_count_ = 0;
  VariablePlaces variables_;  // since the last plan
  std::vector<Running> running_;
  bool runtime_works_ = false;
  std::map<std::tuple<OperatorPhase, std::int32_t, std::int32_t>, std::uint64_t> begin_counts_;
};

}  // namespace arenaproof
