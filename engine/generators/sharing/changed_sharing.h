// The sharing that the tools propose for a model, with one thing about it changed: a link more, which may be wrong for
// any reason or right; one less; a field of one that says something else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/planning/buffer_sharing_source.h"
#include "engine/generators/random_source.h"
#include "tools/model/model_sharing.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

class ChangedSharing final : public BufferSharingSource {
 public:
  // Both outlive this.
  ChangedSharing(const ModelBuilder& model, RandomSource& random) : model_(model), random_(random) {}

  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override { return proposed_.BufferOfTensor(count); }
  Status Find(const ModelView& model, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override;

  // What the runtime was given, as it was.
  const std::vector<BufferAlias>& list() const { return list_; }
  const std::vector<std::uint32_t>& buffer_of_tensor() const { return buffer_of_tensor_; }

 private:
  void Change();
  unsigned FlagsOf(const OperatorSpec& op) const;  // of its kernel
  void AddLink();
  void ChangeField(BufferAlias& alias);
  void NameOwners();
  std::uint32_t AnyBuffer();

  const ModelBuilder& model_;
  RandomSource& random_;
  ModelSharing proposed_;
  std::vector<BufferAlias> list_;
  std::vector<BufferAlias> given_;
  std::vector<std::uint32_t> buffer_of_tensor_;
};

// A line for each.
std::string SharingListText(std::span<const BufferAlias> list);

}  // namespace arenaproof::testing
