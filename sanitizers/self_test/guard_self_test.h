// Proves an instrument that comes between the interpreter and its kernels: kernels that it wrapped make accesses around
// operands of every size up to two alignments, in both of its runs, and each has to be charged to its operand, on its
// side, at its distance, or not at all.
#pragma once

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// As RunInstrumentSelfTest().
SelfTestResult RunGuardSelfTest(AccessInstrument& instrument);

}  // namespace arenaproof
