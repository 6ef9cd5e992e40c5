// The events that a check writes about its operators and violations, when it has run or is about to crash.
#pragma once

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "tools/kernel_library/chosen_kernels.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/checking_observer.h"
#include "tools/worker/event_writer.h"

namespace arenaproof {

void WriteStarted(EventWriter& events, const CheckArguments& arguments);

// Which operators were seen is known after the runs only. Those of a file without the instrument's hooks were not.
void WriteOperators(EventWriter& events, const ModelView& model, const Interpreter& interpreter,
                    const CheckingObserver& observer, const ChosenKernels& kernels);

void WriteBlindness(EventWriter& events, const ModelView& model, const CheckingObserver& observer);

void WriteViolations(EventWriter& events, const ModelView& model, const ViolationLog& log);

// False when there were none. With one of them nothing can be concluded: events, arena and model do not fit together.
bool WriteInconsistencies(EventWriter& events, const EventStreamChecker& checker);

}  // namespace arenaproof
