// A plan that is given as a file: the one that the arena planner made gives the same run, with as much sharing; without
// sharing nothing shares; one that is not of as many buffers as the model has is no plan of it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/planner/host/arena_head_planner.h"
#include "props/reports/scratch_file.h"
#include "props/sharing/changed_sharing.h"
#include "props/sharing/planned_run.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/planner/precomputed_file.h"

namespace arenaproof::testing {
namespace {

std::vector<PrecomputedBuffer> PlanOf(const PlannedRun& run) {
  std::vector<PrecomputedBuffer> buffers;
  for (const PlanEntry& entry : run.plan) {
    buffers.push_back({static_cast<std::int64_t>(entry.offset), entry.bytes, entry.first, entry.last, "buffer"});
  }
  return buffers;
}

PlannedRun RunGiven(const SharingCase& subject, const std::vector<PrecomputedBuffer>& buffers, bool no_sharing) {
  static const ScratchFile file;
  file.Replace(WritePrecomputedSource({"model", "arena", 0, buffers}));
  return RunWithPlanner(*subject.model, "precomputed:" + file.path(), no_sharing);
}

void RequireTheSameRun(const PlannedRun& planned, const PlannedRun& given, const std::string& what) {
  Require(given.status.ok(), what + " is taken: " + SentenceOf(given));
  Require(given.outputs == planned.outputs, what + " gives the same outputs");
  Require(WrongSharing(given).empty(), "of " + what + ": " + WrongSharing(given));
  Require(given.plan.size() == planned.plan.size(), what + " has a place for each buffer");
  for (std::size_t i = 0; i < given.plan.size(); ++i) {
    Require(given.plan[i].offset == planned.plan[i].offset, "P2: of " + what + " no offset moves");
  }
  Require(given.head_bytes == planned.head_bytes, what + " needs as much head");
  const auto shared_by = [](const PlannedRun& run) {
    std::set<std::array<std::uint32_t, 3>> names;
    for (const BufferAlias& alias : run.sharing) names.insert({alias.buffer, alias.source, alias.owner});
    return names;
  };
  Require(shared_by(given) == shared_by(planned), what + " shares where the planner did");
}

RC_GTEST_PROP(GivenPlans, AreThoseThatThePlannerMade, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun apart = RunWithPlanner(*subject.model, "arena", true);
  const PlannedRun shared = RunWithPlanner(*subject.model, "arena", false);
  Require(apart.status.ok() && shared.status.ok(), "a sound model is set up and runs");
  RequireTheSameRun(apart, RunGiven(subject, PlanOf(apart), true), "a plan without sharing");
  RequireTheSameRun(apart, RunGiven(subject, PlanOf(apart), false), "a plan in which nobody shares");
  RequireTheSameRun(shared, RunGiven(subject, PlanOf(shared), false), "a plan with sharing");
  const PlannedRun refused = RunGiven(subject, PlanOf(shared), true);
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
    if (run.status.ok()) RequireTheSameRun(run, RunGiven(subject, PlanOf(run), false), "a plan with other sharing");
  }
}

RC_GTEST_PROP(GivenPlans, OfAnotherNumberOfBuffersAreRefused, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", OneIn(2));
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  for (int i = 0; i < 4; ++i) {
    std::vector<PrecomputedBuffer> buffers = PlanOf(run);
    const auto at =
        buffers.begin() + static_cast<std::ptrdiff_t>(OneIn(2) ? buffers.size() - 1 : Below(buffers.size()));
    if (OneIn(4)) {
      buffers.insert(at, PrecomputedBuffer(*at));
    } else if (buffers.size() > 1) {
      buffers.erase(at);
    } else {
      continue;
    }
    const PlannedRun given = RunGiven(subject, buffers, OneIn(2));
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
    std::vector<PrecomputedBuffer> buffers = PlanOf(run);
    PrecomputedBuffer& moved = buffers[Below(buffers.size())];
    moved.offset = OneIn(4) ? moved.offset + 16 : buffers[Below(buffers.size())].offset;
    const PlannedRun given = RunGiven(subject, buffers, no_sharing);
    CountReach(given.status.ok() ? "moved buffers that are taken" : "moved buffers that are refused", 1);
    if (!given.status.ok()) continue;
    Require(given.outputs == run.outputs, "a plan that is taken changes no output");
    Require(WrongSharing(given).empty(), WrongSharing(given));
    Require(!no_sharing || given.sharing.empty(), "nothing shares that is not to");
  }
}

}  // namespace
}  // namespace arenaproof::testing
