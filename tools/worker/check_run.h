// One check: one model, one layout, one instrument, reported as events.
#pragma once

#include <memory>

#include "core/runtime/kernel_interface/kernel.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/event_writer.h"

namespace arenaproof {

// Kernels and an instrument of the caller's own: they are taken whatever the arguments name. The instrument is
// available, and its self-tests are the caller's affair.
struct CheckMeans {
  const KernelSet* kernels = nullptr;
  std::unique_ptr<AccessInstrument> instrument;
};

// The exit status of protocol.h.
int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events, CheckMeans means = {});

}  // namespace arenaproof
