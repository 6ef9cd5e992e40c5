// An operator's name for people.
#pragma once

#include <string>

#include "core/model/model_view.h"

namespace arenaproof {

// "FULLY_CONNECTED"; a custom operator's own name, made printable. Files may carry a name for an operator of the
// format's own too; the code counts.
std::string OperatorName(const OperatorView& view);
std::string OperatorNameAt(const ModelView& model, std::int32_t subgraph, std::int32_t index);

}  // namespace arenaproof
