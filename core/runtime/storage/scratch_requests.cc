#include "core/runtime/storage/scratch_requests.h"

#include <new>

#include "core/runtime/kernel_interface/limits.h"
#include "core/runtime/storage/observer_pause.h"

namespace arenaproof {

Status ScratchRequests::Start(TensorArena& arena) {
  *this = ScratchRequests();
  std::byte* block = nullptr;
  arena.Announce<ScratchRequest>(0);
  ARENAPROOF_RETURN_IF_ERROR(arena.AllocateResizable(0, alignof(ScratchRequest), &block));
  table_ = reinterpret_cast<ScratchRequest*>(block);
  return Resize(arena, kScratchSlotsPerPrepare);
}

Status ScratchRequests::Resize(TensorArena& arena, std::size_t slot_count) {
  std::size_t bytes = 0;
  ARENAPROOF_RETURN_IF_ERROR(ArrayBytes(slot_count, sizeof(ScratchRequest), &bytes));
  arena.Announce<ScratchRequest>(slot_count);
  ARENAPROOF_RETURN_IF_ERROR(arena.ResizeHead(reinterpret_cast<std::byte*>(table_), bytes, alignof(ScratchRequest)));
  slot_count_ = slot_count;
  return Ok();
}

Status ScratchRequests::Add(TensorArena& arena, Tail& tail, std::size_t bytes) {
  if (finished_count_ + open_count_ < slot_count_) {
    new (table_ + finished_count_ + open_count_) ScratchRequest{bytes, -1, -1};
    ++open_count_;
    return Ok();
  }
  std::byte* place = nullptr;
  {
    const ObserverPause pause(arena);
    arena.Announce<Overflow>(1);
    ARENAPROOF_RETURN_IF_ERROR(tail.Allocate(sizeof(Overflow), alignof(Overflow), &place));
  }
  Overflow* const added = new (place) Overflow{nullptr, bytes};
  (overflow_last_ == nullptr ? overflow_first_ : overflow_last_->next) = added;
  overflow_last_ = added;
  ++overflow_count_;
  return Ok();
}

Status ScratchRequests::FinishOperator(TensorArena& arena, std::int32_t subgraph, std::int32_t operator_index) {
  const std::size_t total_count = finished_count_ + open_count_ + overflow_count_;
  ARENAPROOF_RETURN_IF_ERROR(Resize(arena, total_count + kScratchSlotsPerPrepare));
  std::size_t next = finished_count_ + open_count_;
  for (const Overflow* request = overflow_first_; request != nullptr; request = request->next) {
    new (table_ + next++) ScratchRequest{request->bytes, -1, -1};
  }
  for (std::size_t i = finished_count_; i < total_count; ++i) {
    table_[i].subgraph = subgraph;
    table_[i].operator_index = operator_index;
  }
  finished_count_ = total_count;
  open_count_ = 0;
  overflow_first_ = overflow_last_ = nullptr;
  overflow_count_ = 0;
  return Ok();
}

Status ScratchRequests::Release(TensorArena& arena) {
  if (table_ == nullptr) return Ok();
  std::byte* const block = reinterpret_cast<std::byte*>(table_);
  *this = ScratchRequests();
  return arena.DeallocateResizable(block);
}

}  // namespace arenaproof
