// A call of one operation of the growing arena, of any word, and how it reads.
#pragma once

#include <cstdint>
#include <string>

#include "core/planner/host/growing_invariants.h"

namespace arenaproof::testing {

template <ConcreteWord Word>
std::string ShowGrowingCall(const GrowingTransition<Word>& step) {
  const GrowingDescriptor& descriptor = Describe(step.operation);
  const GrowingArguments<Word>& arguments = step.arguments;
  std::string text = std::string(descriptor.name) + "(";
  const auto add = [&](unsigned argument, const char* name, std::int64_t number) {
    if (!descriptor.takes(argument)) return;
    text += (text.back() == '(' ? "" : ", ") + std::string(name) + " " + std::to_string(number);
  };
  const auto add_word = [&](unsigned argument, const char* name, Word number) {
    if (!descriptor.takes(argument)) return;
    text += (text.back() == '(' ? "" : ", ") + std::string(name) + " " + std::to_string(number);
  };
  add_word(kGrowingTakesSize, "size", arguments.size);
  add_word(kGrowingTakesAlignment, "alignment", arguments.alignment);
  add_word(kGrowingTakesOffset, "offset", arguments.offset);
  add(kGrowingTakesInterval, "first", arguments.first);
  add(kGrowingTakesInterval, "last", arguments.last);
  add(kGrowingTakesNode, "node", arguments.node);
  add(kGrowingTakesMemory, "memory", arguments.memory ? 1 : 0);
  text += ") -> ";
  return text + (step.outcome.ok() ? std::to_string(step.outcome.result)
                                   : "refused " + std::to_string(static_cast<int>(step.outcome.refusal)));
}

}  // namespace arenaproof::testing
