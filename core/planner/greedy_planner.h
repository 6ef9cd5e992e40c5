// The greedy planner of the micro runtime, offset for offset (invariants P1..P9, P11 of the planners' specification):
// buffers fixed offline are put first, in the order added; then the others, largest first, of equal sizes the one added
// later first. Each goes to the lowest gap between the placed buffers that conflict with it in time (an exact fit
// fits). Fixed buffers may lie anywhere, other buffers never overlap what conflicts with them.
//
// The plan is made when first asked for after an AddBuffer; repeated queries agree. Sorting compares nothing, O(n) for
// each digit. Each buffer looks at those that are placed, O(n * n) steps over consecutive numbers, of which it leaves
// out what earlier ones of nearly its size have found full; of many buffers of which few live together each looks at
// those only, O((n + pairs) log n). The offsets are the same. In place, without heap. The workspace is 28 bytes for
// each of few buffers on 64 bits and 20 on 32, of 64 and more 36 and 28 (the reference's: 40).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/structure_bytes.h"
#include "core/planner/buffer_columns.h"
#include "core/planner/memory_planner.h"

namespace arenaproof {

class GreedyPlanner final : public MemoryPlanner {
 public:
  // The workspace holds columns of `capacity` rows, from the first address that is aligned for a word. With `length`
  // the bytes from there, capacity = floor(length / kBytesPerBuffer) below kRoomFrom buffers.
  static constexpr std::size_t kBytesPerBuffer = BufferColumns::BytesPerRow(kOwnWordSize, false);
  // A workspace for so many buffers or more has room for lifetimes in the order of offsets, and
  // capacity = floor(length / kBytesPerBufferWithRoom).
  static constexpr std::size_t kRoomFrom = 64;
  static constexpr std::size_t kBytesPerBufferWithRoom = BufferColumns::BytesPerRow(kOwnWordSize, true);

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
    *offset = Rows().offset[index];
    return Ok();
  }
  std::span<const std::byte> object_bytes() const override {
    return std::as_bytes(std::span<const GreedyPlanner, 1>(this, 1));
  }
  const char* name() const override { return "greedy"; }
  bool supports_offline() const override { return true; }
  bool preserves_all_tensors() const override { return false; }

  std::size_t capacity() const { return capacity_; }

  // What a workspace that starts aligned has to have, on a machine of that word.
  static constexpr std::size_t AlignedWorkspaceBytes(std::size_t buffer_count, WordSize word) {
    return buffer_count * BufferColumns::BytesPerRow(word, buffer_count >= kRoomFrom);
  }

 private:
  // What the virtual functions do, out of line. They themselves are all inline, so that this class has no key function
  // and code built with RTTI can use it although core is built without.
  Status Start(std::span<std::byte> workspace);
  static std::size_t BytesFor(std::size_t buffer_count);
  Status Add(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offline_offset);
  Status MakePlan();
  std::size_t PlaceRows(const BufferColumns& rows);
  bool FewLiveTogether(const BufferColumns& rows) const;

  BufferColumns Rows() const { return BufferColumns::At(start_, capacity_, has_room_); }

  std::byte* start_ = nullptr;  // of the columns
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
  std::size_t maximum_bytes_ = 0;
  bool plan_is_current_ = true;
  bool has_room_ = false;
};
ARENAPROOF_PIN_BYTES(GreedyPlanner, 48, 8, 24, 4);

}  // namespace arenaproof
