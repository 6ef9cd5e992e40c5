// Where a model file is damaged that the format's verifier refuses: a second walk over the file, in the verifier's
// order and by the verifier's rules, that keeps its path. The verifier decides whether a file is damaged; this one only
// explains. It reads nothing outside the file, and visits no more tables than the verifier does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace arenaproof {

// How far the verifier follows tables: the second and third number of kModelStructure.
struct StructureLimits {
  std::uint64_t most_tables = 0;
  std::uint64_t most_depth = 0;
};

struct DamagedPlace {
  std::string path;          // "Model.subgraphs[0].tensors[3]"
  std::string table;         // "Tensor"
  std::string field;         // "shape"; empty: the table as a whole
  std::uint64_t offset = 0;  // the byte of the file at which the thing lies that is wrong
  std::string what;          // what is wrong with it, and how far the file reaches
};

// The first damaged place; nothing in a file that the verifier accepts.
std::optional<DamagedPlace> LocateDamage(std::span<const std::byte> file, const StructureLimits& limits);

std::string DamageSentence(const DamagedPlace& place);

}  // namespace arenaproof
