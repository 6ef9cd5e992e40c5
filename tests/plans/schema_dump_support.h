// Everything that a reader can reach through the schema of a model file, as text without positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace arenaproof::testing {

struct SchemaDump {
  // Of the root: name and text of each field that is there; of `buffers` and `metadata` an entry each.
  std::vector<std::string> fields;
  std::vector<std::string> buffers;
  std::vector<std::string> metadata;
};

// The file is one that the verifier accepts.
SchemaDump DumpModel(std::span<const std::byte> file);

}  // namespace arenaproof::testing
