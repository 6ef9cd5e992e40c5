#include "tools/worker/arena_size.h"

#include <memory>

#include "core/runtime/interpreter/interpreter.h"
#include "sanitizers/layout/dilating_planner.h"
#include "sanitizers/layout/layout.h"
#include "tools/memory/larger_arena.h"
#include "tools/memory/memory_need.h"
#include "tools/memory/memory_replay.h"
#include "tools/memory/memory_trace.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/model_options.h"

namespace arenaproof {
namespace {

struct SetUp {
  Status status;
  OperatorLocation location;
  std::size_t tail_bytes = 0;
};

SetUp TrySetUp(const ValidatedModel& model, const KernelSet& kernels, const ArenaSizes& sizes,
               const InterpreterOptions& options, HostArenas& memory) {
  if (!memory.Grow(sizes)) return {Failure(StatusCode::kLayoutMemory, sizes.bytes + sizes.persistent_bytes), {}, 0};
  const auto interpreter = memory.MakeInterpreter(model, kernels, sizes, ForModel(model, options));
  const Status status = interpreter->AllocateTensors();
  return {status, interpreter->failed_operator(), interpreter->tail_bytes()};
}

}  // namespace

ArenaSize FindArenaSize(const ValidatedModel& model, const KernelSet& kernels, const GivenArenas& given, bool dilated,
                        ConstantPlacement* constants, const InterpreterOptions& set_up) {
  ArenaSize size;
  size.faithful = {given.bytes.value_or(0), given.persistent_bytes.value_or(0), given.two_arenas};
  if (!given.bytes || (given.two_arenas && !given.persistent_bytes)) {
    const MemoryNeed need = MeasureMemory(model, kernels, {.two_arenas = given.two_arenas, .set_up = set_up});
    size.status = need.status;
    size.location = need.location;
    if (!size.status.ok()) return size;
    if (!given.bytes) size.faithful.bytes = need.need_bytes;
    if (!given.persistent_bytes) size.faithful.persistent_bytes = need.persistent_need_bytes;
  }
  HostArenas memory;
  const SetUp device = TrySetUp(model, kernels, size.faithful, set_up, memory);
  size.status = device.status;
  size.location = device.location;
  if (!size.status.ok() || !dilated) return size;

  DevicePlanner outside_planner;
  InterpreterOptions outside_options = set_up;
  outside_options.planner = &outside_planner.Of(set_up);
  const SetUp outside = TrySetUp(model, kernels, size.faithful, outside_options, memory);
  const std::size_t planner_bytes = device.tail_bytes - outside.tail_bytes;
  for (std::size_t more = kFirstTriedBytes; more <= kMaxArenaBytes; more *= 2) {
    DevicePlanner inner;
    DilatingPlanner dilating(inner.Of(set_up), set_up.offline_plan.trust);
    InterpreterOptions dilated_options = set_up;
    dilated_options.planner = &dilating;
    dilated_options.constants = constants;
    dilated_options.persistent_spacing_bytes = kPersistentSpacingBytes;
    MemoryTrace trace;
    dilated_options.observer = &trace;
    size.dilated = size.faithful;
    size.dilated.bytes += more;
    if (given.two_arenas) size.dilated.persistent_bytes += more;
    (given.two_arenas ? size.dilated.persistent_bytes : size.dilated.bytes) -= planner_bytes;
    const SetUp spread = TrySetUp(model, kernels, size.dilated, dilated_options, memory);
    size.status = spread.status;
    size.location = spread.location;
    if (size.status.ok()) size.dilated.bytes += MostPaddingByChance(trace.operations());
    if (size.status.ok() || !AsksForALargerArena(size.status)) return size;
  }
  return size;
}

}  // namespace arenaproof
