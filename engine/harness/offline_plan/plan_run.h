// One model, set up once with whatever plan it carries at the moment, and checked by the oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "engine/oracles/offline_plan/plan_oracle.h"

namespace arenaproof {

inline constexpr std::size_t kMostPlanArenaBytes = 64 * 1024;

struct PlanRunOptions {
  bool trust = false;
  bool strict = false;
  bool linear_planner = false;
  std::size_t misalignment = 0;  // of the arena's start, from a multiple of 64
  std::size_t arena_bytes = kMostPlanArenaBytes;
  // Called after a refusal, before the same interpreter is asked again: makes every entry of the plan -1.
  void (*correct)() = nullptr;
  // The layout of the model with a plan of -1 only (null: not known), and the tail it takes in an arena that ends at
  // the same distance from a multiple of 64 (0: not known).
  const std::vector<PlanEntry>* plain = nullptr;
  std::size_t plain_tail_bytes = 0;
  // OracleQuestion::rooms of this arena; none: the room is what the set-up's own tail leaves when its plan is checked.
  std::span<const std::uint64_t> rooms;
  // Nothing but the plan and the arena's size can be refused.
  bool no_kernels = false;
};

struct PlanRunResult {
  Status status;
  std::vector<PlanEntry> layout;
  std::size_t tail_bytes = 0;
};

// Goes from the model file's bytes to the reserved head, in one arena.
class PlanSetUp {
 public:
  virtual ~PlanSetUp() = default;
  // Once, and again after a failure.
  virtual Status Allocate() = 0;
  virtual std::size_t head_bytes() const = 0;
  virtual std::size_t tail_bytes() const = 0;
  virtual std::size_t lost_tail_bytes() const = 0;
};

// Makes a set-up at `place`, which has kPlanSetUpBytes bytes and the alignment of any object.
using MakePlanSetUp = PlanSetUp* (*)(const ValidatedModel& model, std::span<std::byte> arena,
                                     const InterpreterOptions& options, void* place);
inline constexpr std::size_t kPlanSetUpBytes = 64 * 1024;

// An interpreter and the reference kernels.
PlanSetUp* InterpreterSetUp(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options,
                            void* place);
// The allocator alone, with the scratch requests that PlanScratchBytes returns in place of kernels, and tensor
// kSuppliedTensor of the main subgraph given memory as a kernel might.
PlanSetUp* AllocatorSetUp(const ValidatedModel& model, std::span<std::byte> arena, const InterpreterOptions& options,
                          void* place);

// Asks the oracle about the plan that `model` carries. Ends the process at the first disagreement.
PlanRunResult RunPlan(const ValidatedModel& model, const OracleModel& facts, MakePlanSetUp make,
                      const PlanRunOptions& options);

}  // namespace arenaproof
