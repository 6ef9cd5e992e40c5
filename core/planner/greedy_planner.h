// The greedy planner of the micro runtime, offset for offset (invariants P1..P9, P11 of the planners' specification):
// buffers fixed offline are put first, in the order added; then the others, largest first, of equal sizes the one added
// later first. Each goes to the lowest gap between the placed buffers that conflict with it in time (an exact fit
// fits). Fixed buffers may lie anywhere, other buffers never overlap what conflicts with them.
//
// The plan is made when first asked for after an AddBuffer; repeated queries agree. Sorting takes O(n log n) compares,
// placing O(n * n) steps without pointer chasing; both in place and without heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/structure_bytes.h"
#include "core/planner/memory_planner.h"

namespace arenaproof {

class GreedyPlanner final : public MemoryPlanner {
 public:
  // The workspace holds an array of records and one of order entries, both of `capacity` elements, from the first
  // address that is aligned for a record. With `length` the bytes from there, capacity = floor(length /
  // kBytesPerBuffer).
  struct Record {
    std::size_t bytes;
    std::size_t offset;  // fixed: given; online: result
    std::int32_t first;
    std::int32_t last;
  };
  friend ARENAPROOF_PIN_BYTES(Record, 24, 8, 16, 4);
  static constexpr std::size_t kBytesPerBuffer = sizeof(Record) + sizeof(std::uint32_t);

  Status Init(std::span<std::byte> workspace) override { return Start(workspace); }
  std::size_t WorkspaceBytes(std::size_t buffer_count) const override { return BytesFor(buffer_count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                   std::int64_t offline_offset = kOnline) override {
    return Add(bytes, first, last, offline_offset);
  }
  std::size_t BufferCount() const override { return count_; }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    ARENAPROOF_RETURN_IF_ERROR(MakePlan());
    *maximum_bytes = maximum_bytes_;
    return Ok();
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    if (index >= count_) return Failure(StatusCode::kPlannerBufferIndex, index, count_);
    ARENAPROOF_RETURN_IF_ERROR(MakePlan());
    *offset = records_[index].offset;
    return Ok();
  }
  const char* name() const override { return "greedy"; }
  bool supports_offline() const override { return true; }
  bool preserves_all_tensors() const override { return false; }

  std::size_t capacity() const { return capacity_; }

  // What a workspace that starts aligned has to have, on a machine of that word.
  static constexpr std::size_t AlignedWorkspaceBytes(std::size_t buffer_count, WordSize word) {
    return buffer_count * (BytesOf<Record>().bytes(word) + sizeof(std::uint32_t));
  }

 private:
  // What the virtual functions do, out of line. They themselves are all inline, so that this class has no key function
  // and code built with RTTI can use it although core is built without.
  Status Start(std::span<std::byte> workspace);
  static std::size_t BytesFor(std::size_t buffer_count);
  Status Add(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset);
  Status MakePlan();
  void SortIntoPlacementOrder();
  Status FindOffset(std::uint32_t index, std::size_t placed_count, std::size_t* offset) const;
  void InsertByOffset(std::uint32_t entry, std::size_t placed_count);

  Record* records_ = nullptr;
  // Buffer index, plus kOnlineBit where the planner chooses the offset. While a plan is made the front holds the placed
  // buffers by offset and the rest what is still to be placed, in placement order.
  std::uint32_t* entries_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
  std::size_t maximum_bytes_ = 0;
  bool plan_is_current_ = true;
};
ARENAPROOF_PIN_BYTES(GreedyPlanner, 56, 8, 28, 4);

}  // namespace arenaproof
