#include "tools/memory/arena_need.h"

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/host_arenas.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

constexpr std::size_t kFirstTriedBytes = 16 * 1024;

}  // namespace

bool AsksForALargerArena(const Status& status) {
  switch (status.code) {
    case StatusCode::kArenaBufferTooSmall:
    case StatusCode::kArenaHeadDoesNotFit:
    case StatusCode::kArenaTemporaryDoesNotFit:
    case StatusCode::kArenaPersistentDoesNotFit:
    case StatusCode::kPlanDoesNotFit:
    case StatusCode::kPlanMemoryDoesNotFit:
    case StatusCode::kOfflinePlanOutsideHead:
    case StatusCode::kTailWouldCrossHead:
      return true;
    default:
      return false;
  }
}

const char* HintAtALargerArena(const Status& status) {
  return AsksForALargerArena(status) ? "; when no size is given the model gets as much as it needs" : "";
}

ArenaNeed FindArenaNeed(const ModelView& model, const KernelSet& kernels, MemoryPlanner* planner,
                        const OfflinePlanPolicy& offline_plan) {
  InterpreterOptions options{.planner = planner};
  options.offline_plan = offline_plan;
  return FindArenaNeed(model, kernels, options, false);
}

ArenaNeed FindArenaNeed(const ModelView& model, const KernelSet& kernels, const InterpreterOptions& options,
                        bool two_arenas) {
  ArenaNeed need;
  HostArenas memory;
  const InterpreterOptions chosen = ForModel(model, options);
  const auto succeeds = [&](const ArenaSizes& sizes) {
    if (!memory.Grow(sizes)) {
      need.status = Failure(StatusCode::kLayoutMemory, sizes.bytes + sizes.persistent_bytes);
      return false;
    }
    const auto interpreter = memory.MakeInterpreter(model, kernels, sizes, chosen);
    const Status status = interpreter->AllocateTensors();
    if (status.ok()) return true;
    need.status = status;
    need.location = interpreter->failed_operator();
    return false;
  };
  ArenaSizes sizes{kFirstTriedBytes, two_arenas ? kFirstTriedBytes : 0, two_arenas};
  while (!succeeds(sizes)) {
    if (!AsksForALargerArena(need.status) || sizes.bytes >= kMaxArenaBytes) return need;
    sizes.bytes *= 2;
    sizes.persistent_bytes *= 2;
  }
  // What one arena needs does not depend on the other's size.
  const auto shrink = [&](std::size_t& enough) {
    std::size_t too_small = 0;
    while (enough - too_small > 1) {
      ArenaSizes tried = sizes;
      const std::size_t middle = too_small + (enough - too_small) / 2;
      (&enough == &sizes.bytes ? tried.bytes : tried.persistent_bytes) = middle;
      (succeeds(tried) ? enough : too_small) = middle;
    }
  };
  shrink(sizes.bytes);
  if (two_arenas) shrink(sizes.persistent_bytes);
  need.status = Ok();
  need.bytes = sizes.bytes;
  need.persistent_bytes = sizes.persistent_bytes;
  return need;
}

}  // namespace arenaproof
