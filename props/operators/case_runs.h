// One case of each kind beside the table, through the interpreter: false when a kernel is wrong. What is wrong is then
// on stderr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "engine/generators/operators/invalid_case.h"
#include "engine/generators/operators/operator_generator.h"
#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

// Does prepare accept the valid model, and refuse the broken one with the status that says why? `fits`: the arena is
// large enough for what is accepted.
bool Prepares(const std::vector<std::byte>& file, const KernelSet& kernels, bool dilated,
              const std::optional<Refusal>& refusal, bool fits = true);

// ", too few inputs (kKernelOperandCount)".
std::string Words(const Refusal& refusal);

// Does the operator compute what its definition says, in the memory that the definition says? Without a definition of
// the table's kind the older oracles speak.
bool RunValid(CaseRandom& random, const OperatorCase& subject, const OperatorDefinition* definition = nullptr);

bool RunCall(CaseRandom& random);
bool RunInvalid(CaseRandom& random);
bool RunInvalid(CaseRandom& random, std::size_t rule);
bool RunLimit(CaseRandom& random, std::size_t which, bool beyond);

}  // namespace arenaproof::props
