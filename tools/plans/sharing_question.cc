#include "tools/plans/sharing_question.h"

#include <chrono>
#include <new>

#include "tools/model/allowed_sharing.h"

namespace arenaproof {

Status SharingQuestion::Find(const ModelView& model, const ModelAllocation& allocation,
                             std::span<const PlacedBuffer> buffers, std::span<const std::uint32_t> buffer_of_tensor,
                             std::span<BufferAlias>* aliases) {
  std::span<BufferAlias> found;
  BufferSharingSource& source = arena_ != nullptr ? static_cast<BufferSharingSource&>(*arena_) : sharing_;
  const auto start = std::chrono::steady_clock::now();
  ARENAPROOF_RETURN_IF_ERROR(source.Find(model, allocation, buffers, buffer_of_tensor, &found));
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  try {
    chosen_.assign(found.begin(), found.end());
    rules_.buffers.assign(buffers.begin(), buffers.end());
    rules_.allowed = AllowedByOperators(allocation, buffer_of_tensor);
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, buffer_of_tensor.size());
  }
  *aliases = {};
  return Ok();
}

}  // namespace arenaproof
