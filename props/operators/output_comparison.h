// What an operator computed and what it asked for, beside its definitions. False when they differ: the difference is
// then on stderr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cases/operator_case.h"
#include "engine/oracles/operators/naive_reference.h"

namespace arenaproof::props {

// The output that is number `copy`: to the bit where its definition says the bits, and within what rounding allows of
// the definition on real numbers.
bool CompareOutput(const OperatorCase& subject, const std::byte* found, std::size_t copy, bool omits_last_input);
// To the bit, or if that is not defined, as above: half the work.
bool CompareOutputOnce(const OperatorCase& subject, const std::byte* found, bool omits_last_input);

// Each element within the tolerance of what is expected of output number `which`.
bool CompareElements(TensorType type, const std::byte* found, std::size_t which, const Expected& expected);

// What operator `op` took of scratch buffers and of arrays for its channels.
bool CompareMemory(const OperatorCase& subject, std::int32_t op, const std::vector<std::size_t>& scratch,
                   const std::vector<std::size_t>& arrays);

// The same with what the definition says.
bool CompareMemory(std::int32_t op, const std::vector<std::size_t>& scratch,
                   const std::vector<std::size_t>& defined_scratch, const std::vector<std::size_t>& arrays,
                   const std::vector<std::size_t>& defined_arrays);

}  // namespace arenaproof::props
