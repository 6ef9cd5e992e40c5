#include "tools/memory/host_arenas.h"

#include <cstring>

#include "core/arena/tensor_arena.h"

namespace arenaproof {

void HostArenas::Clear(const ArenaSizes& sizes) {
  std::memset(memory_.start(), 0, sizes.bytes);
  if (sizes.two_arenas) std::memset(persistent_memory_.start(), 0, sizes.persistent_bytes);
}

std::unique_ptr<Interpreter> HostArenas::MakeInterpreter(const ValidatedModel& model, const KernelSet& kernels,
                                                         const ArenaSizes& sizes,
                                                         const InterpreterOptions& options) const {
  if (!sizes.two_arenas) {
    return std::make_unique<Interpreter>(model, kernels, memory_.start(), sizes.bytes, options);
  }
  const ArenaBuffers arenas{persistent_memory_.start(), sizes.persistent_bytes, memory_.start(), sizes.bytes};
  return std::make_unique<Interpreter>(model, kernels, arenas, options);
}

}  // namespace arenaproof
