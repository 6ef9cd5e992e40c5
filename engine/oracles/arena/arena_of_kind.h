// A production arena of any kind, recorded, and what its counters have to be.
#pragma once

#include "core/arena/counting.h"
#include "core/arena/invariants.h"
#include "core/arena/recording_arena.h"

namespace arenaproof {

class ArenaOfKind {
 public:
  Status Init(ArenaKind kind, std::byte* buffer, std::size_t bytes, ArenaObserver* observer = nullptr) {
    switch (kind) {
      case ArenaKind::kSingle:
        arena_ = &single_;
        return single_.Init(buffer, bytes, observer);
      case ArenaKind::kPersistent:
        arena_ = &persistent_;
        return persistent_.Init(buffer, bytes, observer);
      case ArenaKind::kNonPersistent:
        arena_ = &non_persistent_;
        non_persistent_.RecordInto(&non_persistent_counters_);
        return non_persistent_.Init(buffer, bytes, observer);
    }
    return Ok();
  }

  Arena& arena() { return *arena_; }
  const Arena& arena() const { return *arena_; }

  // Called after the call that `step` describes: the counters by the rules, from the calls alone; used bytes from the
  // cursors. A client that takes an attempt back puts its own counts back too.
  const char* CheckCounters(const Transition<std::uintptr_t>& step) {
    ArenaCounters& counters = *arena_->counters();
    if (step.outcome.ok()) {
      switch (Describe(step.operation).section) {
        case OperationSection::kHead:
          expected_.requested_head_bytes = step.arguments.size;
          break;
        case OperationSection::kTail:
          if (step.operation == Operation::kMarkTail) at_mark_ = expected_;
          if (step.operation == Operation::kRewindTail) {
            expected_ = {expected_.requested_head_bytes, at_mark_.requested_tail_bytes, 0, at_mark_.allocation_count};
            RestoreTail(at_mark_, counters);
          }
          if (step.operation == Operation::kAllocatePersistent) {
            expected_.requested_tail_bytes += step.arguments.size;
            ++expected_.allocation_count;
          }
          break;
        case OperationSection::kTemporary:
        case OperationSection::kNone:
          break;
      }
    }
    const ArenaState<std::uintptr_t>& after = step.after;
    expected_.used_bytes = (after.head_end - after.begin) + (after.end - after.tail_begin);
    if (counters.used_bytes != expected_.used_bytes) return "I18 recording consistency: used is not what is used";
    if (counters.allocation_count != expected_.allocation_count) {
      return "I18 recording consistency: the count is not that of granted persistent blocks";
    }
    if (counters.requested_head_bytes != expected_.requested_head_bytes) {
      return "I18 recording consistency: requested head bytes are not those of the last head operation";
    }
    if (counters.requested_tail_bytes != expected_.requested_tail_bytes) {
      return "I18 recording consistency: requested tail bytes are not the sum of what was granted";
    }
    return nullptr;
  }

 private:
  RecordingSingleArena single_;
  RecordingPersistentArena persistent_;
  NonPersistentArena non_persistent_;
  ArenaCounters non_persistent_counters_;
  Arena* arena_ = nullptr;
  ArenaCounters expected_;
  ArenaCounters at_mark_;
};

}  // namespace arenaproof
