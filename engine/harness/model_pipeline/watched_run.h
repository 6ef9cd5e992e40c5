// The part of the pipeline in which model code runs: prepare and invoke in an arena and a copy of the file that have
// closed bytes around them, watched by the instrument of this build (none in builds without one).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "engine/harness/model_pipeline/stage_counts.h"

namespace arenaproof {

// What an input's choices come from.
std::uint64_t ModelChecksum(std::span<const std::byte> bytes);

// kPlanned, kPrepared or kInvoked. `dear`: run and set up once more, in other ways, and compare.
ModelStage RunWatched(const ValidatedModel& model, const KernelSet& kernels, bool dear);

// Shows the instrument its planted accesses; ends the process when it does not see them. Returns its name, "none" in a
// build without one.
const char* ProveInstrument();

}  // namespace arenaproof
