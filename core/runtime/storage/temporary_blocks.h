// The temporaries that the running operator holds, by address: a leak can be named and undone, a double or foreign free
// refused, which the arena's count and checksum alone cannot.
//
// The list lives in the temporary region itself (one unannounced link of 16 bytes per block) and is gone with the
// reset.
#pragma once

#include <cstddef>

#include "core/arena/tensor_arena.h"

namespace arenaproof {

class TemporaryBlocks {
 public:
  Status Allocate(TensorArena& arena, std::size_t bytes, std::size_t alignment, std::byte** block);
  // kForeignTemporary when the running operator does not hold `block`.
  Status Free(TensorArena& arena, std::byte* block);
  std::size_t outstanding_count() const { return outstanding_count_; }
  // Gives back what an operator leaked, so that the region can be reset.
  void FreeAll(TensorArena& arena);

 private:
  struct Link {
    Link* next;
    std::byte* block;
  };
  friend ARENAPROOF_PIN_BYTES(Link, 16, 8, 8, 4);

  Status FreeNext(TensorArena& arena, Link** link);

  Link* first_ = nullptr;
  std::size_t outstanding_count_ = 0;
};

}  // namespace arenaproof
