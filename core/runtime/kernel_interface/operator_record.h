// What the runtime remembers of an operator, in the tail.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/structure_bytes.h"
#include "core/runtime/kernel_interface/kernel.h"

namespace arenaproof {

// A persistent block that an operator took in init or prepare, with its exact size: what the operator may touch later.
// One such record (24 bytes) stands in the tail for each block, with and without an observer, so that observing a model
// changes no address.
struct PersistentBlock {
  PersistentBlock* next = nullptr;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};
ARENAPROOF_PIN_BYTES(PersistentBlock, 24, 8, 12, 4);

struct OperatorRecord {
  std::span<const std::int32_t> inputs;  // in the model file, -1: omitted
  std::span<const std::int32_t> outputs;
  const Kernel* kernel = nullptr;
  void* op_data = nullptr;
  PersistentBlock* blocks = nullptr;  // in the order taken
  std::uint32_t block_count = 0;
  std::uint32_t first_scratch = 0;  // index over the whole model
  std::uint32_t scratch_count = 0;
  std::array<std::int16_t, 2> called_subgraphs{-1, -1};  // -1: none
};
ARENAPROOF_PIN_BYTES(OperatorRecord, 72, 8, 44, 4);

}  // namespace arenaproof
