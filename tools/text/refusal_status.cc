#include "tools/text/refusal_status.h"

namespace arenaproof {

ExitStatus ExitStatusOf(const Status& refusal) {
  switch (refusal.code) {
    case StatusCode::kOfflinePlanLiveOverlap:
    case StatusCode::kOfflinePlanSharedVariable:
    case StatusCode::kPlanUnplaced:
    case StatusCode::kPlanOutsideHead:
    case StatusCode::kPlanSharedBytes:
    case StatusCode::kPlanFixedMoved:
    case StatusCode::kPlanAliasLink:
    case StatusCode::kPlanAliasKept:
    case StatusCode::kPlanAliasStillRead:
    case StatusCode::kPlanAliasApart:
    case StatusCode::kPlanAliasOperator:
      return ExitStatus::kViolations;
    default:
      return ExitStatus::kCouldNotRun;
  }
}

}  // namespace arenaproof
