// The offline plan of the model that is being allocated: which tensors it gives a place, the rules that need to know
// the tensors, and what it is warned about.
//
// A placed tensor is one with an entry other than -1 that is either a variable or needs planning (no memory yet, not
// zero bytes). Entries of all others are not used, whatever they hold. A variable has one home: the head when it is
// placed, else the tail; the entry is that of its index among the tensors of all subgraphs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/offline_plan.h"
#include "core/planner/placed_buffer.h"
#include "core/runtime/planning/offline_plan_listener.h"
#include "core/runtime/storage/each_tensor.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

class OfflinePlacement {
 public:
  // V4 to V12. Afterwards copied_offset_count() offsets have to be given room.
  Status Locate(const ModelView& model);
  std::size_t copied_offset_count() const { return copied_offset_count_; }

  // V14 to V18, on the one copy of the plan that counts from here on. `copy` stays in place as long as this object.
  Status Decode(const ModelView& model, const ModelAllocation& allocation, std::span<std::int32_t> copy);

  // V19: every placed tensor ends within the room for the head. With the tail's variables allocated.
  Status CheckRoom(const ModelAllocation& allocation, std::size_t head_room_bytes) const;

  bool present() const { return entry_.present; }
  std::size_t metadata_index() const { return entry_.metadata_index; }
  std::size_t placed_count() const { return placed_count_; }

  // A placed tensor's offset; kUnplaced for every other. An ordinary tensor counts as placed until it has an address.
  std::size_t OffsetOf(const EvalTensor& tensor, std::size_t concatenated) const {
    if (offsets_.empty() || !(tensor.variable || tensor.needs_planning())) return kUnplaced;
    return OffsetAt(concatenated);
  }
  // The plan's entry alone, whether the tensor is placed or not; kUnplaced for -1. There is a plan.
  std::size_t OffsetAt(std::size_t concatenated) const {
    const std::int32_t offset = offsets_[concatenated];
    return offset == kPlannedAtRunTime ? kUnplaced : static_cast<std::size_t>(offset);
  }
  bool Places(const EvalTensor& tensor, std::size_t concatenated) const {
    return OffsetOf(tensor, concatenated) != kUnplaced;
  }

  // visit(TensorNumber, const EvalTensor&, std::size_t offset) -> Status; the first failure ends the walk.
  template <typename Visit>
  Status ForEachPlacedTensor(const ModelAllocation& allocation, Visit visit) const {
    return ForEachTensor(allocation, [&](const TensorNumber& number, const EvalTensor& tensor) -> Status {
      const std::size_t offset = OffsetOf(tensor, number.concatenated);
      return offset == kUnplaced ? Ok() : visit(number, tensor, offset);
    });
  }

  // Refuses offsets that will not be used: V22, when `strict`, those of constants; V24 those of tensors that the
  // application gives memory (checked at their registration already).
  Status RefuseUnusedOffsets(const ModelAllocation& allocation, bool strict) const;

  // V25: variables in a head that several models use.
  void WarnOfSharedAllocator(const ModelAllocation& allocation);

  // Gathers V3, V4, V22, V24 and V30; the others are added where they are found, in whatever order.
  void FindWarnings(const ModelView& model, const ModelAllocation& allocation);
  void AddWarning(const Status& warning);
  // All warnings, in the order of the rules.
  std::span<const Status> warnings() const { return {warnings_.data(), warning_count_}; }

 private:
  OfflinePlanEntry entry_;
  std::size_t copied_offset_count_ = 0;
  std::span<const std::int32_t> offsets_;
  std::size_t placed_count_ = 0;
  std::array<Status, 8> warnings_{};  // at most one for each rule that warns
  std::size_t warning_count_ = 0;
};

}  // namespace arenaproof
