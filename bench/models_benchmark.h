// Benchmarks whose number depends on the model files that are there.
#pragma once

#include <string>

namespace arenaproof {

// validate/, set_up/ and invoke/ of every model of corpus/models and, when it is there, of the reference material
// beside the repository; of the former also with observers. Models that are not supported are named and left out.
// Returns a sentence when a model of the corpus cannot be used.
std::string RegisterModelBenchmarks();

}  // namespace arenaproof
