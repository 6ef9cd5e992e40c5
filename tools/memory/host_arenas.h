// Memory on the host for one arena or for two, and an interpreter in it.
#pragma once

#include <cstddef>
#include <memory>

#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/memory/arena_memory.h"

namespace arenaproof {

struct ArenaSizes {
  std::size_t bytes = 0;             // the single arena, or the one for head and temporaries
  std::size_t persistent_bytes = 0;  // of two arenas: the one for the tail
  bool two_arenas = false;
};

class HostArenas {
 public:
  // At least so much memory, contents lost when it has to grow; false when there is not so much.
  bool Grow(const ArenaSizes& sizes) {
    return memory_.Grow(sizes.bytes) && (!sizes.two_arenas || persistent_memory_.Grow(sizes.persistent_bytes));
  }
  // Every byte of arenas of these sizes becomes 0.
  void Clear(const ArenaSizes& sizes);

  // In arenas of these sizes, for which Grow() has been called. The arenas are this object's, and outlive it.
  std::unique_ptr<Interpreter> MakeInterpreter(const ValidatedModel& model, const KernelSet& kernels,
                                               const ArenaSizes& sizes, const InterpreterOptions& options) const;

 private:
  ArenaMemory memory_, persistent_memory_;
};

}  // namespace arenaproof
