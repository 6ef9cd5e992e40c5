// A plan that is given as a file: the one that the arena planner made gives the same run, with as much sharing; without
// sharing nothing shares; one that is not of as many buffers as the model has is no plan of it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planner/host/arena_head_planner.h"
#include "engine/generators/sharing/changed_sharing.h"
#include "engine/generators/sharing/moved_buffer.h"
#include "engine/harness/sharing/planned_run.h"
#include "engine/harness/sharing/sharing_run_checks.h"
#include "props/reports/scratch_file.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/planner/precomputed_file.h"

namespace arenaproof::testing {
namespace {

std::vector<PrecomputedBuffer> BuffersOf(const PlannedRun& run) {
  std::vector<PrecomputedBuffer> buffers;
  for (const PlanEntry& entry : run.plan) {
    buffers.push_back({static_cast<std::int64_t>(entry.offset), entry.bytes, entry.first, entry.last, "buffer"});
  }
  return buffers;
}

PlannedRun RunFile(const SharingCase& subject, const std::vector<PrecomputedBuffer>& buffers, bool no_sharing) {
  static const ScratchFile file;
  file.Replace(WritePrecomputedSource({"model", "arena", 0, buffers}));
  return RunWithPlanner(*subject.model, "precomputed:" + file.path(), no_sharing);
}

void RequireTheSameRun(const PlannedRun& planned, const PlannedRun& given, const std::string& what) {
  const std::string wrong = WrongGivenRun(planned, given, what);
  Require(wrong.empty(), wrong);
}

RC_GTEST_PROP(GivenPlans, AreThoseThatThePlannerMade, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun apart = RunWithPlanner(*subject.model, "arena", true);
  const PlannedRun shared = RunWithPlanner(*subject.model, "arena", false);
  Require(apart.status.ok() && shared.status.ok(), "a sound model is set up and runs");
  RequireTheSameRun(apart, RunFile(subject, BuffersOf(apart), true), "a plan without sharing");
  RequireTheSameRun(apart, RunFile(subject, BuffersOf(apart), false), "a plan in which nobody shares");
  RequireTheSameRun(shared, RunFile(subject, BuffersOf(shared), false), "a plan with sharing");
  const PlannedRun refused = RunFile(subject, BuffersOf(shared), true);
  CountReach("given plans that share", shared.sharing.empty() ? 0 : 1);
  if (shared.sharing.empty()) {
    RequireTheSameRun(apart, refused, "a plan in which nobody could share");
  } else {
    Require(refused.status.code == StatusCode::kPlanSharedBytes,
            "without sharing a plan that shares is refused: " + SentenceOf(refused));
  }
}

// Somebody else's planner may choose another input than the arena planner's, or let an output share that it does not.
RC_GTEST_PROP(GivenPlans, ShareWhereverSharingIsRight, ()) {
  const SharingCase subject = DrawSharingCase();
  for (int i = 0; i < 4; ++i) {
    RapidCheckSource random;
    ChangedSharing sharing(subject.builder, random);
    ArenaHeadPlanner planner;
    const PlannedRun run = RunPlanned(*subject.model, {.planner = &planner, .sharing = &sharing});
    CountReach(run.status.ok() ? "other sharing that is taken" : "other sharing that is refused", 1);
    if (run.status.ok()) RequireTheSameRun(run, RunFile(subject, BuffersOf(run), false), "a plan with other sharing");
  }
}

RC_GTEST_PROP(GivenPlans, OfAnotherNumberOfBuffersAreRefused, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", OneIn(2));
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  for (int i = 0; i < 4; ++i) {
    std::vector<PrecomputedBuffer> buffers = BuffersOf(run);
    const auto at =
        buffers.begin() + static_cast<std::ptrdiff_t>(OneIn(2) ? buffers.size() - 1 : Below(buffers.size()));
    if (OneIn(4)) {
      buffers.insert(at, PrecomputedBuffer(*at));
    } else if (buffers.size() > 1) {
      buffers.erase(at);
    } else {
      continue;
    }
    const PlannedRun given = RunFile(subject, buffers, OneIn(2));
    RC_LOG() << buffers.size() << " offsets for " << run.plan.size() << " buffers: " << SentenceOf(given) << "\n";
    Require(given.status == Failure(StatusCode::kPlannerPlanCount, buffers.size(), run.plan.size()),
            "a plan of another number of buffers is refused for that");
  }
}

// Somebody moves one buffer, mostly to where another lies: what is taken then is right all the same.
RC_GTEST_PROP(GivenPlans, ThatAreChangedAreRefusedOrRight, ()) {
  const SharingCase subject = DrawSharingCase();
  const bool no_sharing = OneIn(2);
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", no_sharing);
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  for (int i = 0; i < 4; ++i) {
    RapidCheckSource random;
    std::vector<std::int64_t> offsets = OffsetsOf(run);
    MoveBuffer(random, offsets);
    std::vector<PrecomputedBuffer> buffers = BuffersOf(run);
    for (std::size_t k = 0; k < buffers.size(); ++k) buffers[k].offset = offsets[k];
    const PlannedRun given = RunFile(subject, buffers, no_sharing);
    CountReach(given.status.ok() ? "moved buffers that are taken" : "moved buffers that are refused", 1);
    const std::string wrong = WrongMovedRun(run, given, offsets, no_sharing);
    Require(wrong.empty(), wrong);
  }
}

}  // namespace
}  // namespace arenaproof::testing
