// Which arenas of a given size are too small for a model, and how large they would have to be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/validated_model.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "tools/memory/host_arenas.h"
#include "tools/memory/memory_need.h"

namespace arenaproof {

struct SmallArena {
  std::string arena;  // single, or of two: head (head and temporaries), tail (what is persistent)
  std::size_t given_bytes = 0;
  std::size_t need_bytes = 0;  // from an address that is a multiple of 16
};

// Of the arenas that a set-up was refused in; empty when the need cannot be found. `set_up` are its options; its
// observer and listener hear nothing.
std::vector<SmallArena> FindSmallArenas(const ValidatedModel& model, const KernelSet& kernels, const ArenaSizes& given,
                                        InterpreterOptions set_up);

// "; the arena for head and temporaries has 64 bytes, and 976 are needed"; empty when there are none.
std::string SmallArenasText(const std::vector<SmallArena>& arenas);

}  // namespace arenaproof
