// What the second planner finds out from the structure of the graph: who shares, and who is needed when.
#include <algorithm>

#include "engine/oracles/host_planner/model_planner.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {

bool ModelPlanner::Has(const std::vector<std::int32_t>& list, std::int32_t tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

bool ModelPlanner::IsVariable(std::int32_t tensor) const { return Has(graph_.variables, tensor); }
bool ModelPlanner::IsHeld(std::int32_t tensor) const {
  return Has(graph_.inputs, tensor) || Has(graph_.outputs, tensor) || IsVariable(tensor);
}

int ModelPlanner::Writers(std::int32_t tensor) const {
  int count = 0;
  for (const SyntheticNode& node : graph_.nodes) {
    count += static_cast<int>(std::count(node.outputs.begin(), node.outputs.end(), tensor));
  }
  return count;
}

std::int64_t ModelPlanner::LastReader(std::int32_t tensor) const {
  for (std::size_t i = graph_.nodes.size(); i > 0; --i) {
    if (Has(graph_.nodes[i - 1].inputs, tensor)) return static_cast<std::int64_t>(i) - 1;
  }
  return -1;
}

// One operand of one node is all that the tensor is for.
bool ModelPlanner::ReadOnlyHere(std::int32_t tensor) const {
  std::ptrdiff_t count = 0;
  for (const auto* list : {&graph_.inputs, &graph_.outputs, &graph_.variables}) {
    count += std::count(list->begin(), list->end(), tensor);
  }
  for (const SyntheticNode& node : graph_.nodes) count += std::count(node.inputs.begin(), node.inputs.end(), tensor);
  return count <= 1;
}

bool ModelPlanner::OthersNeedBytes(std::int32_t owner, std::int32_t except, bool and_behind, std::int64_t node) const {
  for (std::int32_t name = 0; name < static_cast<std::int32_t>(planned_tensors_); ++name) {
    const auto found = state_.owners.find(name);
    if (name != owner && (found == state_.owners.end() || found->second != owner || apart_.contains(name))) continue;
    bool excepted = name == except;
    if (and_behind) {
      if (name != owner && KindOf(name) != ArenaTensorKind::kArena) continue;
      for (auto link = links_.find(name); link != links_.end() && !excepted; link = links_.find(link->second)) {
        excepted = link->second == except;
      }
    }
    if (!excepted && (IsHeld(name) || LastReader(name) >= node)) return true;
  }
  return false;
}

void ModelPlanner::FindOwners() {
  state_.owners.clear();
  links_.clear();
  only_noted_.clear();
  apart_.clear();
  if (preserve_all_) return;
  std::set<std::int32_t> written;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const SyntheticNode& node = graph_.nodes[i];
    const std::set<std::int32_t> written_before = written;
    for (const std::int32_t output : node.outputs) written.insert(output);
    if (node.outputs.empty() || node.sharing == 0) continue;
    const bool keeps_data = (node.sharing & kLeavesDataUnmodified) != 0;
    const std::int32_t output = node.outputs[0];
    std::optional<std::int32_t> chosen;
    for (std::size_t k = 0; k < 3 && k < node.inputs.size() && !chosen; ++k) {
      const std::int32_t input = node.inputs[k];
      if (input < 0 || (node.sharing >> (2 + k)) % 2 == 0) continue;
      if (!keeps_data && (BytesOf(input) != BytesOf(output) || BytesOf(input) <= 4 || !ReadOnlyHere(input))) {
        continue;
      }
      if (Has(graph_.inputs, input) || Has(graph_.outputs, output)) continue;
      if (KindOf(input) != KindOf(output) && KindOf(input) != ArenaTensorKind::kArena) continue;
      chosen = input;
    }
    if (!chosen) continue;
    const std::int32_t owner = state_.owners.contains(*chosen) ? state_.owners[*chosen] : *chosen;
    if (!keeps_data && !ReadOnlyHere(owner)) continue;
    bool has_sharers = output == owner;
    for (const auto& [sharer, of] : state_.owners) has_sharers = has_sharers || of == output;
    if (has_sharers) continue;
    // A persistent output is never in another's bytes; that it has an owner counts for the owner's life only.
    const bool persistent = KindOf(output) == ArenaTensorKind::kPersistentArena;
    if (KindOf(*chosen) == ArenaTensorKind::kArena && !persistent) {
      if (IsVariable(output) || Has(graph_.inputs, output) || Writers(output) > 1) continue;
      if (IsVariable(*chosen) ? Writers(*chosen) > 0 : Writers(*chosen) != 1 || !written_before.contains(*chosen)) {
        continue;
      }
      if (!keeps_data && OthersNeedBytes(owner, *chosen, false, static_cast<std::int64_t>(i))) continue;
    }
    state_.owners[output] = owner;
    if (KindOf(*chosen) != ArenaTensorKind::kArena) only_noted_.insert(output);
    if (persistent) {
      apart_.insert(output);
    } else {
      apart_.erase(output);
    }
    links_[output] = *chosen;
  }
}

void ModelPlanner::FindLives() {
  state_.births.clear();
  state_.deaths.clear();
  state_.of_nodes.clear();
  state_.temporaries.clear();
  const auto owner_of = [&](std::int32_t tensor) {
    return state_.owners.contains(tensor) ? state_.owners[tensor] : tensor;
  };
  for (const auto* list : {&graph_.variables, &graph_.inputs}) {
    for (const std::int32_t tensor : *list) {
      if (tensor < 0) continue;
      state_.births[tensor] = 0;
      state_.of_nodes[0].insert(tensor);
    }
  }
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const std::int32_t tensor : graph_.nodes[i].outputs) {
      if (tensor < 0) continue;
      state_.births.try_emplace(tensor, static_cast<std::int64_t>(i));
      state_.of_nodes[static_cast<std::int32_t>(i)].insert(tensor);
    }
  }
  if (preserve_all_) return;
  for (const auto& [tensor, birth] : state_.births) {
    if (state_.owners.contains(tensor)) continue;
    std::int64_t last_read = -1;
    bool held = false;
    std::int64_t last_write = -1;
    for (std::int32_t name = 0; name < static_cast<std::int32_t>(planned_tensors_); ++name) {
      if (owner_of(name) != tensor) continue;
      last_read = std::max(last_read, LastReader(name));
      held = held || (name == tensor && IsHeld(name));
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (Has(graph_.nodes[i].outputs, tensor)) last_write = static_cast<std::int64_t>(i);
    }
    // Read for the last time before it is written for the first: nobody ever frees it.
    if (held || last_read < birth) continue;
    state_.deaths[tensor] = std::max(last_read, last_write);
  }
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
