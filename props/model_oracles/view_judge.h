// Does the view say what the file says, and are sizes exact?
#pragma once

#include <string>

#include "core/model/model_view.h"

namespace arenaproof::oracle {

// Of any verified file: counts, lists, operator codes, who is a constant, called subgraphs. Empty when all agree.
std::string JudgeView(const ModelView& model);

// Of a sound model: bytes of every tensor in arena and file. Empty when all are exact.
std::string JudgeSizes(const ModelView& model);

}  // namespace arenaproof::oracle
