// Proves an instrument on the events of a small made-up model: at every event accesses of every shape are made inside
// and outside of what the running operator may touch, into every kind of memory that is closed to it, and each has to
// be reported (or not), charged to the right operand on the right side at the right distance, with the right name for
// what lies there and for whether bytes reserved in front of the head contain it.
//
// It finds more than the self-test on attach, which opens one window: a window that stays open, an event without
// effect, rights that are not kept apart, an edge that is rounded, a wrong charge and a log that drops silently.
// An instrument that compares two runs is shown what two_run_self_test.h says, one that needs wrapped kernels
// what guard_self_test.h says.
#pragma once

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// `instrument` is Available(), not attached, and of no use for anything else afterwards. The result lists what was not
// as it should be in `missed` (an illegal access unseen or wrongly charged) and `legal_reported`.
SelfTestResult RunInstrumentSelfTest(AccessInstrument& instrument);

}  // namespace arenaproof
