#include "engine/oracles/memory/arena_need_by_bisection.h"

#include "core/runtime/interpreter/interpreter.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/larger_arena.h"
#include "tools/model/model_options.h"

namespace arenaproof {

ArenaNeed FindArenaNeed(const ValidatedModel& model, const KernelSet& kernels, const InterpreterOptions& options,
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
