// The seed models of corpus/models, each made from a fixed seed.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace arenaproof {

struct SeedModel {
  std::string_view name;  // of the file, without its extension
  std::vector<std::byte> (*make)();
};

std::span<const SeedModel> AllSeedModels();

}  // namespace arenaproof
