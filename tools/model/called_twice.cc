#include "tools/model/called_twice.h"

#include <cstddef>

namespace arenaproof {

std::vector<bool> CalledTwice(const ModelAllocation& allocation) {
  std::vector<std::size_t> calls(allocation.subgraphs.size());
  std::vector<bool> twice(allocation.subgraphs.size());
  const auto for_each_call = [&](auto visit) {
    for (std::size_t s = 0; s < allocation.subgraphs.size(); ++s) {
      for (const OperatorRecord& record : allocation.subgraphs[s].operators) {
        for (const std::int16_t called : record.called_subgraphs) {
          if (called >= 0) visit(s, static_cast<std::size_t>(called));
        }
      }
    }
  };
  for_each_call([&](std::size_t, std::size_t called) { twice[called] = ++calls[called] > 1 || twice[called]; });
  for (bool changed = true; changed;) {
    changed = false;
    for_each_call([&](std::size_t caller, std::size_t called) {
      if (!twice[caller] || twice[called]) return;
      twice[called] = changed = true;
    });
  }
  return twice;
}

}  // namespace arenaproof
