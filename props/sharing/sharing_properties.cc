// Whatever planner lays out a model, with or without outputs in the bytes of inputs, it computes the same to the bit;
// who shares is what the specification says, no more and no less.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/cases/validated.h"
#include "engine/oracles/model/graph_head.h"
#include "kernels/reference/reference_kernels.h"
#include "props/sharing/planned_run.h"
#include "props/sharing/sharing_draws.h"
#include "props/sharing/sharing_rules.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

// Everything that is not one group stays apart while it is alive, and every invoke gives the same.
void RequireSame(const PlannedRun& expected, const PlannedRun& found, const std::string& planner) {
  Require(found.status.ok(), "a sound model is set up and runs with the planner " + planner + ": " + SentenceOf(found));
  Require(found.outputs == expected.outputs, "the planner " + planner + " changes no output");
  const std::string wrong = WrongSharing(found);
  Require(wrong.empty(), "with the planner " + planner + ": " + wrong);
}

void RequireNobodyShares(const PlannedRun& run, const std::string& planner) {
  Require(run.sharing.empty(), "A4: nothing shares bytes with " + planner);
}

RC_GTEST_PROP(ModelsThatShare, ComputeTheSameWithEveryPlanner, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun apart = RunWithPlanner(*subject.model, "linear", false);
  RequireSame(apart, apart, "linear");
  RequireNobodyShares(apart, "linear");
  const PlannedRun greedy = RunWithPlanner(*subject.model, "greedy", false);
  RequireSame(apart, greedy, "greedy");
  RequireNobodyShares(greedy, "greedy");
  const PlannedRun arena = RunWithPlanner(*subject.model, "arena", true);
  RequireSame(apart, arena, "arena without sharing");
  RequireNobodyShares(arena, "arena without sharing");
  RequireSame(apart, RunWithPlanner(*subject.model, "arena", false), "arena");
}

// Each subgraph planned alone, arena behind arena.
void RequireHeadOfGraphs(const SharingCase& subject, const PlannedRun& run, bool sharing) {
  const GraphHead expected = HeadOfGraphs(*subject.model, run.plan, ReferenceKernels(), sharing);
  CountReach("arenas in a head", expected.arenas);
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    RC_LOG() << "buffer " << i << " at " << run.plan[i].offset << ", its graph's planner: " << expected.offsets[i]
             << "\n";
    Require(run.plan[i].offset == expected.offsets[i], "a head is what the arena planner makes of each subgraph alone");
  }
  Require(run.head_bytes == expected.bytes, "a head ends where its highest buffer does");
}

RC_GTEST_PROP(ModelsThatShare, LieWhereTheirGraphsArenaPlannersPutThem, ()) {
  const SharingCase subject = DrawSharingCase();
  for (const bool sharing : {true, false}) {
    const PlannedRun run = RunWithPlanner(*subject.model, "arena", !sharing);
    Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
    RequireHeadOfGraphs(subject, run, sharing);
  }
}

RC_GTEST_PROP(ModelsThatShare, ShareWhereTheSpecificationLetsThem, ()) {
  const SharingCase subject = DrawSharingCase();
  const PlannedRun run = RunWithPlanner(*subject.model, "arena", false);
  Require(run.status.ok(), "a sound model is set up and runs: " + SentenceOf(run));
  std::map<TensorName, SharedWith> found;
  for (const BufferAlias& alias : run.sharing) {
    const PlanEntry& buffer = run.plan[alias.buffer];
    found[{static_cast<std::size_t>(buffer.subgraph), buffer.tensor}] = {run.plan[alias.source].tensor,
                                                                         run.plan[alias.owner].tensor};
    const PlanEntry& owner = run.plan[alias.owner];
    Require(buffer.subgraph == owner.subgraph && buffer.offset == owner.offset && buffer.bytes == owner.bytes,
            "A11: a tensor that shares has exactly its owner's address");
  }
  const std::map<TensorName, SharedWith> expected = SharingRules(subject.builder).WhoShares();
  CountReach("tensors that share bytes", expected.size());
  for (const auto& [tensor, with] : found) {
    RC_LOG() << "found: tensor " << tensor.second << " of subgraph " << tensor.first << " lies in " << with.source
             << "\n";
    Require(expected.contains(tensor), "A11: sharing happens only under the listed conditions");
  }
  for (const auto& [tensor, with] : expected) {
    RC_LOG() << "right: tensor " << tensor.second << " of subgraph " << tensor.first << " lies in " << with.source
             << "\n";
    Require(found.contains(tensor), "what the listed conditions let share does share");
    Require(found.at(tensor) == with, "the first input that passes is shared, and chains have one owner");
  }
}

}  // namespace
}  // namespace arenaproof::testing
