// What a recorded arena says about the tail (core/runtime/storage/recording.h), compared with the model and with the
// events.
#pragma once

#include <cstddef>

#include "core/model/model_view.h"
#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/event_checks/event_stream_checker.h"

namespace arenaproof {

// Called after any set-up, refused ones included; `set_up_count` of them were not refused since the interpreter was
// made. Inconsistencies go to `checker`. Does nothing without InterpreterOptions::record_memory.
void AuditRecord(const ModelView& model, const Interpreter& interpreter, std::size_t set_up_count,
                 EventStreamChecker& checker);

}  // namespace arenaproof
