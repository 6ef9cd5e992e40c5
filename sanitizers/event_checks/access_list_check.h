// Compares the access list of an operator that begins, operand by operand, with the recorded state of an
// EventStreamChecker and, where the checker has a model, with the model.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/arena/observer.h"

namespace arenaproof {

class EventStreamChecker;

// The addresses of variables: from one plan to the next a variable stays where its first reader found it, alone.
class VariablePlaces {
 public:
  using Variable = std::pair<std::int32_t, std::int32_t>;  // subgraph, tensor

  void Forget() {
    places_.clear();
    variables_.clear();
  }
  bool IsPlaceOf(Variable variable, MemoryRegion region) {
    return places_.try_emplace(variable, region.data).first->second == region.data &&
           variables_.try_emplace(region.data, variable).first->second == variable;
  }

 private:
  std::map<Variable, const std::byte*> places_;     // in the tail
  std::map<const std::byte*, Variable> variables_;  // the other way round
};

// Reports to `checker` every operand that the operator may not hold, or not with this right or range, and every one
// that it lacks.
void CheckAccessList(const OperatorScope& scope, EventStreamChecker& checker, VariablePlaces& variables);

}  // namespace arenaproof
