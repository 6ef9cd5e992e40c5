#include "tools/text/refusal_status.h"

namespace arenaproof {

ExitStatus ExitStatusOf(const Status& refusal) {
  switch (refusal.code) {
    case StatusCode::kOfflinePlanLiveOverlap:
    case StatusCode::kOfflinePlanSharedVariable:
    case StatusCode::kPlanUnplaced:
    case StatusCode::kPlanMisaligned:
    case StatusCode::kPlanOutsideHead:
    case StatusCode::kPlanSharedBytes:
    case StatusCode::kPlanFixedMoved:
      return ExitStatus::kViolations;
    default:
      return ExitStatus::kCouldNotRun;
  }
}

}  // namespace arenaproof
