// Pairs of operands between which no instrument can see: both are open while their operator runs, so an access from one
// into the other is legal wherever it lands.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/arena/observer.h"

namespace arenaproof {

struct BlindPair {
  std::size_t first = 0;  // indices into the operator's operands, first < second
  std::size_t second = 0;
  bool overlap = false;
  std::size_t gap_bytes = 0;  // between the two when they do not overlap
};

// Two distinct operands of one operator that overlap or lie less than 64 bytes apart. An input, output, constant and
// variable of one tensor index are one operand, and so are an input and the output in its very bytes; operands without
// bytes pair with none. (What lies less than 64 bytes from such a group is two pairs, one for each of its names.)
std::vector<BlindPair> FindBlindPairs(std::span<const OperandRange> operands);

std::size_t CountBlindPairs(std::span<const OperandRange> operands);

}  // namespace arenaproof
