#include "tools/memory/larger_arena.h"

namespace arenaproof {

bool AsksForALargerArena(const Status& status) {
  switch (status.code) {
    case StatusCode::kArenaBufferTooSmall:
    case StatusCode::kArenaHeadDoesNotFit:
    case StatusCode::kArenaTemporaryDoesNotFit:
    case StatusCode::kArenaPersistentDoesNotFit:
    case StatusCode::kPlanDoesNotFit:
    case StatusCode::kPlanMemoryDoesNotFit:
    case StatusCode::kOfflinePlanOutsideHead:
    case StatusCode::kTailWouldCrossHead:
      return true;
    default:
      return false;
  }
}

}  // namespace arenaproof
