// Proves an instrument on a small made-up model whose life is played to it event by event: at every turn accesses of
// every shape are made inside and outside of what the running operator may touch, into every kind of memory that is
// closed to it, and each has to be reported (or not), charged to the right operand on the right side at the right
// distance, with the right word for what lies there and for whether bytes reserved in front of the head contain it.
//
// More than the self-test on attach, which shows one window: a window that stays open, an event without effect, rights
// that are not kept apart, an edge that is rounded, a wrong charge and a log that drops silently are all found here.
#pragma once

#include "sanitizers/instrument/access_instrument.h"

namespace arenaproof {

// `instrument` is Available(), not attached, and of no use for anything else afterwards. What was not as it should be
// stands in `missed` (an illegal access unseen or wrongly charged) and `legal_reported`.
SelfTestResult RunInstrumentSelfTest(AccessInstrument& instrument);

}  // namespace arenaproof
