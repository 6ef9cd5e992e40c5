// Every movement of an arena's cursors while a model is set up, with what each was about, so that the same set-up can
// be repeated on cursors alone: in an arena of any size, at any address, and on a machine of another word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/arena/operation_table.h"
#include "core/arena/silent_observer.h"
#include "core/base/structure_bytes.h"
#include "core/runtime/planning/planning_bytes.h"

namespace arenaproof {

struct TracedOperation {
  Operation operation = Operation::kAllocatePersistent;
  std::size_t alignment = 0;
  // `count` structures; with an element of no name, bytes.
  StructureBytes element;
  std::size_t count = 0;
  // The operator whose init or prepare ran, or had just ended; -1: before the first and after the last.
  std::int32_t subgraph = -1;
  std::int32_t operator_index = -1;
  bool asked_for = false;           // that operator's code asked for it, while it ran
  bool bookkeeping = false;         // the runtime's own, on behalf of that operator
  bool planning = false;            // takes all bytes that are left, of which planning needs some
  std::size_t freed_operation = 0;  // the index of what a DeallocateTemporary frees

  // The block of planning, and the copy of an offline plan before it, are no operator's.
  bool temporary_of_operator() const {
    return operation == Operation::kAllocateTemporary && operator_index >= 0 && (asked_for || bookkeeping);
  }
  bool plain() const { return element.name[0] == '\0'; }
  std::size_t bytes(WordSize word) const { return plain() ? count : count * element.bytes(word); }
  // Plain bytes are aligned alike everywhere.
  std::size_t alignment_on(WordSize word) const;
};

class MemoryTrace final : public SilentObserver {
 public:
  const std::vector<TracedOperation>& operations() const { return operations_; }
  const std::vector<PlanEntry>& plan() const { return plan_; }
  const std::vector<BufferAlias>& sharing() const { return sharing_; }

  void OnShape(const StructureBytes& element, std::size_t count) override;
  void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override;
  ArenaObserver* DuringBookkeeping() override { return &bookkeeping_; }
  void OnTemporaryAllocated(MemoryRegion block) override;
  void OnTemporaryFreed(const std::byte* address) override;
  void OnBytesShared(std::span<const BufferAlias> aliases) override { sharing_.assign(aliases.begin(), aliases.end()); }
  void OnPlanCommitted(const std::byte* head_start, std::span<const PlanEntry> plan) override;
  void OnOperatorBegins(const OperatorScope& scope) override;
  void OnOperatorEnds() override { in_operator_ = false; }

 private:
  // Receives the movements of bookkeeping, which are not announced.
  class BookkeepingObserver final : public SilentObserver {
   public:
    explicit BookkeepingObserver(MemoryTrace& trace) : trace_(trace) {}
    void OnShape(const StructureBytes& element, std::size_t count) override { trace_.OnShape(element, count); }
    void OnOperation(Operation operation, std::size_t size, std::size_t alignment) override {
      trace_.Add(operation, size, alignment, true);
    }
    ArenaObserver* DuringBookkeeping() override { return this; }
    void OnTemporaryAllocated(MemoryRegion block) override { trace_.OnTemporaryAllocated(block); }
    void OnTemporaryFreed(const std::byte* address) override { trace_.OnTemporaryFreed(address); }

   private:
    MemoryTrace& trace_;
  };

  void Add(Operation operation, std::size_t size, std::size_t alignment, bool bookkeeping);

  BookkeepingObserver bookkeeping_{*this};
  std::vector<TracedOperation> operations_;
  std::vector<PlanEntry> plan_;
  std::vector<BufferAlias> sharing_;
  std::map<const std::byte*, std::size_t> temporaries_;  // the operation that each came from
  StructureBytes next_element_;
  std::size_t next_count_ = 0;
  std::int32_t subgraph_ = -1;
  std::int32_t operator_index_ = -1;
  bool in_operator_ = false;
};

}  // namespace arenaproof
