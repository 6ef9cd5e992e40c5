// Random buffers with lifetimes: the head planner places them as a plain search for the smallest gap does, and so does
// a bare arena at any alignment.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engine/generators/reach_report.h"
#include "engine/harness/host_planner/head_plan_run.h"
#include "props/host_planner/session_draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

RC_GTEST_PROP(ArenaHeadPlanner, PlacesInTheSmallestGap, ()) {
  HeadSession session;
  session.alignment = *AnyByte();
  session.buffers = *SessionDraws(24);
  const HeadSessionResult result = RunHeadSession(session);
  if (!result.fault.empty()) {
    RC_LOG() << result.history;
    Require(false, result.fault);
  }
  CountReach("buffers of a head", session.buffers.size());
  CountReach("refused heads", result.refused ? 1 : 0);
}

}  // namespace
}  // namespace arenaproof::testing
