// Asks a set-up which buffers of its model may share bytes, and lets none of them: what the arena planner's rules
// choose (tools/model/model_sharing.h), and all that a certificate has to know about any other choice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/runtime/planning/buffer_sharing_source.h"
#include "tools/model/model_arena_planner.h"
#include "tools/model/model_sharing.h"
#include "tools/plans/labelled_problem.h"

namespace arenaproof {

class SharingQuestion final : public BufferSharingSource {
 public:
  // With `arena` the choice is that planner's, which plans on the way, and may choose to share nothing.
  explicit SharingQuestion(ModelArenaPlanner* arena = nullptr) : arena_(arena) {}

  // Of the last set-up; indices are those of its plan.
  const std::vector<BufferAlias>& chosen() const { return chosen_; }
  const SharingRules& rules() const { return rules_; }
  double seconds() const { return seconds_; }  // until it was chosen

  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override { return sharing_.BufferOfTensor(count); }
  // What ModelSharing or the arena planner answers; no aliases.
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override;

 private:
  ModelArenaPlanner* const arena_;
  ModelSharing sharing_;
  std::vector<BufferAlias> chosen_;
  SharingRules rules_;
  double seconds_ = 0;
};

}  // namespace arenaproof
