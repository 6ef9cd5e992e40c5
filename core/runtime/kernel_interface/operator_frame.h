// Storage outside the arena for the operator that runs: all that its kernel's code gets to see besides its operands'
// bytes, and the access list for the observer. Filled by the runtime before each of an operator's phases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/arena/observer.h"
#include "core/runtime/kernel_interface/kernel.h"
#include "core/runtime/kernel_interface/limits.h"

namespace arenaproof {

struct OperatorFrame {
  // Prepare lists for each operand its data, scales and zero points, a custom operator's options, and the operator's
  // persistent blocks.
  static constexpr std::size_t kRangeCapacity = 3 * kMaxOperandsPerOperator + 1 + kMaxPersistentBlocksPerOperator;
  static_assert(kRangeCapacity >= kMaxOperandsPerOperator + kScratchOutsideArena + kMaxPersistentBlocksPerOperator);

  std::array<Operand, kMaxOperandsPerOperator> operands{};  // inputs, then outputs
  std::size_t input_count = 0;
  std::size_t output_count = 0;
  OperatorOptions options;
  std::span<const std::byte> custom_options;  // empty for an operator of the format's own
  std::array<std::byte*, kScratchOutsideArena> scratch{};
  std::span<std::byte* const> scratch_addresses;  // in `scratch`, or in the tail when they are more
  std::array<OperandRange, kRangeCapacity> ranges{};
  // Persistent blocks that the operator took in an earlier phase, and those of the running phase, which move to the
  // operator's record when the phase has ended.
  std::size_t held_block_count = 0;
  std::array<MemoryRegion, kMaxPersistentBlocksPerOperator> new_blocks{};
  std::size_t new_block_count = 0;

  std::span<const Operand> inputs() const { return {operands.data(), input_count}; }
  std::span<const Operand> outputs() const { return {operands.data() + input_count, output_count}; }
};

}  // namespace arenaproof
