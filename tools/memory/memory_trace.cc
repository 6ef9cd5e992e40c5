#include "tools/memory/memory_trace.h"

#include <algorithm>

namespace arenaproof {

std::size_t TracedOperation::alignment_on(WordSize word) const {
  // A structure inside a block of plain alignment (a kernel's persistent buffer) keeps that alignment.
  if (plain() || alignment != element.alignment(kOwnWordSize)) return alignment;
  return element.alignment(word);
}

void MemoryTrace::OnShape(const StructureBytes& element, std::size_t count) {
  next_element_ = element;
  next_count_ = count;
}

void MemoryTrace::OnOperation(Operation operation, std::size_t size, std::size_t alignment) {
  Add(operation, size, alignment, false);
}

void MemoryTrace::Add(Operation operation, std::size_t size, std::size_t alignment, bool bookkeeping) {
  TracedOperation traced;
  traced.operation = operation;
  traced.alignment = alignment;
  traced.count = size;
  traced.asked_for = in_operator_ && !bookkeeping;
  traced.bookkeeping = bookkeeping;
  traced.subgraph = subgraph_;
  traced.operator_index = operator_index_;
  // Bytes that keep blocks apart have an alignment of 1 and no shape.
  if (Describe(operation).takes_size && alignment > 1 && next_element_.name[0] != '\0') {
    traced.element = next_element_;
    traced.count = next_count_;
    next_element_ = {};
  }
  operations_.push_back(traced);
}

void MemoryTrace::OnTemporaryAllocated(MemoryRegion block) { temporaries_[block.data] = operations_.size() - 1; }

void MemoryTrace::OnTemporaryFreed(const std::byte* address) {
  operations_.back().freed_operation = temporaries_.at(address);
}

void MemoryTrace::OnPlanCommitted(const std::byte*, std::span<const PlanEntry> plan) {
  plan_.assign(plan.begin(), plan.end());
  const auto block = std::find_if(operations_.rbegin(), operations_.rend(), [](const TracedOperation& traced) {
    return traced.operation == Operation::kAllocateTemporary;
  });
  block->planning = true;
  // What follows belongs to no operator.
  subgraph_ = operator_index_ = -1;
}

void MemoryTrace::OnOperatorBegins(const OperatorScope& scope) {
  if (scope.phase == OperatorPhase::kInvoke) return;
  subgraph_ = scope.subgraph;
  operator_index_ = scope.operator_index;
  in_operator_ = true;
}

}  // namespace arenaproof
