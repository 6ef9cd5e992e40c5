// How large the arena is, or the two, in each layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/status.h"
#include "core/model/validated_model.h"
#include "core/runtime/interpreter/interpreter_options.h"
#include "core/runtime/interpreter/operator_location.h"
#include "core/runtime/kernel_interface/constant_placement.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/memory/host_arenas.h"

namespace arenaproof {

// What the user asked for; a size that is not given is the smallest with which set-up succeeds.
struct GivenArenas {
  std::optional<std::uint64_t> bytes;             // the single arena, or the one for head and temporaries
  std::optional<std::uint64_t> persistent_bytes;  // of two arenas
  bool two_arenas = false;
};

struct ArenaSize {
  Status status;  // why there is none
  OperatorLocation location;
  ArenaSizes faithful;  // as given or found
  ArenaSizes dilated;   // with dilated layout only
};

inline constexpr std::size_t kPersistentSpacingBytes = 64;  // of the dilated layout

// The faithful set-up has to succeed in any case: the dilated layout spreads what a device would do. Its arenas are
// larger by a multiple of 64, at first by 64 KiB, and the one that holds the tail is smaller by what a device's own
// planner takes there (here the planner lives outside), so that persistent blocks keep their addresses modulo 64 too.
// `set_up`: planner and offline plan are taken from it.
ArenaSize FindArenaSize(const ValidatedModel& model, const KernelSet& kernels, const GivenArenas& given, bool dilated,
                        ConstantPlacement* constants, const InterpreterOptions& set_up = {});

}  // namespace arenaproof
