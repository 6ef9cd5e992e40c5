// Whether an operator's options were decoded as the file has them, read field by field from where the schema puts them.
#pragma once

#include <string>

#include "core/model/operator_options.h"
#include "core/model/schema_generated.h"

namespace arenaproof::oracle {

// "the view misreads field 5 of the options of ", without the operator's name; empty when all is well, and where the
// file has no options.
std::string CheckOptions(const wire::Operator& table, const OperatorOptions& decoded);

}  // namespace arenaproof::oracle
