#include "core/planner/host/buffer_sharing.h"

#include <algorithm>

#include "core/base/in_place.h"

namespace arenaproof {
namespace {

std::int32_t OwnerOf(const ArenaPlan& plan, std::int32_t tensor) {
  const std::int32_t owner = plan.tensors[static_cast<std::size_t>(tensor)].owner;
  return owner == -1 ? tensor : owner;
}

const TensorUses& UsesOf(const ArenaPlan& plan, std::int32_t tensor) {
  return plan.uses[static_cast<std::size_t>(tensor)];
}

bool AnybodyElseNeeds(const ArenaPlan& plan, std::int32_t tensor) {
  return UsesOf(plan, tensor).held + UsesOf(plan, tensor).reads > 1;
}

// The rules of the reference, about this input and this output alone.
bool PairMayShare(ArenaGraph& graph, const ArenaPlan& plan, std::int32_t input, std::int32_t output, bool modifies) {
  const ArenaTensor& from = graph.Tensor(static_cast<std::size_t>(input));
  const ArenaTensor& to = graph.Tensor(static_cast<std::size_t>(output));
  if (modifies) {
    if (from.bytes != to.bytes || from.bytes <= kScalarBytes) return false;
    if (AnybodyElseNeeds(plan, input)) return false;
  }
  if (UsesOf(plan, input).graph_input || UsesOf(plan, output).graph_output) return false;
  return from.kind == to.kind || from.kind == ArenaTensorKind::kArena;
}

std::int32_t SharedInput(ArenaGraph& graph, const ArenaPlan& plan, const ArenaNode& node, bool modifies) {
  const std::size_t count = std::min<std::size_t>(kMostSharedInputs, node.inputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t input = node.inputs[i];
    if (input == -1 || (node.sharing & (kSharesInput0 << i)) == 0) continue;
    if (PairMayShare(graph, plan, input, node.outputs[0], modifies)) return input;
  }
  return -1;
}

// What the reference does not ask of two tensors in the non-persistent arena, or of an output elsewhere.
bool HasMemoryToShare(ArenaGraph& graph, const ArenaPlan& plan, std::int32_t input, std::int32_t output,
                      std::int32_t node) {
  const TensorUses& from = UsesOf(plan, input);
  const TensorUses& to = UsesOf(plan, output);
  if (graph.Tensor(static_cast<std::size_t>(output)).kind == ArenaTensorKind::kPersistentArena) return false;
  if (to.variable || to.writes > 1) return false;
  if (from.writes + (from.variable ? 1 : 0) != 1) return false;
  return from.variable || from.first_write < node;
}

bool IsNeeded(const ArenaPlan& plan, std::int32_t tensor, std::int32_t node) {
  return UsesOf(plan, tensor).last_read >= node || UsesOf(plan, tensor).held > 0;
}

bool SharesThrough(const ArenaPlan& plan, std::int32_t tensor, std::int32_t link) {
  while (tensor != -1 && tensor != link) tensor = plan.tensors[static_cast<std::size_t>(tensor)].source;
  return tensor == link;
}

}  // namespace

bool OtherNameIsRead(ArenaGraph& graph, const ArenaPlan& plan, std::int32_t owner, std::int32_t tensor,
                     std::int32_t node) {
  for (std::size_t i = 0; i < plan.uses.size(); ++i) {
    const auto name = static_cast<std::int32_t>(i);
    if (name != owner && plan.tensors[i].owner != owner) continue;
    if (graph.Tensor(i).kind != ArenaTensorKind::kArena && name != owner) continue;  // it lies elsewhere
    if (SharesThrough(plan, name, tensor)) continue;
    if (IsNeeded(plan, name, node)) return true;
  }
  return false;
}

void IdentifySharing(ArenaGraph& graph, ArenaPlan& plan) {
  std::vector<std::vector<std::int32_t>> names(plan.tensors.size());  // of each owner's bytes
  for (std::size_t i = 0; i < plan.node_count; ++i) {
    const ArenaNode node = graph.NodeAt(i);
    if (node.outputs.empty() || node.sharing == kSharesNothing) continue;
    const bool modifies = (node.sharing & kLeavesDataUnmodified) == 0;
    const std::int32_t output = node.outputs[0];
    const std::int32_t input = SharedInput(graph, plan, node, modifies);
    if (input == -1) continue;
    const std::int32_t owner = OwnerOf(plan, input);
    if (modifies && AnybodyElseNeeds(plan, owner)) continue;
    auto& others = names[static_cast<std::size_t>(owner)];
    // Outside the non-persistent arena the link is noted only; nothing ever lies there in another tensor's bytes.
    const bool in_arena = graph.Tensor(static_cast<std::size_t>(input)).kind == ArenaTensorKind::kArena;
    if (output == owner || !names[static_cast<std::size_t>(output)].empty()) continue;  // a circle
    const auto number = static_cast<std::int32_t>(i);
    const auto is_needed = [&](std::int32_t name) { return name != input && IsNeeded(plan, name, number); };
    if (in_arena) {
      if (!HasMemoryToShare(graph, plan, input, output, number)) continue;
      if (modifies && (is_needed(owner) || std::any_of(others.begin(), others.end(), is_needed))) continue;
    }
    others.push_back(output);
    plan.tensors[static_cast<std::size_t>(output)].owner = owner;
    plan.tensors[static_cast<std::size_t>(output)].source = input;
    plan.tensors[static_cast<std::size_t>(output)].may_share = in_arena;
  }
}

}  // namespace arenaproof
