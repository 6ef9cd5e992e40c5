// Who proposes which buffers of a model share bytes; a host's planner brings one, a device has none. What it proposes
// is checked, by the certifier and by sharing_check.h, before a plan is made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/buffer_alias.h"
#include "core/base/status.h"
#include "core/model/model_view.h"
#include "core/planner/placed_buffer.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

// Of a tensor that the head does not hold.
inline constexpr std::uint32_t kNoBuffer = UINT32_MAX;

class BufferSharingSource {
 public:
  // Memory for one number for each of `count` tensors, until the next call; fewer: there is none.
  virtual std::span<std::uint32_t> BufferOfTensor(std::size_t count) = 0;

  // The sharing of `buffers`, which have lifetimes, bytes and marks, and no offsets yet. `buffer_of_tensor`: the
  // numbers by concatenated tensor index, kNoBuffer or less than buffers.size(). *aliases stays in place until the next
  // call; its order and what JoinedGroups keeps there are changed.
  virtual Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                      std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) = 0;

 protected:
  ~BufferSharingSource() = default;
};

}  // namespace arenaproof
