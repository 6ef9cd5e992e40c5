// Reproducible values for input tensors: one xorshift32 generator for a run, used for the input tensors in the order of
// the subgraph's input list, each filled from its first byte to its last.
//
//   integers: every byte in memory order is the generator's top byte; bool: its lowest bit
//   float32: every element is (top 24 bits) / 2^23 - 1, in [-1, 1) and exact
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/tensor_type.h"

namespace arenaproof {

class InputGenerator {
 public:
  // A seed whose state would be 0 (every multiple of 2^32) gives zeros for ever; seeds are 1 or more.
  explicit InputGenerator(std::uint32_t seed) : state_(seed * std::uint32_t{2654435761}) {}

  // False, with nothing written, when there is no rule for `type` or the bytes are no whole number of its elements.
  bool Fill(TensorType type, std::span<std::byte> bytes);

  std::uint32_t Next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }

 private:
  std::uint32_t state_;
};

}  // namespace arenaproof
