// One check: one model, one layout, one instrument, reported as events.
#pragma once

#include <memory>

#include "core/runtime/kernel_interface/kernel.h"
#include "sanitizers/instrument/access_instrument.h"
#include "tools/worker/check_arguments.h"
#include "tools/worker/event_writer.h"
#include "tools/worker/self_test_record.h"

namespace arenaproof {

// Kernels and an instrument of the caller's own: they are taken whatever the arguments name. The instrument is
// available, and its self-tests but the one on attach are the caller's affair.
struct CheckMeans {
  const KernelSet* kernels = nullptr;
  std::unique_ptr<AccessInstrument> instrument;
  SelfTestRecord* self_test = nullptr;  // null: the check makes the whole self-test
};

// The exit status of protocol.h.
int RunCheckInThisProcess(const CheckArguments& arguments, EventWriter& events, CheckMeans means = {});

}  // namespace arenaproof
