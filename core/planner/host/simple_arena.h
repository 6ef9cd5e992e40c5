// The simple memory arena of TensorFlow Lite: offsets are planned for tensors with known lifetimes, each in the
// smallest gap that fits it (growing_operations.h), and one block of memory grows to hold the plan.
//
// A place is searched past every active allocation in turn, as the definition has it: n of them take n^2 steps.
//
// Use without memory: a planner that only wants offsets calls Allocate() and high_water() and never commits.
//
// Every change happens in growing_operations.h; this class binds it to real memory and turns a refusal into a Status.
// Sizes and alignments are bytes, offsets are from the memory's aligned start, nodes are in execution order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/planner/host/allocation_record.h"
#include "core/planner/host/growing_table.h"
#include "core/planner/host/resizable_buffer.h"

namespace arenaproof {

using Allocation = AllocationRecord<std::size_t>;

inline constexpr std::size_t kArenaAlignment = 64;  // of the reference's arenas

class SimpleArena {
 public:
  explicit SimpleArena(std::size_t alignment = kArenaAlignment, int subgraph = 0, const AlignedMemory& memory = {},
                       ArenaMemoryListener* listener = nullptr);

  // Plans a place for `tensor` while [first, last] runs and writes its record. A size of 0 gets offset 0 and takes no
  // room. Failures change nothing, the record neither: kHostNullAnswer; kHostArenaAlignment (asked for, the arena's);
  // kHostArenaOverflow (bytes, alignment). May throw std::bad_alloc, and has then changed nothing.
  Status Allocate(std::size_t alignment, std::size_t bytes, std::int32_t tensor, std::int32_t first, std::int32_t last,
                  Allocation* record);

  // Makes the memory as large as the plan; contents stay. *moved: pointers are stale. As ResizableBuffer::Resize; after
  // a failure memory and plan are as before, and nothing resolves until a commit succeeds.
  Status Commit(bool* moved);

  // The address of a record; null for one of 0 bytes. kHostNullAnswer, kHostArenaNotCommitted (bytes planned, bytes of
  // memory), kHostArenaOutside (offset, bytes, bytes of memory).
  Status Resolve(const Allocation& record, std::byte** address) const;

  void ClearPlan();         // no allocation, high water 0; memory stays
  void ReleaseBuffer();     // memory goes, the plan stays
  void ResetAllocations();  // forgets the active allocations; high water stays
  void PurgeActive(std::int32_t node);
  void PurgeAfter(std::int32_t node);
  void CalculateActive(std::span<const Allocation> records, std::int32_t node);

  const GrowingState<std::size_t>& state() const { return state_; }
  std::span<const Allocation> active() const { return state_.active; }
  std::size_t high_water() const { return state_.high_water; }
  std::size_t buffer_bytes() const { return buffer_.bytes(); }
  std::byte* base() const { return buffer_.data(); }

  // Takes an earlier plan back, over whatever memory there is now. Never fails.
  void Restore(GrowingState<std::size_t>&& plan);

 private:
  GrowingOutcome<std::size_t> Perform(GrowingOperation operation, const GrowingArguments<std::size_t>& arguments);
  Status Explain(GrowingRefusal refusal, const GrowingArguments<std::size_t>& arguments) const;

  ResizableBuffer buffer_;
  GrowingState<std::size_t> state_;
};

}  // namespace arenaproof
