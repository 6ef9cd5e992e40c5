// What a worker of `arenaproof check` is called with; tools/worker/check_arguments.h reads it.
#pragma once

#include <string>
#include <vector>

#include "tools/command/check.h"

namespace arenaproof {

// The worker's path and its words: one instrument over one layout, the rest as the options say.
std::vector<std::string> WorkerCommand(const CheckOptions& options, const Instrument& instrument,
                                       const std::string& layout);

}  // namespace arenaproof
