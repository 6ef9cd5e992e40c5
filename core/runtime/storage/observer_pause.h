// While it exists the arena announces nothing: for bookkeeping that the runtime allocates when a kernel calls it, which
// must not look like a block of that kernel.
#pragma once

#include "core/arena/tensor_arena.h"

namespace arenaproof {

class ObserverPause {
 public:
  explicit ObserverPause(TensorArena& arena) : arena_(arena), observer_(arena.observer()) {
    arena_.set_observer(observer_ == nullptr ? nullptr : observer_->DuringBookkeeping());
  }
  ~ObserverPause() { arena_.set_observer(observer_); }
  ObserverPause(const ObserverPause&) = delete;
  ObserverPause& operator=(const ObserverPause&) = delete;

 private:
  TensorArena& arena_;
  ArenaObserver* const observer_;
};

}  // namespace arenaproof
