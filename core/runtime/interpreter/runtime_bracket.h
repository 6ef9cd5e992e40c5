// Marks for the observer that the runtime's own code runs on behalf of an operator, until the end of the scope.
#pragma once

#include "core/arena/observer.h"

namespace arenaproof {

class RuntimeBracket {
 public:
  explicit RuntimeBracket(ArenaObserver* observer) : observer_(observer) {
    if (observer_ != nullptr) observer_->OnRuntimeEnters();
  }
  ~RuntimeBracket() {
    if (observer_ != nullptr) observer_->OnRuntimeLeaves();
  }
  RuntimeBracket(const RuntimeBracket&) = delete;
  RuntimeBracket& operator=(const RuntimeBracket&) = delete;

 private:
  ArenaObserver* const observer_;
};

}  // namespace arenaproof
