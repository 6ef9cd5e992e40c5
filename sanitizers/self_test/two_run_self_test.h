// Proves an instrument that compares two runs on the operators of a small made-up model: those that use what they have
// no right to, or what nobody has written, have to be charged, each with the result that shows it, its first byte and
// how many differ, and no other.
#pragma once

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// As RunInstrumentSelfTest().
SelfTestResult RunTwoRunSelfTest(AccessInstrument& instrument);

}  // namespace arenaproof
