// Passes an interpreter's events to the instrument and keeps, beside it, what the report says about the plan and the
// operators: blind pairs, operands that the instrument cannot judge to the byte.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/access_instrument.h"

namespace arenaproof {

class CheckingObserver final : public ArenaObserver {
 public:
  struct Pair {
    std::int32_t subgraph, operator_index;
    std::string operator_name;
    OperandRange first, second;
    std::int64_t distance_bytes;  // negative: they overlap by so many
  };
  struct NotExact {
    std::int32_t subgraph, operator_index;
    std::string operator_name;
    OperandRange operand;
    std::size_t blind_before_bytes, blind_after_bytes;
  };

  // Without one events are only kept.
  void Use(AccessInstrument* instrument) { instrument_ = instrument; }

  const std::vector<PlannedBuffer>& plan() const { return plan_; }
  // Of each operator's first invoke.
  const std::vector<Pair>& blind_pairs() const { return pairs_; }
  const std::vector<NotExact>& not_exact() const { return not_exact_; }

  void OnAttach(MemoryRegion arena, MemoryRegion model) override;
  void OnHeadResized(MemoryRegion head) override;
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnTemporariesReset() override;
  void OnTailAllocated(MemoryRegion block) override;
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlannedBuffer> plan) override;
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override;
  void OnRuntimeEnters() override;
  void OnRuntimeLeaves() override;
  void OnDetach() override;

 private:
  void Inspect(const OperatorScope& scope);

  AccessInstrument* instrument_ = nullptr;
  std::vector<PlannedBuffer> plan_;
  std::vector<Pair> pairs_;
  std::vector<NotExact> not_exact_;
  std::map<std::pair<std::int32_t, std::int32_t>, bool> inspected_;
};

}  // namespace arenaproof
