#include "sanitizers/layout/dilating_planner.h"

#include "core/planner/certifier.h"

namespace arenaproof {

DilatingPlanner::DilatingPlanner(MemoryPlanner& inner, bool trust_offline)
    : inner_(inner), trust_offline_(trust_offline), name_(std::string(inner.name()) + ", dilated") {}

Status DilatingPlanner::Init(std::span<std::byte> workspace) {
  faithful_.clear();
  faithful_bytes_ = 0;
  dilated_ = {};
  plan_is_current_ = true;
  return inner_.Init(workspace);
}

Status DilatingPlanner::AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                                  std::int64_t offline_offset) {
  ARENAPROOF_RETURN_IF_ERROR(inner_.AddBuffer(bytes, first, last, offline_offset));
  faithful_.push_back({kUnplaced, bytes, first, last, trust_offline_ && offline_offset != kOnline});
  plan_is_current_ = false;
  return Ok();
}

Status DilatingPlanner::MaximumBytes(std::size_t* maximum_bytes) {
  ARENAPROOF_RETURN_IF_ERROR(MakePlan());
  *maximum_bytes = dilated_.head_bytes;
  return Ok();
}

Status DilatingPlanner::OffsetOf(std::size_t index, std::size_t* offset) {
  if (index >= faithful_.size()) return Failure(StatusCode::kPlannerBufferIndex, index, faithful_.size());
  ARENAPROOF_RETURN_IF_ERROR(MakePlan());
  *offset = dilated_.offsets[index];
  return Ok();
}

Status DilatingPlanner::MakePlan() {
  if (plan_is_current_) return Ok();
  ARENAPROOF_RETURN_IF_ERROR(inner_.MaximumBytes(&faithful_bytes_));
  for (std::size_t i = 0; i < faithful_.size(); ++i) {
    ARENAPROOF_RETURN_IF_ERROR(inner_.OffsetOf(i, &faithful_[i].offset));
  }
  // The caller checks alignment, which dilation keeps.
  std::vector<std::byte> workspace(CertifierWorkspaceBytes(faithful_.size()));
  ARENAPROOF_RETURN_IF_ERROR(CertificateStatus(Certify(faithful_, faithful_bytes_, 1, workspace), faithful_));
  std::vector<PlacedBuffer> kept_apart = faithful_;
  if (inner_.preserves_all_tensors()) {
    for (PlacedBuffer& buffer : kept_apart) buffer.first = buffer.last = 0;  // all at once, also what nobody touches
  }
  ARENAPROOF_RETURN_IF_ERROR(Dilate(kept_apart, &dilated_));
  plan_is_current_ = true;
  return Ok();
}

}  // namespace arenaproof
