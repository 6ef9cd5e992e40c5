#include "tools/arena_need.h"

#include <memory>

#include "core/runtime/interpreter.h"
#include "tools/arena_memory.h"
#include "tools/model_options.h"

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

ArenaNeed FindArenaNeed(const ModelView& model, const KernelSet& kernels, MemoryPlanner* planner,
                        const OfflinePlanPolicy& offline_plan) {
  ArenaNeed need;
  ArenaMemory memory;
  const auto succeeds = [&](std::size_t bytes) {
    if (!memory.Grow(bytes)) return false;
    InterpreterOptions options = ForModel(model, {.planner = planner});
    options.offline_plan = offline_plan;
    const auto interpreter = std::make_unique<Interpreter>(model, kernels, memory.start(), bytes, options);
    const Status status = interpreter->AllocateTensors();
    if (status.ok()) return true;
    need.status = status;
    need.location = interpreter->failed_operator();
    return false;
  };
  std::size_t enough = kFirstTriedBytes;
  while (!succeeds(enough)) {
    if (!AsksForALargerArena(need.status) || enough >= kMaxArenaBytes) return need;
    enough *= 2;
  }
  std::size_t too_small = enough == kFirstTriedBytes ? 0 : enough / 2;
  while (enough - too_small > 1) {
    const std::size_t middle = too_small + (enough - too_small) / 2;
    (succeeds(middle) ? enough : too_small) = middle;
  }
  need.status = Ok();
  need.bytes = enough;
  return need;
}

}  // namespace arenaproof
