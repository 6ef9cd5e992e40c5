#include "core/runtime/plan_head.h"

#include "core/base/alignment.h"
#include "core/planner/certifier.h"

namespace arenaproof {

Status PlanHead(MemoryPlanner& planner, std::span<PlacedBuffer> buffers, std::span<std::byte> workspace,
                std::size_t* head_bytes) {
  ARENAPROOF_RETURN_IF_ERROR(planner.Init(workspace));
  for (const PlacedBuffer& buffer : buffers) {
    ARENAPROOF_RETURN_IF_ERROR(planner.AddBuffer(buffer.bytes, buffer.first, buffer.last));
  }
  if (planner.BufferCount() != buffers.size()) {
    return Failure(StatusCode::kPlannerBufferCount, buffers.size(), planner.BufferCount());
  }
  std::size_t maximum_bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(planner.MaximumBytes(&maximum_bytes));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(planner.OffsetOf(i, &buffers[i].offset));
  }
  // The plan has been fetched: its workspace serves the certifier.
  ARENAPROOF_RETURN_IF_ERROR(CertificateStatus(Certify(buffers, maximum_bytes, kTensorAlignment, workspace), buffers));
  *head_bytes = maximum_bytes;
  return Ok();
}

}  // namespace arenaproof
