// How the list of what the running operator may touch changes while it calls the runtime. A block that is taken away is
// emptied and stays in the list, so that the ordinals of the others stay.
#pragma once

#include <cstddef>
#include <span>

#include "core/arena/observer.h"

namespace arenaproof {

// The next entry of the list, for a block that the operator was given: the ordinal counts those of its kind.
OperandRange GivenBlock(std::span<const OperandRange> operands, OperandKind kind, MemoryRegion block);

void TakeTemporary(std::span<OperandRange> operands, const std::byte* address);
void TakeTemporaries(std::span<OperandRange> operands);
// Every persistent block below `tail_begin`.
void TakePersistentBelow(std::span<OperandRange> operands, const std::byte* tail_begin);

}  // namespace arenaproof
