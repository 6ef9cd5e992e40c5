// The part of the pipeline in which model code runs: prepare and invoke in an arena and a copy of the file that have
// closed bytes around them, watched by the instrument of this build (none in builds without one).
#pragma once

#include <cstdint>
#include <span>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/harness/model_pipeline/stage_counts.h"

namespace arenaproof {

// `bytes` is a model that validation has accepted. kPlanned, kPrepared or kInvoked.
ModelStage RunWatched(std::span<const std::uint8_t> bytes, const KernelSet& kernels);

// Shows the instrument its planted accesses; ends the process when it does not see them. Returns its name, "none" in a
// build without one.
const char* ProveInstrument();

}  // namespace arenaproof
