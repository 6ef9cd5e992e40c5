// Small models that a fuzzer starts from: each operator that a reference kernel serves, as float and as int8, and what
// else a model file can hold. Made by the model builder, the same bytes each time, none above kMostSeedBytes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace arenaproof {

inline constexpr std::size_t kMostSeedBytes = 4096;

struct ModelSeed {
  std::string name;
  std::vector<std::byte> bytes;
  bool runs = true;  // has to come as far as invoke
};

std::vector<ModelSeed> AllModelSeeds();

}  // namespace arenaproof
