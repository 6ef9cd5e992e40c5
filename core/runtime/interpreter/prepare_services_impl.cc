#include "core/runtime/interpreter/prepare_services_impl.h"

#include "core/runtime/interpreter/interpreter_state.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/interpreter/runtime_bracket.h"

namespace arenaproof {

Status PrepareServicesImpl::RequireState(InterpreterState wanted) const {
  if (running_.known() && state_ == wanted) return Ok();
  return Failure(StatusCode::kRuntimeState, state_, wanted);
}

Status PrepareServicesImpl::AllocatePersistent(std::size_t bytes, std::byte** block) {
  const RuntimeBracket bracket(ObserverOfCall());
  const bool in_init = state_ == InterpreterState::kInit;
  ARENAPROOF_RETURN_IF_ERROR(RequireState(in_init ? InterpreterState::kInit : InterpreterState::kPrepare));
  if (frame_.held_block_count + frame_.new_block_count >= kMaxPersistentBlocksPerOperator) {
    return Failure(StatusCode::kTooManyPersistentBlocks, kMaxPersistentBlocksPerOperator);
  }
  std::byte* granted = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(allocator_->AllocatePersistent(bytes, &granted));
  frame_.new_blocks[frame_.new_block_count++] = {granted, bytes};
  *block = granted;
  return Ok();
}

Status PrepareServicesImpl::RequestScratch(std::size_t bytes) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequireState(InterpreterState::kPrepare));
  return allocator_->RequestScratch(bytes);
}

Status PrepareServicesImpl::AllocateTemporary(std::size_t bytes, std::size_t alignment, std::byte** block) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequireState(InterpreterState::kPrepare));
  return allocator_->AllocateTemporary(bytes, alignment, block);
}

Status PrepareServicesImpl::FreeTemporary(std::byte* block) {
  const RuntimeBracket bracket(ObserverOfCall());
  ARENAPROOF_RETURN_IF_ERROR(RequireState(InterpreterState::kPrepare));
  return allocator_->FreeTemporary(block);
}

void PrepareServicesImpl::Announce(const StructureBytes& element, std::size_t count) {
  if (observer_ != nullptr) observer_->OnShape(element, count);
}

}  // namespace arenaproof
