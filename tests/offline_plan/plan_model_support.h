// Models with an offline plan as plain values, and their set-up with kernels that do nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/offline_plan.h"
#include "core/planner/memory_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "tools/model/offline_plan_report.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

struct PlanTensor {
  std::int32_t bytes = 48;
  bool variable = false;
  bool constant = false;  // its buffer holds data; with `variable` too, that data is dropped
};

struct PlanOperator {
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

struct PlanSubgraph {
  std::vector<PlanTensor> tensors;
  std::vector<PlanOperator> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
};

using Words = std::vector<std::int32_t>;

// The bytes of a plan: version 1, 0 subgraphs, as many offsets as there are.
std::vector<std::byte> PlanBytes(const Words& offsets, const OfflinePlanHeader& header = {});

// A model and its plan. What the builder makes can be changed in `builder` before Build().
class PlanModel {
 public:
  explicit PlanModel(const std::vector<PlanSubgraph>& subgraphs);
  // One subgraph of `operators` over `count` float tensors of 48 bytes: the first operator's inputs (all, or the first
  // `input_count`) are the subgraph's, the last operator's outputs too.
  PlanModel(std::size_t count, const std::vector<PlanOperator>& operators, std::size_t input_count = 0);

  PlanModel& WithPlan(const Words& offsets, const OfflinePlanHeader& header = {});
  PlanModel& WithPlanBytes(std::span<const std::byte> bytes, const std::string& name = std::string(kOfflinePlanName));

  // The view stays valid until the next Build or the end of this object.
  const ValidatedModel& Build();
  std::vector<std::byte>& file() { return file_; }
  // Overwrites the plan in the file that was built, from its first byte on: no more bytes than it has.
  void OverwritePlan(std::span<const std::byte> bytes);

  ModelBuilder builder;

 private:
  std::vector<std::byte> file_;
  std::optional<ValidatedModel> view_;
};

// t0 -> t1 -> ... of 48 bytes each.
PlanModel Chain(std::int32_t length);

// ABS copies nothing; a kernel set in which it, ADD and CONCATENATION do nothing and ask for what `PlanKernels` says.
struct PlanKernels {
  std::vector<std::size_t> scratch_bytes;  // asked for by every operator's prepare
  bool place_outputs = false;              // every operator's prepare gives its first output memory
};
PlanKernels& Behavior();
const KernelSet& DoNothingKernels();

constexpr std::int64_t kNoOffset = -1;

// A set-up model, or why it is none.
struct PlanOutcome {
  Status status;
  std::vector<std::int64_t> offsets;  // of all tensors of the plan committed; kNoOffset when not in the head
  std::vector<std::int64_t> scratch_offsets;
  std::vector<PlanEntry> plan;
  std::size_t head_bytes = 0, tail_bytes = 0, lost_tail_bytes = 0;
  std::size_t room_bytes = 0;  // for the head, when the plan was checked
  OfflinePlanRecorder recorded;
};

struct PlanSetUp {
  std::size_t arena_bytes = 1 << 16;
  std::size_t misalignment = 0;  // of the arena's start, from a multiple of 64
  bool trust = false;
  MemoryPlanner* planner = nullptr;
  bool strict = false;
  bool shared_allocator = false;
  bool ignore = false;
};

PlanOutcome SetUpModel(const ValidatedModel& model, const PlanSetUp& how = {});

// "kOfflinePlanMisaligned 1 2 40 0".
std::string Text(const Status& status);
std::vector<std::string> Texts(const std::vector<Status>& statuses);

}  // namespace arenaproof::testing
