// Announces to the observer what the runtime itself may touch, until the end of the scope.
#pragma once

#include <cstdint>
#include <span>

#include "core/arena/observer.h"

namespace arenaproof {

class RuntimeWorkScope {
 public:
  // `observer` may be null. `operands` stay in place as long as this object.
  RuntimeWorkScope(ArenaObserver* observer, RuntimeWork work, std::span<const OperandRange> operands,
                   std::int32_t subgraph = -1)
      : observer_(observer) {
    if (observer_ != nullptr) observer_->OnRuntimeWorkBegins({work, subgraph, operands});
  }
  ~RuntimeWorkScope() {
    if (observer_ != nullptr) observer_->OnRuntimeWorkEnds();
  }
  RuntimeWorkScope(const RuntimeWorkScope&) = delete;
  RuntimeWorkScope& operator=(const RuntimeWorkScope&) = delete;

 private:
  ArenaObserver* const observer_;
};

}  // namespace arenaproof
