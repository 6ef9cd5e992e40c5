// Whole numbers for operands whose sums a rule keeps within bounds.
#pragma once

#include <cstring>

#include "engine/generators/operators/case_choices.h"

namespace arenaproof {

// Of any width, from -most to most.
inline void FillWithin(CaseRandom& random, CaseTensor& tensor, std::int32_t most) {
  const std::size_t width = ElementBytes(tensor.type);
  tensor.bytes.resize(tensor.count() * width);
  for (std::size_t at = 0; at < tensor.bytes.size(); at += width) {
    const std::int64_t value = random.Between(-most, most);
    std::memcpy(&tensor.bytes[at], &value, width);
  }
}

}  // namespace arenaproof
