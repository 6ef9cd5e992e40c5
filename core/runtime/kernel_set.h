// Which kernel of a set serves an operator.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/status.h"
#include "core/runtime/kernel.h"

namespace arenaproof {

class ModelView;

// The first of the set's own kernels for `op` that serves such operands (serves null: all), else the fallback's; null
// when there is none. The views are those of prepare.
const Kernel* FindKernel(const KernelSet& set, BuiltinOperator op, std::span<const Operand> inputs,
                         std::span<const Operand> outputs);

// How many operators of the model one of the set's own kernels serves, fallback not counted. A set that serves none has
// nothing to say about the model. Fails as filling an operator's view does (see operand_view.h).
Status CountServedOperators(const KernelSet& set, const ModelView& model, std::size_t* served_count);

}  // namespace arenaproof
