// Random graphs and random sequences of calls of the arena planner, beside the planner that is written from the
// specification: after each call both agree, and where everything is placed no byte is lost.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engine/generators/reach_report.h"
#include "engine/harness/host_planner/planner_session_run.h"
#include "props/host_planner/session_draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

RC_GTEST_PROP(ArenaPlannerMachine, AgreesWithTheSpecificationAfterEveryCall, ()) {
  PlannerSession session;
  session.options = *AnyByte();
  session.tensors = *SessionDraws(6);
  session.nodes = *SessionDraws(12);
  session.calls = *SessionDraws(30);
  const SessionResult result = RunSession(session);
  if (!result.fault.empty()) {
    RC_LOG() << RunSession(session, true).history;
    Require(false, result.fault);
  }
  CountReach("nodes of a graph", result.nodes);
  CountReach("tensors that share bytes", result.shared);
  CountReach("refused calls", result.refused);
  CountReach("runs of a whole graph", result.runs);
}

}  // namespace
}  // namespace arenaproof::testing
