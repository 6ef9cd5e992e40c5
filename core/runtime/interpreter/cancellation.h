// How an application ends an invoke that runs: it is asked between operators whether to go on. An engine that counts
// work instead of looking at a clock spends it here.
#pragma once

#include "core/runtime/interpreter/operator_location.h"

namespace arenaproof {

class Cancellation {
 public:
  // Asked at the start of each subgraph, the main one included (operator_index -1), and before each operator, while no
  // operator's code runs. True ends the invoke with kInvokeCancelled; nothing is lost but this invoke's outputs.
  virtual bool Cancelled(const OperatorLocation& next) = 0;

 protected:
  ~Cancellation() = default;
};

}  // namespace arenaproof
