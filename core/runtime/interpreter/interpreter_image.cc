// Suspending an interpreter while its arena's bytes are elsewhere.
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/arena_image.h"
#include "core/runtime/storage/checksum.h"

namespace arenaproof {

// What distinguishes this set-up from others that the same memory has held: its interpreter and every address that it
// was given or has given; operators' records point into the model's file. Two that agree in all of it can use each
// other's bytes.
std::uint64_t Interpreter::SetUpChecksum() const {
  Checksum checksum;
  checksum.AddWord(this);
  checksum.AddWord(model_.bytes().data());
  checksum.AddWord(external_context_);
  for (const SubgraphAllocation& subgraph : allocation_.subgraphs) {
    for (const EvalTensor& tensor : subgraph.tensors) {
      checksum.AddWord(tensor.data);
      checksum.AddWord(tensor.bytes);
    }
    for (const OperatorRecord& record : subgraph.operators) {
      checksum.AddWord(record.kernel);
      checksum.AddWord(record.op_data);
    }
  }
  return checksum.value();
}

Status Interpreter::Suspend(ArenaSeal* seal) {
  ARENAPROOF_RETURN_IF_ERROR(RequireAllocated());
  if (shares_allocator_) return Failure(StatusCode::kSuspendShared);
  ARENAPROOF_RETURN_IF_ERROR(SealArena(allocator_->arena(), &sealed_, allocator_->set_up_mark()));
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
  return SaveArena(allocator_->arena(), image, image_bytes, allocator_->set_up_mark());
}

}  // namespace arenaproof
