#include "core/runtime/planning/offline_placement.h"

#include <algorithm>

#include "core/base/alignment.h"
#include "core/base/byte_size.h"

namespace arenaproof {
namespace {

constexpr std::uint64_t kLargestEnd = INT32_MAX;

// The first sixteen characters in two numbers.
Status WithName(StatusCode code, std::size_t index, std::size_t count, std::string_view name) {
  std::uint64_t words[2] = {};
  for (std::size_t i = 0; i < std::min<std::size_t>(name.size(), 16); ++i) {
    words[i / 8] |= std::uint64_t{static_cast<unsigned char>(name[i])} << (8 * (i % 8));
  }
  return Failure(code, index, count, words[0], words[1]);
}

// A variable's file data is dropped; where there are no bytes there is nothing to place.
bool IsUnplannedConstant(const EvalTensor& tensor) { return tensor.constant && !tensor.variable && tensor.bytes != 0; }

// One of several alike: the first is named, detail 3 counts them.
void Count(Status& warning, StatusCode code, std::size_t metadata_index, const TensorNumber& number,
           std::int32_t offset) {
  if (warning.ok()) {
    warning = Failure(code, metadata_index, TensorPlace(number.subgraph, number.tensor), std::int64_t{offset}, 0);
  }
  ++warning.detail[3];
}

}  // namespace

Status OfflinePlacement::Locate(const ModelView& model) {
  ARENAPROOF_RETURN_IF_ERROR(LocateOfflinePlan(model, &entry_));
  if (!entry_.present) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(CheckOfflinePlanLength(model, entry_));
  copied_offset_count_ = model.total_tensor_count();
  return Ok();
}

Status OfflinePlacement::Decode(const ModelView& model, const ModelAllocation& allocation,
                                std::span<std::int32_t> copy) {
  if (!entry_.present) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(DecodeOfflinePlan(model, entry_, copy));
  offsets_ = copy;
  ARENAPROOF_RETURN_IF_ERROR(
      ForEachPlacedTensor(allocation, [&](const TensorNumber& number, const EvalTensor&, std::size_t offset) {
        ++placed_count_;
        if (offset % kTensorAlignment == 0) return Ok();
        return Failure(StatusCode::kOfflinePlanMisaligned, entry_.metadata_index,
                       TensorPlace(number.subgraph, number.tensor), offset);
      }));
  return ForEachPlacedTensor(allocation,
                             [&](const TensorNumber& number, const EvalTensor& tensor, std::size_t offset) -> Status {
                               std::size_t bytes = 0;
                               ARENAPROOF_RETURN_IF_ERROR(RoundUp16(tensor.bytes, &bytes));
                               if (bytes <= kLargestEnd && std::uint64_t{offset} <= kLargestEnd - bytes) return Ok();
                               return Failure(StatusCode::kOfflinePlanOffsetOverflow, entry_.metadata_index,
                                              TensorPlace(number.subgraph, number.tensor), offset, bytes);
                             });
}

Status OfflinePlacement::CheckRoom(const ModelAllocation& allocation, std::size_t head_room_bytes) const {
  if (placed_count_ == 0) return Ok();
  return ForEachPlacedTensor(allocation,
                             [&](const TensorNumber& number, const EvalTensor& tensor, std::size_t offset) -> Status {
                               std::size_t bytes = 0;
                               ARENAPROOF_RETURN_IF_ERROR(RoundUp16(tensor.bytes, &bytes));
                               if (offset + bytes <= head_room_bytes) return Ok();
                               return Failure(StatusCode::kOfflinePlanOutsideHead, entry_.metadata_index,
                                              TensorPlace(number.subgraph, number.tensor),
                                              std::uint64_t{offset} << 32 | bytes, head_room_bytes);
                             });
}

Status OfflinePlacement::RefuseUnusedOffsets(const ModelAllocation& allocation, bool strict) const {
  if (offsets_.empty()) return Ok();
  const auto refuse = [&](StatusCode code, auto concerns) {
    return ForEachTensor(allocation, [&](const TensorNumber& number, const EvalTensor& tensor) {
      const std::int32_t offset = offsets_[number.concatenated];
      if (offset == kPlannedAtRunTime || !concerns(tensor)) return Ok();
      return Failure(code, entry_.metadata_index, TensorPlace(number.subgraph, number.tensor), std::int64_t{offset});
    });
  };
  if (strict) ARENAPROOF_RETURN_IF_ERROR(refuse(StatusCode::kOfflinePlanConstantTensor, IsUnplannedConstant));
  return refuse(StatusCode::kOfflinePlanSuppliedTensor, [](const EvalTensor& tensor) { return tensor.preallocated; });
}

void OfflinePlacement::WarnOfSharedAllocator(const ModelAllocation& allocation) {
  Status warning;
  const Status walked =
      ForEachPlacedTensor(allocation, [&](const TensorNumber& number, const EvalTensor& tensor, std::size_t offset) {
        if (!tensor.variable) return Ok();
        Count(warning, StatusCode::kOfflinePlanSharedAllocator, entry_.metadata_index, number,
              static_cast<std::int32_t>(offset));
        return Ok();
      });
  if (walked.ok()) AddWarning(warning);
}

void OfflinePlacement::AddWarning(const Status& warning) {
  // Warnings' codes are listed in the order of the rules.
  static_assert(StatusCode::kOfflinePlanNameAlmost < StatusCode::kOfflinePlanRepeated &&
                StatusCode::kOfflinePlanRepeated < StatusCode::kOfflinePlanForConstant &&
                StatusCode::kOfflinePlanForConstant < StatusCode::kOfflinePlanForSupplied &&
                StatusCode::kOfflinePlanForSupplied < StatusCode::kOfflinePlanSharedAllocator &&
                StatusCode::kOfflinePlanSharedAllocator < StatusCode::kOfflinePlanReusedInput &&
                StatusCode::kOfflinePlanReusedInput < StatusCode::kOfflinePlanSharedBuffer);
  if (warning.ok() || warning_count_ == warnings_.size()) return;
  std::size_t place = warning_count_++;
  for (; place > 0 && warnings_[place - 1].code > warning.code; --place) warnings_[place] = warnings_[place - 1];
  warnings_[place] = warning;
}

void OfflinePlacement::FindWarnings(const ModelView& model, const ModelAllocation& allocation) {
  Status almost;
  for (std::size_t i = 0; i < model.metadata_count(); ++i) {
    const std::string_view name = model.metadata(i).name;
    if (!IsAlmostOfflinePlanName(name)) continue;
    if (almost.ok()) almost = WithName(StatusCode::kOfflinePlanNameAlmost, i, 0, name);
    ++almost.detail[1];
  }
  AddWarning(almost);
  if (!entry_.present) return;
  if (entry_.entry_count > 1) {
    AddWarning(Failure(StatusCode::kOfflinePlanRepeated, entry_.first_metadata_index, entry_.metadata_index,
                       entry_.entry_count));
  }
  Status constant;
  Status supplied;
  Status buffer;
  const Status walked = ForEachTensor(allocation, [&](const TensorNumber& number, const EvalTensor& tensor) {
    if (buffer.ok() && model.tensor(number.subgraph, number.tensor).buffer == entry_.buffer) {
      buffer = Failure(StatusCode::kOfflinePlanSharedBuffer, entry_.metadata_index, entry_.buffer,
                       TensorPlace(number.subgraph, number.tensor));
    }
    const std::int32_t offset = offsets_[number.concatenated];
    if (offset == kPlannedAtRunTime || tensor.variable || tensor.bytes == 0) return Ok();
    if (IsUnplannedConstant(tensor)) {
      Count(constant, StatusCode::kOfflinePlanForConstant, entry_.metadata_index, number, offset);
    } else if (tensor.data != nullptr) {
      Count(supplied, StatusCode::kOfflinePlanForSupplied, entry_.metadata_index, number, offset);
    }
    return Ok();
  });
  if (!walked.ok()) return;  // the walk fails only where its visits do
  AddWarning(constant);
  AddWarning(supplied);
  AddWarning(buffer);
}

}  // namespace arenaproof
