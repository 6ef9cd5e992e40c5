// Options of operators: of the right kind for a code, and changed. For .cc files that have the generated types.
#pragma once

#include <array>

#include "core/model/schema_generated.h"
#include "engine/generators/mutator/random_choice.h"

namespace arenaproof {

// Those that a reference kernel serves.
inline constexpr std::array kServedOperators = {wire::BuiltinOperator::ADD,
                                                wire::BuiltinOperator::AVERAGE_POOL_2D,
                                                wire::BuiltinOperator::CONCATENATION,
                                                wire::BuiltinOperator::CONV_2D,
                                                wire::BuiltinOperator::DEPTHWISE_CONV_2D,
                                                wire::BuiltinOperator::DEQUANTIZE,
                                                wire::BuiltinOperator::FULLY_CONNECTED,
                                                wire::BuiltinOperator::LOGISTIC,
                                                wire::BuiltinOperator::MAX_POOL_2D,
                                                wire::BuiltinOperator::MEAN,
                                                wire::BuiltinOperator::MUL,
                                                wire::BuiltinOperator::PAD,
                                                wire::BuiltinOperator::PADV2,
                                                wire::BuiltinOperator::QUANTIZE,
                                                wire::BuiltinOperator::RELU,
                                                wire::BuiltinOperator::RELU6,
                                                wire::BuiltinOperator::RESHAPE,
                                                wire::BuiltinOperator::SOFTMAX,
                                                wire::BuiltinOperator::TANH};

// Replaces the options by valid ones of the code's kind; by none when the code has none.
void GiveOptions(wire::OperatorT& op, wire::BuiltinOperator code);

// Changes one field; or now and then the kind, to a wrong one.
void MutateOptions(wire::OperatorT& op, RandomChoice& random);

}  // namespace arenaproof
