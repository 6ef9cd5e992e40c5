// Which types of operands the kernels here serve, operator by operator: a second statement beside the checks of their
// prepare functions.
#pragma once

#include <optional>
#include <span>

#include "core/model/builtin_operator.h"
#include "core/model/tensor_type.h"

namespace arenaproof::props {

// Every type of the schema.
std::span<const TensorType> SchemaTypes();

// Are these the types of an operator that is served? An input that is left out has no type, nor has the output of one
// that has none. Nothing for operators that call subgraphs: what they serve depends on those.
std::optional<bool> ServesTypes(BuiltinOperator code, std::span<const std::optional<TensorType>> inputs,
                                std::optional<TensorType> output);

}  // namespace arenaproof::props
