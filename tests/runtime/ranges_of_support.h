// The ranges of one kind in an access list.
#pragma once

#include <vector>

#include "engine/harness/event_log.h"

namespace arenaproof::testing {

inline std::vector<OperandRange> RangesOf(OperandKind kind, const std::vector<OperandRange>& list) {
  std::vector<OperandRange> found;
  for (const OperandRange& range : list) {
    if (range.kind == kind) found.push_back(range);
  }
  return found;
}

}  // namespace arenaproof::testing
