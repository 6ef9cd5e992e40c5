// A kernel whose output 0 lies in the very bytes of an input, for each input that it lets share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/harness/kernels/kernel_harness.h"

namespace arenaproof::testing {

struct InPlaceRuns {
  std::size_t count = 0;       // inputs that were shared
  std::string broken_promise;  // empty when all held
};

// What the runtime would let share, had nobody else a use for the input: as many bytes, more than kScalarBytes where
// data are modified, no constant and no variable. Every output has to be as expected, to the bit; other inputs stay as
// they were; in the preset `shadow` no byte is read behind its write.
InPlaceRuns RunInPlace(const KernelSet& set, const TestOperator& subject,
                       const std::vector<std::vector<std::byte>>& expected);

}  // namespace arenaproof::testing
