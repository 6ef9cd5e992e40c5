// A model set up with some planner in an arena full of garbage, and run: what it gives, where everything lies, and
// whether anything lies where it must not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter_options.h"

namespace arenaproof::testing {

struct PlannedRun {
  Status status;                   // of the set-up, or of the first invoke that failed
  std::vector<std::byte> outputs;  // of all invokes, one after the other
  std::vector<PlanEntry> plan;
  std::vector<BufferAlias> sharing;
  std::size_t head_bytes = 0;
  std::string wrong_access_list;  // the first that has other operands in place than were announced
};

// Invokes twice, over other garbage and with other inputs, which are the same for every planner.
PlannedRun RunPlanned(const ValidatedModel& model, InterpreterOptions options);

// By the words of --planner; `no_sharing` as the option of that name. A word that is refused is no case: it throws.
PlannedRun RunWithPlanner(const ValidatedModel& model, const std::string& word, bool no_sharing);

// By the arena planner, with room between the buffers: the plan of a model that is checked in the dilated layout.
PlannedRun RunDilated(const ValidatedModel& model, bool no_sharing);

// By a plan of one offset for each buffer; those share that lie in one place, where operators and lifetimes allow it.
PlannedRun RunGiven(const ValidatedModel& model, std::span<const std::int64_t> offsets, bool no_sharing);

// The plan of a run, to be given to another.
std::vector<std::int64_t> OffsetsOf(const PlannedRun& run);

// The first access list that has other operands in place than were announced to share, or else the first pair of
// buffers that share a byte while both are alive, though the run did not announce them as one group; empty when there
// is neither.
std::string WrongSharing(const PlannedRun& run);

}  // namespace arenaproof::testing
