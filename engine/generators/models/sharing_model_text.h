// What each operator of a model reads and writes, and whom it calls: a line for each, for whoever looks at a failing
// case.
#pragma once

#include <string>

#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {

std::string SharingModelText(const ModelBuilder& model);

}  // namespace arenaproof::testing
