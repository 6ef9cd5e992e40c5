// What an operator computed and what it asked for, beside its definitions. False when they differ: the difference is
// then on stderr.
#pragma once

#include <cstddef>

#include "engine/cases/operator_case.h"
#include "engine/harness/kernels/table_checks.h"

namespace arenaproof::props {

bool NoDifference(const testing::Difference& difference);

// The output that is number `copy`: to the bit where its definition says the bits, and within what rounding allows of
// the definition on real numbers.
bool CompareOutput(const OperatorCase& subject, const std::byte* found, std::size_t copy, bool omits_last_input);
// To the bit, or if that is not defined, as above: half the work.
bool CompareOutputOnce(const OperatorCase& subject, const std::byte* found, bool omits_last_input);

// What an operator took of scratch buffers and of arrays for its channels.
bool CompareMemory(const OperatorCase& subject, const testing::MemoryRequests& found);

}  // namespace arenaproof::props
