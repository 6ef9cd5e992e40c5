// Words that the event checks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace arenaproof {

inline std::string Bytes(std::size_t count) { return std::to_string(count) + " bytes"; }

inline std::string NameOfOperator(std::int32_t subgraph, std::int32_t operator_index) {
  return "operator " + std::to_string(operator_index) + " of subgraph " + std::to_string(subgraph);
}

}  // namespace arenaproof
