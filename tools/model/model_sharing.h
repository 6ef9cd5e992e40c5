// Which tensors of a model share bytes: by the rules of the arena planner (core/planner/host/buffer_sharing.h), each
// subgraph by itself, or as the places of a given plan show it. By those rules operators of a subgraph that is called
// from more than one place share nothing: what is dead on the way to one caller may be needed on the way to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/runtime/planning/buffer_sharing_source.h"
#include "tools/planner/given_plan_planner.h"

namespace arenaproof {

// Who shares in a plan that does not say it: of what operators allow (AllowedByOperators()), all that lies in one
// place. What is kept, and what is never alive, shares with none; whether the rest is right is the certifier's to say.
// Buffers beyond the plan share with none.
std::vector<BufferAlias> SharingOfPlaces(std::span<const BufferAlias> allowed, std::span<const PlacedBuffer> buffers,
                                         std::span<const std::int64_t> offsets);

// Sets the owners: the ends of the ways along the sources.
void FindOwners(std::size_t buffer_count, std::vector<BufferAlias>& aliases);

class ModelSharing final : public BufferSharingSource {
 public:
  // With a given plan those buffers share that it puts in one place, or none without `shares`, and the planner, which
  // has to outlive this, is told which of its offsets are of buffers that share.
  explicit ModelSharing(GivenPlanPlanner* given = nullptr, bool shares = true) : given_(given), shares_(shares) {}

  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override;
  // Of the last set-up.
  std::span<const std::uint32_t> buffer_of_tensor() const { return buffer_of_tensor_; }
  // kHostPlannerMemory (tensors), what CheckGraph answers, and kPlanMisaligned of a given plan, before anything is said
  // about who shares.
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override;

 private:
  Status FindAll(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                 std::span<const std::uint32_t> buffer_of_tensor);
  Status FindGiven(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                   std::span<const std::uint32_t> buffer_of_tensor);
  Status FindInSubgraph(const ModelAllocation& allocation, std::size_t subgraph, std::span<const PlacedBuffer> buffers,
                        std::span<const std::uint32_t> buffer_of_tensor, bool shares);

  GivenPlanPlanner* const given_;
  const bool shares_;
  std::vector<std::uint32_t> buffer_of_tensor_;
  std::vector<BufferAlias> aliases_;
};

}  // namespace arenaproof
