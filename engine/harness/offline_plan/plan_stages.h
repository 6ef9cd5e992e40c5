// Counts by which rule each input's plan was refused, over one fuzzing process: how deep the inputs come.
#pragma once

#include <string>

#include "core/base/status.h"

namespace arenaproof {

// Counts one set-up.
void CountPlanStage(const Status& status);

// "plan: V12    123 refused here (  1.2 %),  98.8 % came past it", one line for each rule, and what became of the rest.
std::string PlanStageTable();

// They go to standard error when the process ends.
void PrintPlanStagesAtExit();

}  // namespace arenaproof
