// A planner's problem with what people and programs are told of its buffers, whether it comes from a model or from CSV.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/buffer_alias.h"
#include "core/model/model_view.h"
#include "core/planner/optimal/plan_problem.h"
#include "core/planner/placed_buffer.h"
#include "tools/planner/problem_csv.h"

namespace arenaproof {

struct BufferLabel {
  // As in CSV: of a tensor "51", "1:51" in subgraph 1; of a scratch buffer "s3", counted over the whole model.
  std::string id = {};
  std::string name = {};  // of the tensor; empty for a scratch buffer and for CSV
  std::int32_t subgraph = -1;
  std::int32_t tensor = -1;
  std::int32_t scratch = -1;
  std::int32_t owner_operator = -1;  // of a scratch buffer
  std::int64_t asked_bytes = 0;      // before rounding up to 16

  bool is_of_model() const { return subgraph >= 0; }
};

// What decides whether a buffer may lie in the bytes of another; empty for CSV, which has no operators.
struct SharingRules {
  // Each output 0 with each input that its operator lets it lie in, by buffer, then source; `owner` is not set.
  std::vector<BufferAlias> allowed;
  std::vector<PlacedBuffer> buffers;  // lifetimes, bytes and marks, as the runtime has them
};

struct LabelledProblem {
  std::vector<PlanBuffer> buffers;
  std::vector<BufferLabel> labels;   // one for each buffer
  std::vector<BufferAlias> sharing;  // which of them are to lie in the bytes of another
  SharingRules rules;                // by which that is certified
  // Where the arena planner puts each buffer of a model, whose graph it has to see; empty: it was not asked, or CSV.
  std::vector<std::size_t> arena_offsets;
  double arena_seconds = 0;   // that it took
  bool trusts_fixed = false;  // fixed buffers may share bytes with each other
};

bool IsAliveAt(const PlanBuffer& buffer, std::int64_t time);

LabelledProblem ProblemOfCsv(ProblemCsv csv);

// Trusted: its tensors may share bytes while alive together (rule V20 of docs/offline_plans.md).
enum class OwnPlan : std::uint8_t { kKept, kIgnored, kTrusted };

// What a set-up of the model planned: sizes rounded up to 16, lifetimes, and, when the model's own offline plan is
// kept, the offsets that it fixes.
LabelledProblem ProblemOfModel(const ModelView& model, std::span<const PlanEntry> planned, OwnPlan own_plan,
                               std::span<const BufferAlias> sharing = {});

// What planners see: of each group its owner, alive as long as any of it; the others have no bytes.
std::vector<PlanBuffer> GroupedBuffers(const LabelledProblem& problem);

// The same without fixed buffers that share bytes: where these are trusted they have none, and behind all others stand
// fixed ones that together take just their bytes at all times. O(n) for each time at which a fixed one comes or goes.
std::vector<PlanBuffer> DisjointBuffers(const LabelledProblem& problem);

// "tensor 51 "name" of subgraph 1", "scratch buffer 3 of operator 2", "buffer 'id'".
std::string WhatItIs(const BufferLabel& label);

// "alive in steps 1 to 3" of a model, "alive in [1, 4)" of CSV, "never alive".
std::string AliveText(const PlanBuffer& buffer, const BufferLabel& label);

}  // namespace arenaproof
