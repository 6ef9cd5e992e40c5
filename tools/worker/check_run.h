// One check: one model, one layout, one instrument, told as events.
#pragma once

#include "tools/worker/check_arguments.h"
#include "tools/worker/event_writer.h"

namespace arenaproof {

// The exit status of protocol.h.
int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events);

}  // namespace arenaproof
