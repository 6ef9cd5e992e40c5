// The instrument that runs on a device: whatever is closed to the running operator is overwritten while its code runs,
// and looked at, and put back, when it stops. It needs no tool, no heap and no help from the compiler, sees writes that
// left another byte behind, and sees no reads. On hosts CanaryInstrument does the same with the same functions.
//
//   Memory is the application's: for each byte that is watched one for its copy, a list for the operands of operators
//   that run (an operator has up to 64 operands, in prepare with two lists of quantisation each, and 64 blocks), and a
//   list for what is found. Regions are apart; they hold the arena, or both, and may hold bytes around them that nobody
//   else uses, so that writes there are seen too. While an operator runs nothing else may touch a watched byte, such as
//   an interrupt that fills an input.
//   It is the observer of one interpreter (InterpreterOptions::observer). On attach it makes planted accesses in the
//   first region that is large enough, which it puts back; status() is kInstrumentBlind when it does not see them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "core/model/call_tree.h"
#include "sanitizers/device/covered_bytes.h"
#include "sanitizers/device/illegal_runs.h"

namespace arenaproof {

// Adjoining bytes that an operator changed and had no right to write, as far as they are charged to one operand.
struct CanaryFinding {
  std::int32_t subgraph = -1, operator_index = -1;
  OperatorPhase phase = OperatorPhase::kInvoke;
  const char* operator_name = "";
  const char* kernel_name = "";
  OperandRange operand;  // data null: the operator has none
  IllegalRun run;
};

struct CanaryMemory {
  std::span<const CoveredRegion> regions;
  std::span<OperandRange> operands;
  std::span<CanaryFinding> findings;
};

class DeviceCanary final : public ArenaObserver {
 public:
  explicit DeviceCanary(const CanaryMemory& given) : memory_(given) {}

  // Whether its word counts: ok, or kInstrumentBlind with how many planted writes it missed, of how many, and how many
  // legal ones it reported; all 0 where a region is none, or the arena is not in the regions.
  const Status& status() const { return status_; }
  // What was found, the first of it where the list is full.
  std::span<const CanaryFinding> findings() const {
    return memory_.findings.first(finding_count_ < memory_.findings.size() ? finding_count_ : memory_.findings.size());
  }
  std::size_t finding_count() const { return finding_count_; }
  // How many times an operator's code ran watched from begin to end; how many times not, for want of memory for its
  // operands.
  std::size_t watched_count() const { return watched_count_; }
  std::size_t unwatched_count() const { return unwatched_count_; }

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override;
  void OnHeadResized(MemoryRegion) override {}
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnTemporariesReset() override;
  void OnTailAllocated(MemoryRegion block) override;
  void OnTailRewound(const std::byte* tail_begin) override;
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override {}
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override;
  void OnRuntimeEnters() override;
  void OnRuntimeLeaves() override;
  void OnDetach() override;

 private:
  // Whose code runs: none's, the operator's, or the runtime's that the operator has called.
  enum class Running : std::uint8_t { kNone, kOperator, kRuntime };

  // An operator that runs. Those of a subgraph that it calls stand behind it, and so do their operands in the list.
  struct Frame {
    CanaryFinding named;
    std::size_t first_operand = 0;
    bool watched = true;
  };

  Frame& innermost() { return frames_[depth_ - 1]; }
  std::span<OperandRange> open() {
    const std::size_t first = innermost().first_operand;
    return memory_.operands.subspan(first, operand_count_ - first);
  }
  bool Watches(MemoryRegion region) const;
  bool RegionsAreApart() const;
  void Add(const OperandRange& operand);
  void Give(OperandKind kind, MemoryRegion block);
  void Cover();
  void Uncover();
  void Report(MemoryRegion changed);
  void RunSelfTest();

  const CanaryMemory memory_;
  Status status_ = Failure(StatusCode::kInstrumentBlind);
  Running running_ = Running::kNone;
  std::array<Frame, kMaxCallDepth> frames_{};
  std::size_t depth_ = 0, operand_count_ = 0;
  std::size_t finding_count_ = 0, watched_count_ = 0, unwatched_count_ = 0;
};

}  // namespace arenaproof
