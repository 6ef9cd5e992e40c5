// Which operator, and what it was doing: the place a failure is charged to.
#pragma once

#include <cstdint>

#include "core/arena/observer.h"

namespace arenaproof {

struct OperatorLocation {
  std::int32_t subgraph = -1;
  std::int32_t operator_index = -1;  // -1: no operator was involved
  OperatorPhase phase = OperatorPhase::kInit;

  bool known() const { return operator_index >= 0; }
};

}  // namespace arenaproof
