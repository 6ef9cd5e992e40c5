// Compares the recorded state of an EventStreamChecker and the model with what an interpreter returns after
// AllocateTensors: every byte of head and tail is accounted for, every tensor lies where the announced plan puts it,
// the temporaries are balanced, variables hold their first value. What does not fit is reported to the checker.
#pragma once

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof {

// After an AllocateTensors that succeeded, before anything is invoked.
void AuditAllocation(const ModelView& model, const Interpreter& interpreter, EventStreamChecker& checker);

// After AllocateTensors or Reset: each byte of each variable is its zero point's low byte (int8 with
// a zero point), else 0. `when` goes into the report.
void AuditVariables(const ModelView& model, const Interpreter& interpreter, const char* when,
                    EventStreamChecker& checker);

}  // namespace arenaproof
