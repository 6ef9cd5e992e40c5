// One check: one model, one layout, one instrument, told as events.
#pragma once

#include <memory>

#include "core/runtime/kernel_interface/kernel.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/event_writer.h"

namespace arenaproof {

// Of a caller who brings his own; they are taken whatever the arguments name. The instrument is available; what
// it is drilled with is up to them.
struct CheckMeans {
  const KernelSet* kernels = nullptr;
  std::unique_ptr<AccessInstrument> instrument;
};

// The exit status of protocol.h.
int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events, CheckMeans means = {});

}  // namespace arenaproof
