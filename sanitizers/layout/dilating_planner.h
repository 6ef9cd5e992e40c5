// Any planner's plan with room between the buffers: what the runtime is given as its planner when a model is checked in
// the dilated layout. The arena has to be larger than the device's by what MaximumBytes is larger; its address modulo
// 64 has to be the device's.
//
// The workspace is the inner planner's and holds nothing else; the dilated plan lives on the host's heap. It is made
// when first asked for, from a certified faithful plan: one that the certifier refuses is refused here with the
// certifier's status. Of a planner that preserves all tensors, the dilated plan does so too.
#pragma once

#include <string>
#include <vector>

#include "core/planner/memory_planner.h"
#include "core/planner/placed_buffer.h"
#include "sanitizers/layout/dilated_layout.h"

namespace arenaproof {

class DilatingPlanner final : public MemoryPlanner {
 public:
  // `trust_offline`: offline buffers may share bytes with each other, and then move together.
  explicit DilatingPlanner(MemoryPlanner& inner, bool trust_offline = false);

  Status Init(std::span<std::byte> workspace) override;
  std::size_t WorkspaceBytes(std::size_t buffer_count) const override { return inner_.WorkspaceBytes(buffer_count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                   std::int64_t offline_offset = kOnline) override;
  std::size_t BufferCount() const override { return inner_.BufferCount(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override;
  Status OffsetOf(std::size_t index, std::size_t* offset) override;
  const char* name() const override { return name_.c_str(); }  // "greedy, dilated"
  bool supports_offline() const override { return inner_.supports_offline(); }
  bool moves_fixed_offsets() const override { return true; }
  bool preserves_all_tensors() const override { return inner_.preserves_all_tensors(); }

  // These belong to the last plan that was asked for.
  std::span<const PlacedBuffer> faithful() const { return faithful_; }
  std::size_t faithful_bytes() const { return faithful_bytes_; }
  const DilatedLayout& dilated() const { return dilated_; }

 private:
  Status MakePlan();

  MemoryPlanner& inner_;
  const bool trust_offline_;
  const std::string name_;
  std::vector<PlacedBuffer> faithful_;
  std::size_t faithful_bytes_ = 0;
  DilatedLayout dilated_;
  bool plan_is_current_ = true;
};

}  // namespace arenaproof
