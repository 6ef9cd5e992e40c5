// What an operator that begins may hold: its access list, operand by operand, beside the books of an event ledger and,
// where the ledger compares with a model, beside the model.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/arena/observer.h"

namespace arenaproof {

class EventStreamChecker;

// From one plan to the next a variable stays where its first reader found it, alone.
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

// IsInconsistent `books` over every operand that the operator may not hold, or not so, and over what it lacks.
void CheckAccessList(const OperatorScope& scope, EventStreamChecker& books, VariablePlaces& variables);

}  // namespace arenaproof
