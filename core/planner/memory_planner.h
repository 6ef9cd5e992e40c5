// The contract of every planner of the head: a list of buffers with lifetimes goes in, one offset for each comes out.
//
// Buffers are numbered in the order of AddBuffer. A lifetime [first, last] is closed at both ends: two buffers conflict
// in time unless one starts after the other has ended. Byte ranges [offset, offset + bytes) are half-open. Planners
// never align: the caller rounds sizes up to 16, so that online offsets are multiples of 16 provided the offline ones
// are. Nobody trusts a planner: core/planner/certifier.h checks what it made.
//
// Sizes and offsets have the width of std::size_t; a sum that does not fit is a failure, never a wrapped value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/status.h"

namespace arenaproof {

// The offline offset of a buffer that the planner has to place.
inline constexpr std::int64_t kOnline = -1;

class MemoryPlanner {
 public:
  // Starts with an empty plan, whatever was planned before. The planner keeps its records and the plan itself in
  // `workspace` (any alignment): queries are valid until the workspace is reused or released.
  virtual Status Init(std::span<std::byte> workspace) = 0;

  // A workspace of this many bytes, at any address, holds `buffer_count` buffers. SIZE_MAX when no workspace can.
  virtual std::size_t WorkspaceBytes(std::size_t buffer_count) const = 0;

  // `offline_offset`: kOnline, or where the buffer has to lie (never changed, never checked against other buffers).
  // Fails with kPlannerTooManyBuffers when the workspace is full, with kPlannerOfflineOffset when the offset is
  // negative or the planner places every buffer itself.
  virtual Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                           std::int64_t offline_offset = kOnline) = 0;

  virtual std::size_t BufferCount() const = 0;

  // The largest offset + bytes; 0 for an empty plan. Not const: plans may be made when first asked for. Fails with
  // kPlannerOverflow when some offset + bytes does not fit.
  virtual Status MaximumBytes(std::size_t* maximum_bytes) = 0;

  // Fails with kPlannerBufferIndex unless index < BufferCount(), and like MaximumBytes.
  virtual Status OffsetOf(std::size_t index, std::size_t* offset) = 0;

  // "greedy", for reports.
  virtual const char* name() const = 0;
  virtual bool supports_offline() const = 0;
  // Fixed offsets are not kept but mapped (a checking layout that spreads buffers); a device's planner never does that.
  virtual bool moves_fixed_offsets() const { return false; }
  // The planner's own object, when it lies in the arena whose head it plans: what it may touch beside its workspace.
  virtual std::span<const std::byte> object_bytes() const { return {}; }
  // No two buffers share a byte, so every tensor keeps its value until the next invoke.
  virtual bool preserves_all_tensors() const = 0;

 protected:
  ~MemoryPlanner() = default;
};

}  // namespace arenaproof
