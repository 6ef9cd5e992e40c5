// Random sequences of the growing arena's operations: every step keeps every invariant, at 32 and 64 bits, and the real
// arena goes along.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engine/generators/reach_report.h"
#include "engine/harness/host_planner/arena_session_run.h"
#include "props/host_planner/session_draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

RC_GTEST_PROP(GrowingArenaMachine, KeepsEveryInvariant, ()) {
  ArenaSession session;
  session.world = *AnyByte();
  session.calls = *SessionDraws(64);
  const ArenaSessionResult result = RunArenaSession(session);
  if (!result.fault.empty()) {
    RC_LOG() << RunArenaSession(session, true).history;
    Require(false, result.fault);
  }
  CountReach("active allocations", result.most_active);
  CountReach("refused operations", result.refused);
}

}  // namespace
}  // namespace arenaproof::testing
