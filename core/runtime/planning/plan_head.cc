#include "core/runtime/planning/plan_head.h"

#include "core/base/alignment.h"
#include "core/planner/alias_groups.h"
#include "core/planner/certifier.h"
#include "core/planner/offline_overlap.h"

namespace arenaproof {
namespace {

// A planner or certifier without room sees only its workspace; that the arena was too small can be seen only here.
Status AsArenaTooSmall(const Status& status, StatusCode without_room, std::size_t needed_bytes,
                       std::size_t left_bytes) {
  if (status.code != without_room || left_bytes >= needed_bytes) return status;
  return Failure(StatusCode::kPlanMemoryDoesNotFit, needed_bytes, left_bytes);
}

// Certifies the plan of a planner that claims to preserve all tensors as if each lived from the first scope to the
// last.
Status CheckPreserved(std::span<const PlacedBuffer> buffers, std::span<std::byte> workspace) {
  const auto role_of = [&](std::size_t i) { return buffers[i].trusted ? PairRole::kPartner : PairRole::kSubject; };
  const BufferPair pair = FirstSharedBytes(buffers, role_of, workspace);
  if (pair.verdict == OverlapVerdict::kNone) return Ok();
  return Failure(StatusCode::kPlanSharedBytes, pair.first, buffers[pair.first].offset, pair.second,
                 buffers[pair.second].offset);
}

// Each group as one buffer. Afterwards every buffer has an offset, also those that share.
Status PlaceBuffers(MemoryPlanner& planner, std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases,
                    std::span<std::byte> workspace, std::size_t* head_bytes) {
  const JoinedGroups joined(buffers, aliases);
  const std::size_t count = buffers.size() - aliases.size();
  ARENAPROOF_RETURN_IF_ERROR(planner.Init(workspace));
  for (const PlacedBuffer& buffer : buffers) {
    if (buffer.shares) continue;
    const std::int64_t offset = buffer.offset == kUnplaced ? kOnline : static_cast<std::int64_t>(buffer.offset);
    ARENAPROOF_RETURN_IF_ERROR(AsArenaTooSmall(planner.AddBuffer(buffer.bytes, buffer.first, buffer.last, offset),
                                               StatusCode::kPlannerTooManyBuffers, planner.WorkspaceBytes(count),
                                               workspace.size()));
  }
  if (planner.BufferCount() != count) {
    return Failure(StatusCode::kPlannerBufferCount, count, planner.BufferCount());
  }
  ARENAPROOF_RETURN_IF_ERROR(planner.MaximumBytes(head_bytes));
  std::size_t added = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].shares) continue;
    const std::size_t fixed_offset = buffers[i].offset;
    ARENAPROOF_RETURN_IF_ERROR(planner.OffsetOf(added++, &buffers[i].offset));
    if (fixed_offset != kUnplaced && fixed_offset != buffers[i].offset && !planner.moves_fixed_offsets()) {
      return Failure(StatusCode::kPlanFixedMoved, i, fixed_offset, buffers[i].offset);
    }
  }
  return Ok();
}

}  // namespace

Status PlanHead(MemoryPlanner& planner, std::span<PlacedBuffer> buffers, std::span<BufferAlias> aliases,
                std::span<std::byte> workspace, std::size_t* head_bytes) {
  if (const AliasVerdict verdict = CheckAliases(buffers, aliases); !verdict.ok()) {
    return CertificateStatus({ReasonOf(verdict.reason), verdict.buffer, verdict.other}, buffers);
  }
  std::size_t maximum_bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(PlaceBuffers(planner, buffers, aliases, workspace, &maximum_bytes));
  // The plan has been fetched: its workspace serves the certifier.
  const Certificate certificate = Certify(buffers, aliases, maximum_bytes, kTensorAlignment, workspace);
  ARENAPROOF_RETURN_IF_ERROR(AsArenaTooSmall(CertificateStatus(certificate, buffers),
                                             StatusCode::kPlanWorkspaceTooSmall,
                                             CertifierWorkspaceBytes(buffers.size()), workspace.size()));
  if (planner.preserves_all_tensors()) ARENAPROOF_RETURN_IF_ERROR(CheckPreserved(buffers, workspace));
  *head_bytes = maximum_bytes;
  return Ok();
}

}  // namespace arenaproof
