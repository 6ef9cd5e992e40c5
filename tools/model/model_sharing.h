// Which tensors of a model share bytes, by the rules of the arena planner (core/planner/host/buffer_sharing.h), each
// subgraph by itself. Operators of a subgraph that is called from more than one place share nothing: what is dead on
// the way to one caller may be needed on the way to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/runtime/planning/buffer_sharing_source.h"
#include "tools/planner/given_plan_planner.h"

namespace arenaproof {

// Of the sharing that rules allow, what a plan makes use of: buffer and source have one offset. For a buffer beyond the
// plan there is none.
void KeepThoseTogether(std::span<const std::int64_t> offsets, std::vector<BufferAlias>& aliases);

// Sets the owners: the ends of the ways along the sources.
void FindOwners(std::size_t buffer_count, std::vector<BufferAlias>& aliases);

class ModelSharing final : public BufferSharingSource {
 public:
  // With a given plan only those buffers share that it puts in one place, and the planner, which has to outlive this,
  // is told which of its offsets are of buffers that share.
  explicit ModelSharing(GivenPlanPlanner* given = nullptr) : given_(given) {}

  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override;
  // kHostPlannerMemory (tensors), and what CheckGraph answers.
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override;

 private:
  Status FindAll(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                 std::span<const std::uint32_t> buffer_of_tensor);
  Status FindInSubgraph(const ModelAllocation& allocation, std::size_t subgraph, std::span<const PlacedBuffer> buffers,
                        std::span<const std::uint32_t> buffer_of_tensor, bool shares);

  GivenPlanPlanner* const given_;
  std::vector<std::uint32_t> buffer_of_tensor_;
  std::vector<BufferAlias> aliases_;
};

}  // namespace arenaproof
