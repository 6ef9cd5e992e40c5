// Records every event of an arena as one line, in order, and what some events carry.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof::testing {

struct EventLogOptions {
  // Lines of blocks say where the block is: "tail 240+10", "free 48", as distances from `origin`. Else "tail", "free",
  // and of head and temporaries the size alone: "head 40".
  bool places = false;
  const std::byte* origin = nullptr;
  // Granted operations too, before their events.
  bool operations = false;
};

class EventLog : public ArenaObserver {
 public:
  explicit EventLog(const EventLogOptions& options = {}) : options_(options) {}

  // The lines of a log with places, for those who expect them.
  static std::string Place(const char* what, std::uintptr_t distance) {
    return std::string(what) + " " + std::to_string(distance);
  }
  static std::string Block(const char* what, std::uintptr_t distance, std::size_t bytes) {
    return Place(what, distance) + "+" + std::to_string(bytes);
  }
  static std::string Granted(Operation operation, std::size_t size, std::size_t alignment) {
    return std::string("granted ") + Describe(operation).name + " of " + std::to_string(size) + " at " +
           std::to_string(alignment);
  }

  std::vector<std::string> lines;
  std::vector<OperatorScope> scopes;  // operands: see ranges
  std::vector<std::vector<OperandRange>> ranges;
  std::vector<PlanEntry> plan;
  const std::byte* head_start = nullptr;
  std::vector<MemoryRegion> tail_blocks;
  std::vector<MemoryRegion> bracketed_tail_blocks;  // allocated while the running operator had called the runtime

  void OnAttach(const AttachedArena&, MemoryRegion) override { lines.emplace_back("attach"); }
  void OnHeadResized(MemoryRegion head) override { AddSized("head", head); }
  void OnTemporaryAllocated(MemoryRegion block) override { AddSized("temporary", block); }
  void OnTemporaryFreed(const std::byte* address) override { AddPlace("free", address); }
  void OnTemporariesReset() override { lines.emplace_back("reset"); }
  void OnTailAllocated(MemoryRegion block) override {
    tail_blocks.push_back(block);
    if (in_bracket_) bracketed_tail_blocks.push_back(block);
    lines.push_back(options_.places ? Block("tail", DistanceOf(block.data), block.bytes) : "tail");
  }
  void OnTailRewound(const std::byte* tail_begin) override { AddPlace("rewind", tail_begin); }
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
  void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override {
    if (options_.operations) lines.push_back(Granted(operation, size, alignment));
  }

  // The lines since the last time.
  std::vector<std::string> Take() { return std::exchange(lines, {}); }

  // The lines that do not begin with `prefix`.
  std::vector<std::string> Without(const std::string& prefix) const {
    std::vector<std::string> kept;
    for (const std::string& line : lines) {
      if (line.rfind(prefix, 0) != 0) kept.push_back(line);
    }
    return kept;
  }

 private:
  std::uintptr_t DistanceOf(const std::byte* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(options_.origin);
  }
  void AddSized(const char* what, MemoryRegion block) {
    lines.push_back(options_.places ? Block(what, DistanceOf(block.data), block.bytes) : Place(what, block.bytes));
  }
  void AddPlace(const char* what, const std::byte* address) {
    lines.push_back(options_.places ? Place(what, DistanceOf(address)) : what);
  }

  EventLogOptions options_;
  bool in_bracket_ = false;
};

}  // namespace arenaproof::testing
