#include "core/planner/host/buffer_sharing.h"

#include <algorithm>
#include <utility>
#include <vector>

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

// What the reference does not ask of two tensors that are to lie in the same bytes.
bool HasMemoryToShare(const ArenaPlan& plan, std::int32_t input, std::int32_t output, std::int32_t node) {
  const TensorUses& from = UsesOf(plan, input);
  const TensorUses& to = UsesOf(plan, output);
  if (to.variable || to.graph_input || to.writes > 1) return false;
  if (from.writes + (from.variable ? 1 : 0) != 1) return false;
  return from.variable || from.first_write < node;
}

// The last node that needs the tensor; kNoNode: it is kept.
std::int32_t NeededUntil(const ArenaPlan& plan, std::int32_t tensor) {
  return UsesOf(plan, tensor).held > 0 ? kNoNode : UsesOf(plan, tensor).last_read;
}

bool IsNeeded(const ArenaPlan& plan, std::int32_t tensor, std::int32_t node) {
  return NeededUntil(plan, tensor) >= node;
}

// The names of one owner's bytes, however many: of them all, only the two that are needed longest can matter.
class NamesOfBytes {
 public:
  void Add(std::int32_t name, std::int32_t until) {
    if (name == longest_ || name == second_) return;
    if (longest_ == -1 || until > longest_until_) {
      second_ = std::exchange(longest_, name);
      second_until_ = std::exchange(longest_until_, until);
    } else if (second_ == -1 || until > second_until_) {
      second_ = name;
      second_until_ = until;
    }
  }

  // Whether any but `name` is needed at `node` or behind.
  bool OthersAreNeeded(std::int32_t name, std::int32_t node) const {
    return name == longest_ ? second_until_ >= node : longest_until_ >= node;
  }

 private:
  std::int32_t longest_ = -1, longest_until_ = -1;
  std::int32_t second_ = -1, second_until_ = -1;
};

// Which tensors share through `link`, by the way along their sources; none is walked twice.
class WaysThrough {
 public:
  WaysThrough(const ArenaPlan& plan, std::int32_t link) : plan_(plan), answers_(plan.tensors.size(), Answer::kUnknown) {
    answers_[static_cast<std::size_t>(link)] = Answer::kYes;
  }

  bool Contain(std::int32_t tensor) {
    std::int32_t known = tensor;
    while (known != -1 && Of(known) == Answer::kUnknown) known = SourceOf(known);
    const Answer answer = known == -1 ? Answer::kNo : Of(known);
    for (; tensor != known; tensor = SourceOf(tensor)) Of(tensor) = answer;
    return answer == Answer::kYes;
  }

 private:
  enum class Answer : std::uint8_t { kUnknown, kNo, kYes };

  Answer& Of(std::int32_t tensor) { return answers_[static_cast<std::size_t>(tensor)]; }
  std::int32_t SourceOf(std::int32_t tensor) const { return plan_.tensors[static_cast<std::size_t>(tensor)].source; }

  const ArenaPlan& plan_;
  std::vector<Answer> answers_;
};

}  // namespace

bool OtherNameIsRead(ArenaGraph& graph, const ArenaPlan& plan, std::int32_t owner, std::int32_t tensor,
                     std::int32_t node) {
  WaysThrough through_tensor(plan, tensor);
  for (std::size_t i = 0; i < plan.uses.size(); ++i) {
    const auto name = static_cast<std::int32_t>(i);
    if (name != owner && (plan.tensors[i].owner != owner || plan.tensors[i].keeps_apart)) continue;
    if (graph.Tensor(i).kind != ArenaTensorKind::kArena && name != owner) continue;  // it lies elsewhere
    if (IsNeeded(plan, name, node) && !through_tensor.Contain(name)) return true;
  }
  return false;
}

void IdentifySharing(ArenaGraph& graph, ArenaPlan& plan) {
  std::vector<NamesOfBytes> names(plan.tensors.size());   // of each owner's bytes, itself left out
  std::vector<std::size_t> sharers(plan.tensors.size());  // how many have that owner
  for (std::size_t i = 0; i < plan.node_count; ++i) {
    const ArenaNode node = graph.NodeAt(i);
    if (node.outputs.empty() || node.sharing == kSharesNothing) continue;
    const bool modifies = (node.sharing & kLeavesDataUnmodified) == 0;
    const std::int32_t output = node.outputs[0];
    const std::int32_t input = SharedInput(graph, plan, node, modifies);
    if (input == -1) continue;
    const std::int32_t owner = OwnerOf(plan, input);
    if (modifies && AnybodyElseNeeds(plan, owner)) continue;
    TensorPlan& sharer = plan.tensors[static_cast<std::size_t>(output)];
    NamesOfBytes& others = names[static_cast<std::size_t>(owner)];
    if (output == owner || sharers[static_cast<std::size_t>(output)] > 0) continue;  // a circle
    // Of what is not both in the non-persistent arena the link is noted only, and prolongs the owner's life.
    const bool in_arena = graph.Tensor(static_cast<std::size_t>(input)).kind == ArenaTensorKind::kArena;
    const bool keeps_apart = graph.Tensor(static_cast<std::size_t>(output)).kind == ArenaTensorKind::kPersistentArena;
    const auto number = static_cast<std::int32_t>(i);
    if (in_arena && !keeps_apart) {
      if (!HasMemoryToShare(plan, input, output, number)) continue;
      const bool owner_is_needed = owner != input && IsNeeded(plan, owner, number);
      if (modifies && (owner_is_needed || others.OthersAreNeeded(input, number))) continue;
    }
    if (!keeps_apart) others.Add(output, NeededUntil(plan, output));
    if (sharer.owner != -1) --sharers[static_cast<std::size_t>(sharer.owner)];  // one that is written again
    ++sharers[static_cast<std::size_t>(owner)];
    sharer.owner = owner;
    sharer.source = input;
    sharer.keeps_apart = keeps_apart;
    sharer.may_share = in_arena && !keeps_apart;
  }
}

}  // namespace arenaproof
