// How large the arena has to be for a model, by real set-ups in arenas of many sizes: the oracle of MeasureMemory
// (tools/memory/memory_need.h), which computes the same sizes from one.
#pragma once

#include <cstddef>

#include "core/base/status.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

struct ArenaNeed {
  Status status;                     // of the largest arena tried when no size succeeds
  OperatorLocation location;         // of that failure
  std::size_t bytes = 0;             // with an arena that starts on 64 bytes; of two: the one for head and temporaries
  std::size_t persistent_bytes = 0;  // of two arenas: the one for the tail
};

// Tries set-ups with growing arenas, then bisects. The number of resource variables is the model's, whatever `options`
// has; an offline plan's listener receives what every set-up that is tried reports.
ArenaNeed FindArenaNeed(const ValidatedModel& model, const KernelSet& kernels, const InterpreterOptions& options = {},
                        bool two_arenas = false);

}  // namespace arenaproof
