// Inside the model builder only: writes its description as a flatbuffer.
#pragma once

#include <cstddef>
#include <vector>

namespace arenaproof {

class ModelBuilder;

std::vector<std::byte> WriteModel(const ModelBuilder& description);

}  // namespace arenaproof
