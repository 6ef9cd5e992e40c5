#include "tools/worker/arena_size.h"

#include <memory>

#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter.h"
#include "sanitizers/dilating_planner.h"
#include "sanitizers/layout.h"
#include "tools/arena_memory.h"
#include "tools/arena_need.h"
#include "tools/model_options.h"

namespace arenaproof {
namespace {

struct SetUp {
  Status status;
  OperatorLocation location;
  std::size_t tail_bytes = 0;
};

SetUp TrySetUp(const ModelView& model, const KernelSet& kernels, std::size_t bytes, const InterpreterOptions& options,
               ArenaMemory& memory) {
  if (!memory.Grow(bytes)) return {Failure(StatusCode::kLayoutMemory, bytes), {}, 0};
  const auto interpreter =
      std::make_unique<Interpreter>(model, kernels, memory.start(), bytes, ForModel(model, options));
  const Status status = interpreter->AllocateTensors();
  return {status, interpreter->failed_operator(), interpreter->tail_bytes()};
}

}  // namespace

ArenaSize FindArenaSize(const ModelView& model, const KernelSet& kernels, std::size_t given_bytes, bool dilated,
                        ConstantPlacement* constants, const OfflinePlanPolicy& offline_plan) {
  ArenaSize size;
  size.faithful_bytes = given_bytes;
  if (given_bytes == 0) {
    const ArenaNeed need = FindArenaNeed(model, kernels, nullptr, offline_plan);
    if (!need.status.ok()) {
      size.status = need.status;
      size.location = need.location;
      return size;
    }
    size.faithful_bytes = need.bytes;
  }
  ArenaMemory memory;
  const SetUp device = TrySetUp(model, kernels, size.faithful_bytes, {.offline_plan = offline_plan}, memory);
  size.status = device.status;
  size.location = device.location;
  if (!size.status.ok() || !dilated) return size;

  GreedyPlanner greedy;
  const SetUp outside =
      TrySetUp(model, kernels, size.faithful_bytes, {.planner = &greedy, .offline_plan = offline_plan}, memory);
  const std::size_t planner_bytes = device.tail_bytes - outside.tail_bytes;
  for (std::size_t more = kClosedBytes; more <= kMaxArenaBytes; more *= 2) {
    GreedyPlanner inner;
    DilatingPlanner dilating(inner, offline_plan.trust);
    size.dilated_bytes = size.faithful_bytes - planner_bytes + more;
    const SetUp spread = TrySetUp(model, kernels, size.dilated_bytes,
                                  {.planner = &dilating,
                                   .constants = constants,
                                   .persistent_spacing_bytes = kPersistentSpacingBytes,
                                   .offline_plan = offline_plan},
                                  memory);
    size.status = spread.status;
    size.location = spread.location;
    if (size.status.ok() || !AsksForALargerArena(size.status)) return size;
  }
  return size;
}

}  // namespace arenaproof
