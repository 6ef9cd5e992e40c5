#include "engine/oracles/plans/embedded_plan.h"

#include <cstring>

namespace arenaproof::testing {

std::string WhatIsNotKept(const ModelView& before, const ModelView& after) {
  const std::span<const std::byte> old_file = before.bytes(), new_file = after.bytes();
  if (new_file.size() <= old_file.size()) return "nothing is in front of the old file";
  const std::size_t front = new_file.size() - old_file.size();
  if (front % 64 != 0) return "the old file begins at no multiple of 64";
  if (std::memcmp(new_file.data() + front, old_file.data(), old_file.size()) != 0) return "the old file is changed";
  if (before.total_tensor_count() != after.total_tensor_count()) return "there are more or fewer tensors";
  for (std::size_t s = 0; s < before.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < before.tensor_count(s); ++i) {
      const std::span<const std::byte> was = before.tensor(s, i).data, is = after.tensor(s, i).data;
      const std::string which = "the constant tensor " + std::to_string(i) + " of subgraph " + std::to_string(s);
      if (was.size() != is.size()) return which + " has another size";
      if (was.empty()) continue;
      if (is.data() - new_file.data() != was.data() - old_file.data() + static_cast<std::ptrdiff_t>(front)) {
        return which + " is not the bytes of the old file";
      }
    }
  }
  return {};
}

VariableHomes HomesInPublicRuntime(const ModelView& model, std::span<const std::int32_t> entries) {
  VariableHomes homes;
  std::size_t before = 0;
  for (std::size_t s = 0; s < model.subgraph_count(); ++s) {
    for (std::size_t i = 0; i < model.tensor_count(s); ++i) {
      if (!model.tensor(s, i).is_variable) continue;
      if (s > 0) ++homes.later;
      const bool block = entries[i] == -1, head = entries[before + i] != -1;
      if (block == head) {
        homes.problem = "variable " + std::to_string(i) + " of subgraph " + std::to_string(s) +
                        (block ? " has memory twice" : " has no memory");
      }
    }
    before += model.tensor_count(s);
  }
  return homes;
}

}  // namespace arenaproof::testing
