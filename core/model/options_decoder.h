// Inside the model room only: options of one operator as plain values.
#pragma once

#include "core/model/builtin_operator.h"
#include "core/model/operator_options.h"

namespace arenaproof {

// `operator_table` is a verified wire Operator. Reads the union member that the table names; without one, the
// defaults of `code` (see OperatorView::options).
OperatorOptions DecodeOptions(const void* operator_table, BuiltinOperator code);

}  // namespace arenaproof
