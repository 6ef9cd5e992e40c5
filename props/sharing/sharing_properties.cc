// Whatever planner lays out a model, with or without outputs in the bytes of inputs, it computes the same to the bit;
// who shares is what the specification says, no more and no less.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "engine/harness/sharing/planned_run.h"
#include "engine/harness/sharing/sharing_run_checks.h"
#include "engine/oracles/sharing/sharing_rules.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

void RequireRight(const std::string& wrong) { Require(wrong.empty(), wrong); }

RC_GTEST_PROP(ModelsThatShare, ComputeTheSameWithEveryPlanner, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun apart = RunWithPlanner(*subject.model, "linear", false);
  RequireRight(WrongRunApart(apart, apart, "linear"));
  RequireRight(WrongRunApart(apart, RunWithPlanner(*subject.model, "greedy", false), "greedy"));
  RequireRight(WrongRunApart(apart, RunWithPlanner(*subject.model, "arena", true), "arena without sharing"));
  RequireRight(WrongRun(apart, RunWithPlanner(*subject.model, "arena", false), "arena"));
}

RC_GTEST_PROP(ModelsThatShare, LieWhereTheirGraphsArenaPlannersPutThem, ()) {
  const SharingCase subject = DrawSharingCase();
  for (const bool sharing : {true, false}) {
    const PlannedRun run = RunWithPlanner(*subject.model, "arena", !sharing);
    Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
    RequireRight(WrongHead(*subject.model, run, sharing));
  }
}

RC_GTEST_PROP(ModelsThatShare, ShareWhereTheSpecificationLetsThem, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", false);
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  RequireRight(WrongSharers(run, SharingRules(subject.builder)));
}

}  // namespace
}  // namespace arenaproof::testing
