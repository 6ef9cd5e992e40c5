// What does not hold of runs of a model whose outputs may lie in the bytes of inputs: one sentence each; empty where
// all is as it has to be.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/model/validated_model.h"
#include "engine/generators/sharing/changed_sharing.h"
#include "engine/harness/sharing/planned_run.h"
#include "engine/oracles/sharing/sharing_rules.h"

namespace arenaproof::testing {

// Set up, with the same outputs to the bit, and nothing but groups in the same bytes.
std::string WrongRun(const PlannedRun& expected, const PlannedRun& found, const std::string& planner);

// Of a run in which nobody may share, too.
std::string WrongRunApart(const PlannedRun& expected, const PlannedRun& found, const std::string& planner);

// Of the arena planner's: who shares is what the specification says, no more and no less.
std::string WrongSharers(const PlannedRun& run, const SharingRules& rules);

// Of the arena planner's: each subgraph is planned alone, arena behind arena.
std::string WrongHead(const ValidatedModel& model, const PlannedRun& run, bool sharing);

// A list is taken when nothing is wrong with it, and the model then computes what it does when nothing shares; else it
// is refused for a reason that is true of the very buffer that is named.
std::string WrongAnswer(const SharingRules& rules, const ChangedSharing& sharing, const PlannedRun& run,
                        const PlannedRun& apart);

// A given plan runs as the run that it was taken from, with the same sharing and in as much memory.
std::string WrongGivenRun(const PlannedRun& planned, const PlannedRun& given, const std::string& what);

// A plan in which somebody moved buffers is taken only if it is right; without sharing it is taken whenever it is.
// `planned` is the run with the plan as it was.
std::string WrongMovedRun(const PlannedRun& planned, const PlannedRun& given, std::span<const std::int64_t> offsets,
                          bool no_sharing);

}  // namespace arenaproof::testing
