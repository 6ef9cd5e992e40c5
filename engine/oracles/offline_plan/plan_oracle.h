// The rules of offline plans (V3 to V30), which warnings an accepted plan gives, and what it has to lead to (O1 to O4,
// O9), said once more in the plainest way: every pair is looked at, every word is read where it stands.
//
// It uses core for the types of its answers (Status, PlanEntry, Lifetime) and, from a ModelView, the file's bytes
// only: tensors, sizes, lifetimes, buffers and metadata are read through the accessors generated from the schema, which
// core reads with too, and by the walk and the sizes of engine/oracles/model. One figure comes from core whatever is
// done: how much the tail takes, which V19's room is what remains of (OracleQuestion::rooms).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/arena/observer.h"
#include "core/base/status.h"
#include "core/model/model_view.h"

namespace arenaproof {

// The facts about a tensor that the rules use.
struct OracleTensor {
  std::uint32_t subgraph = 0;
  std::uint32_t index = 0;
  std::uint64_t bytes = 0;
  bool constant = false;
  bool variable = false;
  bool supplied = false;  // a kernel gives it memory
  bool input = false;     // of the model
  std::uint32_t buffer = 0;
  std::int32_t first = -1;
  std::int32_t last = -1;
};

struct OracleModel {
  std::uint32_t subgraph_count = 0;
  std::vector<OracleTensor> tensors;  // of all subgraphs
};

// The model has to pass validation.
OracleModel OracleModelOf(const ModelView& model);

struct OracleQuestion {
  const OracleModel* model = nullptr;
  bool trust = false;
  bool strict = false;
  bool shared_allocator = false;
  bool planner_takes_fixed = true;
  // V19: what the arena has for the head, besides a tail with those variables that the plan leaves there. Either one
  // for each set of placed variables (bit k of the index: the k-th variable of the model is placed), found beforehand
  // in other set-ups than the one in question; or, where those are not known, one that this set-up announced.
  std::span<const std::uint64_t> rooms;
  std::uint64_t room_bytes = 0;
  // Filled in by AskOracle.
  bool present = false;
  std::span<const std::byte> plan;
  std::uint64_t metadata_index = 0;  // of the last entry, as is the buffer
  std::uint64_t first_metadata_index = 0;
  std::uint64_t entry_count = 0;
  std::uint64_t buffer = 0;
};

struct OracleAnswer {
  Status status;                      // ok, or what has to be said
  std::vector<std::int64_t> offsets;  // of each tensor; -1: not placed by the plan
  std::size_t trusted_overlap_count = 0;
  std::vector<Status> warnings;  // of an accepted plan, in the order in which they have to be reported
};

// V3 to V30 about the plan that `view` carries now; without one nothing is placed.
OracleAnswer AskOracle(const ModelView& view, OracleQuestion* question);

// The entry of one tensor, counted over all subgraphs, in a plan that was accepted.
std::int64_t OracleEntry(const OracleQuestion& question, std::size_t tensor);

// What is wrong with the layout of an accepted plan; empty: nothing.
std::string FaultOfLayout(const OracleQuestion& question, const OracleAnswer& answer, std::span<const PlanEntry> layout,
                          std::size_t head_bytes);

}  // namespace arenaproof
