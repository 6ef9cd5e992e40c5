#include "tools/model/model_sharing.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/alignment.h"
#include "core/planner/host/arena_plan.h"
#include "core/planner/host/buffer_sharing.h"
#include "core/planner/host/graph_check.h"
#include "core/planner/host/tensor_uses.h"
#include "tools/model/allowed_sharing.h"
#include "tools/model/called_twice.h"
#include "tools/model/model_arena_graph.h"

namespace arenaproof {
namespace {

// For each tensor the first operator that writes it as its output 0; it exists for every tensor that shares.
std::vector<std::int32_t> WritersOf(const SubgraphAllocation& subgraph) {
  std::vector<std::int32_t> writers(subgraph.tensors.size(), -1);
  for (std::size_t i = subgraph.operators.size(); i-- > 0;) {
    const auto outputs = subgraph.operators[i].outputs;
    if (!outputs.empty() && outputs[0] >= 0)
      writers[static_cast<std::size_t>(outputs[0])] = static_cast<std::int32_t>(i);
  }
  return writers;
}

}  // namespace

std::vector<BufferAlias> SharingOfPlaces(std::span<const BufferAlias> allowed, std::span<const PlacedBuffer> buffers,
                                         std::span<const std::int64_t> offsets) {
  std::vector<BufferAlias> aliases;
  const auto kept = [](const PlacedBuffer& buffer, std::uint8_t kind) {
    return (buffer.kept & kind) != 0 || buffer.variable || buffer.trusted;
  };
  for (const BufferAlias& alias : allowed) {
    if (alias.buffer >= offsets.size() || alias.source >= offsets.size()) continue;
    if (offsets[alias.buffer] != offsets[alias.source]) continue;
    const PlacedBuffer& source = buffers[alias.source];
    const PlacedBuffer& buffer = buffers[alias.buffer];
    // A plan that has one of these in the other's bytes is refused for bytes that both need.
    if (kept(source, kKeptInput) || kept(buffer, kKeptOutput)) continue;
    if (buffer.bytes == 0 || buffer.last < 0 || source.first >= buffer.first) continue;
    // Of two inputs in one place, whichever it is: they are of one group.
    if (!aliases.empty() && aliases.back().buffer == alias.buffer) continue;
    aliases.push_back(alias);
  }
  FindOwners(buffers.size(), aliases);
  return aliases;
}

void FindOwners(std::size_t buffer_count, std::vector<BufferAlias>& aliases) {
  std::vector<std::uint32_t> source_of(buffer_count, kNoBuffer);
  for (const BufferAlias& alias : aliases) source_of[alias.buffer] = alias.source;
  for (BufferAlias& alias : aliases) {
    alias.owner = alias.source;
    while (source_of[alias.owner] != kNoBuffer) alias.owner = source_of[alias.owner];
    // What was walked once leads there in one step.
    for (std::uint32_t link = alias.buffer; link != alias.owner;) link = std::exchange(source_of[link], alias.owner);
  }
}

std::span<std::uint32_t> ModelSharing::BufferOfTensor(std::size_t count) {
  try {
    buffer_of_tensor_.assign(count, kNoBuffer);
  } catch (const std::bad_alloc&) {
    return {};
  }
  return buffer_of_tensor_;
}

Status ModelSharing::Find(const ModelView&, const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                          std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) {
  try {
    ARENAPROOF_RETURN_IF_ERROR(FindAll(allocation, buffers, buffer_of_tensor));
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, buffer_of_tensor.size());
  }
  *aliases = aliases_;
  return Ok();
}

Status ModelSharing::FindGiven(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                               std::span<const std::uint32_t> buffer_of_tensor) {
  const std::span<const std::int64_t> offsets = given_->offsets();
  std::vector<bool> shares(buffers.size());
  // A plan of another number of buffers is refused for that, by the planner.
  if (offsets.size() == buffers.size()) {
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (static_cast<std::size_t>(offsets[i]) % kTensorAlignment == 0) continue;
      return Failure(StatusCode::kPlanMisaligned, i, offsets[i], buffers[i].bytes);
    }
    if (shares_) aliases_ = SharingOfPlaces(AllowedByOperators(allocation, buffer_of_tensor), buffers, offsets);
    for (const BufferAlias& alias : aliases_) shares[alias.buffer] = true;
  }
  given_->LeaveOut(std::move(shares));
  return Ok();
}

Status ModelSharing::FindAll(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                             std::span<const std::uint32_t> buffer_of_tensor) {
  aliases_.clear();
  if (given_ != nullptr) return FindGiven(allocation, buffers, buffer_of_tensor);
  const std::vector<bool> twice = CalledTwice(allocation);
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < allocation.subgraphs.size(); ++s) {
    const std::size_t count = allocation.subgraphs[s].tensors.size();
    ARENAPROOF_RETURN_IF_ERROR(
        FindInSubgraph(allocation, s, buffers, buffer_of_tensor.subspan(first_tensor, count), !twice[s]));
    first_tensor += count;
  }
  FindOwners(buffers.size(), aliases_);
  return Ok();
}

Status ModelSharing::FindInSubgraph(const ModelAllocation& allocation, std::size_t subgraph,
                                    std::span<const PlacedBuffer> buffers,
                                    std::span<const std::uint32_t> buffer_of_tensor, bool shares) {
  const SubgraphAllocation& own = allocation.subgraphs[subgraph];
  ModelArenaGraph graph(own, buffers, buffer_of_tensor, shares);
  ARENAPROOF_RETURN_IF_ERROR(CheckGraph(graph));
  ArenaPlan plan;
  plan.tensors.resize(graph.TensorCount());
  plan.node_count = graph.NodeCount();
  plan.uses = CountUses(graph);
  IdentifySharing(graph, plan);
  const std::vector<std::int32_t> writers = WritersOf(own);
  for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
    const TensorPlan& tensor = plan.tensors[i];
    if (tensor.source == -1 || !tensor.may_share) continue;
    const auto source = static_cast<std::size_t>(tensor.source);
    if (graph.Tensor(i).kind != ArenaTensorKind::kArena || graph.Tensor(i).bytes != graph.Tensor(source).bytes)
      continue;
    BufferAlias alias;
    alias.buffer = buffer_of_tensor[i];
    alias.source = buffer_of_tensor[source];
    alias.subgraph = static_cast<std::int32_t>(subgraph);
    alias.operator_index = writers[i];
    const OperatorRecord& writer = own.operators[static_cast<std::size_t>(alias.operator_index)];
    alias.modifies = (writer.kernel->sharing & kLeavesDataUnmodified) == 0;
    while (writer.inputs[static_cast<std::size_t>(alias.input)] != tensor.source ||
           (writer.kernel->sharing & (kSharesInput0 << alias.input)) == 0) {
      ++alias.input;
    }
    aliases_.push_back(alias);
  }
  return Ok();
}

}  // namespace arenaproof
