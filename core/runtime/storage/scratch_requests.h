// What operators ask for as scratch in prepare, until the plan is made.
//
// The table is the head's resizable block: all requests so far and kScratchSlotsPerPrepare free slots. The head cannot
// grow while a prepare holds temporaries, so a request that finds no slot is chained in the tail (16 bytes that stay
// lost) and joins the table when the prepare ends. There is no limit but the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/storage/tail.h"

namespace arenaproof {

struct ScratchRequest {
  std::size_t bytes = 0;
  std::int32_t subgraph = -1;
  std::int32_t operator_index = -1;  // -1: of the operator whose prepare runs
};

ARENAPROOF_PIN_BYTES(ScratchRequest, 16, 8, 12, 4);

class ScratchRequests {
 public:
  // Takes the head block, empty of requests.
  Status Start(TensorArena& arena);
  Status Add(TensorArena& arena, Tail& tail, std::size_t bytes);
  // Gives the open requests to the operator and makes room for the next prepare. The temporary region has been reset.
  Status FinishOperator(TensorArena& arena, std::int32_t subgraph, std::int32_t operator_index);
  // Gives the head block back; requests() is empty afterwards.
  Status Release(TensorArena& arena);

  // The requests of all finished operators, in the order in which they were made.
  std::span<const ScratchRequest> requests() const { return {table_, finished_count_}; }
  // Those of the operator whose prepare runs.
  std::size_t open_count() const { return open_count_ + overflow_count_; }

 private:
  struct Overflow {
    Overflow* next;
    std::size_t bytes;
  };
  friend ARENAPROOF_PIN_BYTES(Overflow, 16, 8, 8, 4);

  Status Resize(TensorArena& arena, std::size_t slot_count);

  ScratchRequest* table_ = nullptr;
  std::size_t slot_count_ = 0;
  std::size_t finished_count_ = 0;
  std::size_t open_count_ = 0;  // requests of the running prepare that have a slot
  Overflow* overflow_first_ = nullptr;
  Overflow* overflow_last_ = nullptr;
  std::size_t overflow_count_ = 0;
};

}  // namespace arenaproof
