// What an arena tells its observer, in order, as lines that can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/arena/observer.h"
#include "engine/cases/arena_call.h"

namespace arenaproof {

class EventLog final : public ArenaObserver {
 public:
  static std::string Granted(Operation operation, std::size_t size, std::size_t alignment) {
    return std::string("granted ") + Describe(operation).name + " of " + std::to_string(size) + " at " +
           std::to_string(alignment);
  }
  static std::string Of(const char* what, std::uintptr_t address, std::size_t bytes = 0) {
    return std::string(what) + " " + std::to_string(address) + ", " + std::to_string(bytes) + " bytes";
  }

  void OnHeadResized(MemoryRegion head) override { Add(Of("head", AddressOf(head.data), head.bytes)); }
  void OnTemporaryAllocated(MemoryRegion block) override { Add(Of("temporary", AddressOf(block.data), block.bytes)); }
  void OnTemporaryFreed(const std::byte* address) override { Add(Of("freed", AddressOf(address))); }
  void OnTemporariesReset() override { Add("reset"); }
  void OnTailAllocated(MemoryRegion block) override { Add(Of("tail", AddressOf(block.data), block.bytes)); }
  void OnTailRewound(const std::byte* tail_begin) override { Add(Of("rewound", AddressOf(tail_begin))); }
  void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override {
    Add(Granted(operation, size, alignment));
  }
  void OnAttach(const AttachedArena&, MemoryRegion) override { Add("attached"); }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry>) override { Add("plan"); }
  void OnOperatorBegins(const OperatorScope&) override { Add("operator begins"); }
  void OnOperatorEnds() override { Add("operator ends"); }
  void OnRuntimeEnters() override { Add("runtime enters"); }
  void OnRuntimeLeaves() override { Add("runtime leaves"); }
  void OnDetach() override { Add("detached"); }

  // Since the last time.
  std::vector<std::string> Take() { return std::exchange(lines_, {}); }

 private:
  static std::uintptr_t AddressOf(const std::byte* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
  void Add(std::string line) { lines_.push_back(std::move(line)); }

  std::vector<std::string> lines_;
};

}  // namespace arenaproof
