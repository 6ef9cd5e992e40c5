// Writes down every event of an arena as one line, in order, with addresses as offsets from the arena's first byte.
#pragma once

#include <string>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof::testing {

class EventLog : public ArenaObserver {
 public:
  std::vector<std::string> lines;
  std::vector<OperatorScope> scopes;  // operands: see ranges
  std::vector<std::vector<OperandRange>> ranges;
  std::vector<PlanEntry> plan;
  const std::byte* head_start = nullptr;
  std::vector<MemoryRegion> tail_blocks;
  std::vector<MemoryRegion> bracketed_tail_blocks;  // allocated while the running operator had called the runtime

  void OnAttach(const AttachedArena&, MemoryRegion) override { lines.emplace_back("attach"); }
  void OnHeadResized(MemoryRegion head) override { lines.emplace_back("head " + std::to_string(head.bytes)); }
  void OnTemporaryAllocated(MemoryRegion block) override {
    lines.emplace_back("temporary " + std::to_string(block.bytes));
  }
  void OnTemporaryFreed(const std::byte*) override { lines.emplace_back("free"); }
  void OnTemporariesReset() override { lines.emplace_back("reset"); }
  void OnTailAllocated(MemoryRegion block) override {
    tail_blocks.push_back(block);
    if (in_bracket_) bracketed_tail_blocks.push_back(block);
    lines.emplace_back("tail");
  }
  void OnTailRewound(const std::byte*) override { lines.emplace_back("rewind"); }
  void OnPlanCommitted(const std::byte* start, std::span<const PlanEntry> committed) override {
    head_start = start;
    plan.assign(committed.begin(), committed.end());
    lines.emplace_back("plan " + std::to_string(committed.size()));
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    static const char* const kPhases[] = {"init", "prepare", "invoke"};
    scopes.push_back(scope);
    ranges.emplace_back(scope.operands.begin(), scope.operands.end());
    lines.emplace_back(std::string("begin ") + kPhases[static_cast<int>(scope.phase)] + " " +
                       std::to_string(scope.operator_index));
  }
  void OnOperatorEnds() override { lines.emplace_back("end"); }
  void OnRuntimeEnters() override {
    in_bracket_ = true;
    lines.emplace_back("enter");
  }
  void OnRuntimeLeaves() override {
    in_bracket_ = false;
    lines.emplace_back("leave");
  }
  void OnDetach() override { lines.emplace_back("detach"); }

  // The lines that do not begin with `prefix`.
  std::vector<std::string> Without(const std::string& prefix) const {
    std::vector<std::string> kept;
    for (const std::string& line : lines) {
      if (line.rfind(prefix, 0) != 0) kept.push_back(line);
    }
    return kept;
  }

 private:
  bool in_bracket_ = false;
};

}  // namespace arenaproof::testing
