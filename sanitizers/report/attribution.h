// All runs of illegal bytes of an access, each with the operand that it is charged to, for those who have a heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arena/observer.h"
#include "sanitizers/device/illegal_runs.h"

namespace arenaproof {

// One entry for each maximal run; empty when the operands allow all of [address, address + bytes). `allowances` may be
// read, and nothing is charged to them.
std::vector<IllegalRun> AttributeAccess(std::span<const OperandRange> operands, std::uintptr_t address,
                                        std::size_t bytes, bool write, std::span<const OperandRange> allowances = {});

}  // namespace arenaproof
