// Suspending an interpreter while its arena's bytes are elsewhere.
#include "core/runtime/arena_image.h"
#include "core/runtime/interpreter.h"
#include "core/runtime/model_allocator.h"

namespace arenaproof {

Status Interpreter::Suspend(ArenaSeal* seal) {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  if (shares_allocator_) return Failure(StatusCode::kSuspendShared);
  ARENAPROOF_RETURN_IF_ERROR(SealArena(allocator_->arena(), &sealed_));
  *seal = sealed_;
  state_ = InterpreterState::kSuspended;
  return Ok();
}

Status Interpreter::Resume(const ArenaSeal& seal) {
  if (state_ != InterpreterState::kSuspended) {
    return Failure(StatusCode::kRuntimeState, state_, InterpreterState::kSuspended);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckSealFields(seal));
  if (seal != sealed_) {
    return Failure(StatusCode::kArenaImageForeign, seal.arena_address, sealed_.arena_address, seal.checksum,
                   sealed_.checksum);
  }
  ARENAPROOF_RETURN_IF_ERROR(CheckSeal(sealed_));
  state_ = InterpreterState::kInvoke;
  return Ok();
}

std::size_t Interpreter::image_bytes() const {
  return RequireAllocated().ok() ? ArenaImageBytes(allocator_->arena()) : 0;
}

Status Interpreter::SaveImage(std::span<std::byte> image, std::size_t* image_bytes) const {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  return SaveArena(allocator_->arena(), image, image_bytes);
}

}  // namespace arenaproof
