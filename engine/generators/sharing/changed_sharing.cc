#include "engine/generators/sharing/changed_sharing.h"

#include <algorithm>
#include <cstddef>

#include "core/base/in_place.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

bool Has(const std::vector<std::int32_t>& tensors, std::int32_t tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

}  // namespace

Status ChangedSharing::Find(const ModelView& model, const ModelAllocation& allocation,
                            std::span<const PlacedBuffer> buffers, std::span<const std::uint32_t> buffer_of_tensor,
                            std::span<BufferAlias>* aliases) {
  ARENAPROOF_RETURN_IF_ERROR(proposed_.Find(model, allocation, buffers, buffer_of_tensor, aliases));
  list_.assign(aliases->begin(), aliases->end());
  buffer_of_tensor_.assign(buffer_of_tensor.begin(), buffer_of_tensor.end());
  Change();
  given_ = list_;
  *aliases = given_;
  return Ok();
}

void ChangedSharing::Change() {
  const std::size_t what = random_.Below(10);
  if (what < 6 || list_.empty()) return AddLink();
  BufferAlias& alias = random_.Of(list_);
  if (what == 6) {
    list_.erase(list_.begin() + (&alias - list_.data()));
    if (!random_.OneIn(4)) NameOwners();
  } else if (what == 7) {
    list_.push_back(BufferAlias(alias));
  } else {
    ChangeField(alias);
  }
}

unsigned ChangedSharing::FlagsOf(const OperatorSpec& op) const {
  for (const Kernel& kernel : ReferenceKernels().kernels) {
    if (static_cast<std::int32_t>(kernel.op) == model_.codes[op.code].builtin_code) return kernel.sharing;
  }
  return kSharesNothing;
}

// Of any operator: its output in any of its inputs, in place of where it lay. Mostly one that the operator would allow,
// so that what else is wrong decides; often in one that the application gives in and takes back, if there is any.
void ChangedSharing::AddLink() {
  struct Place {
    std::size_t subgraph, before, op, input;
  };
  std::vector<Place> all, allowed, of_both;
  std::size_t before = 0;
  for (std::size_t s = 0; s < model_.subgraphs.size(); ++s) {
    const SubgraphSpec& graph = model_.subgraphs[s];
    const auto tensor = [&](std::int32_t index) -> const TensorSpec& {
      return graph.tensors[static_cast<std::size_t>(index)];
    };
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      const OperatorSpec& op = graph.operators[i];
      for (std::size_t k = 0; k < op.inputs.size(); ++k) {
        all.push_back({s, before, i, k});
        const TensorSpec& from = tensor(op.inputs[k]);
        const bool declared = k < kMostSharedInputs && (FlagsOf(op) & (kSharesInput0 << k)) != 0;
        if (!declared || from.buffer != 0 || from.is_variable) continue;
        allowed.push_back(all.back());
        if (Has(graph.inputs, op.inputs[k]) && Has(graph.outputs, op.inputs[k])) of_both.push_back(all.back());
      }
    }
    before += graph.tensors.size();
  }
  const std::vector<Place>& likely = of_both.empty() || random_.OneIn(2) ? allowed : of_both;
  const Place place = random_.Of(likely.empty() || random_.OneIn(8) ? all : likely);
  const OperatorSpec& op = model_.subgraphs[place.subgraph].operators[place.op];
  BufferAlias alias;
  alias.buffer = buffer_of_tensor_[place.before + static_cast<std::size_t>(op.outputs[0])];
  alias.source = alias.owner = buffer_of_tensor_[place.before + static_cast<std::size_t>(op.inputs[place.input])];
  alias.subgraph = static_cast<std::int32_t>(place.subgraph);
  alias.operator_index = static_cast<std::int32_t>(place.op);
  alias.input = static_cast<std::int32_t>(place.input);
  alias.modifies = (FlagsOf(op) & kLeavesDataUnmodified) == 0;
  std::erase_if(list_, [&](const BufferAlias& other) { return other.buffer == alias.buffer; });
  list_.push_back(alias);
  if (!random_.OneIn(16)) NameOwners();
  if (random_.OneIn(8)) ChangeField(list_.back());
}

void ChangedSharing::ChangeField(BufferAlias& alias) {
  const auto any = [&] { return random_.Between(-1, 6); };
  switch (random_.Below(7)) {
    case 0:
      alias.buffer = AnyBuffer();
      return;
    case 1:
      alias.source = AnyBuffer();
      return;
    case 2:
      alias.owner = AnyBuffer();
      return;
    case 3:
      alias.subgraph = any();
      return;
    case 4:
      alias.operator_index = any();
      return;
    case 5:
      alias.input = any();
      return;
    default:
      alias.modifies = !alias.modifies;
  }
}

// Now and then none that exists.
std::uint32_t ChangedSharing::AnyBuffer() {
  return random_.OneIn(8) ? static_cast<std::uint32_t>(buffer_of_tensor_.size() + random_.Below(3))
                          : random_.Of(buffer_of_tensor_);
}

void ChangedSharing::NameOwners() {
  for (BufferAlias& alias : list_) {
    alias.owner = alias.source;
    for (std::size_t steps = 0; steps < list_.size(); ++steps) {
      const auto next = std::find_if(list_.begin(), list_.end(),
                                     [&](const BufferAlias& other) { return other.buffer == alias.owner; });
      if (next == list_.end()) break;
      alias.owner = next->source;
    }
  }
}

std::string SharingListText(std::span<const BufferAlias> list) {
  std::string text;
  for (const BufferAlias& alias : list) {
    text += "  buffer " + std::to_string(alias.buffer) + " in " + std::to_string(alias.source) + " of owner " +
            std::to_string(alias.owner) + (alias.modifies ? ", modified" : "") + ", by operator " +
            std::to_string(alias.operator_index) + " of subgraph " + std::to_string(alias.subgraph) + ", input " +
            std::to_string(alias.input) + "\n";
  }
  return text;
}

}  // namespace arenaproof::testing
