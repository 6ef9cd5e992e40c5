// One buffer of a plan that lies in the very bytes of another: the output of an operator in those of an input. A group
// is an owner, which has its own bytes, and every buffer whose way along `source` leads to it.
#pragma once

#include <cstdint>

namespace arenaproof {

struct BufferAlias {
  std::uint32_t buffer = 0;  // index in the plan
  std::uint32_t source = 0;  // the input whose bytes it lies in: the owner, or a buffer that shares with it too
  std::uint32_t owner = 0;   // of the group
  bool modifies = true;      // the operator writes other data than it reads
  // The operator that writes `buffer`, and which of its inputs `source` is.
  std::int32_t subgraph = 0;
  std::int32_t operator_index = 0;
  std::int32_t input = 0;
  std::int32_t owner_last = 0;  // JoinedGroups keeps it here: when the owner itself dies
};

}  // namespace arenaproof
