#include "tools/model/model_arena_planner.h"

#include <algorithm>
#include <new>

#include "core/base/checked_word.h"
#include "core/planner/host/arena_planner.h"
#include "tools/model/called_twice.h"

namespace arenaproof {

Status ModelArenaPlanner::Find(const ModelView& model, const ModelAllocation& allocation,
                               std::span<const PlacedBuffer> buffers, std::span<const std::uint32_t> buffer_of_tensor,
                               std::span<BufferAlias>* aliases) {
  planned_.clear();
  *aliases = {};
  if (shares_) ARENAPROOF_RETURN_IF_ERROR(sharing_.Find(model, allocation, buffers, buffer_of_tensor, aliases));
  try {
    for (const PlacedBuffer& buffer : buffers) planned_.push_back({buffer.bytes, 0, buffer.first, buffer.last});
    for (const BufferAlias& alias : *aliases) {
      planned_[alias.buffer].shares = true;
      planned_[alias.owner].last = std::max(planned_[alias.owner].last, buffers[alias.buffer].last);
    }
    return PlanSubgraphs(allocation, buffers, buffer_of_tensor);
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, buffer_of_tensor.size());
  }
}

Status ModelArenaPlanner::PlanSubgraphs(const ModelAllocation& allocation, std::span<const PlacedBuffer> buffers,
                                        std::span<const std::uint32_t> buffer_of_tensor) {
  const std::vector<bool> twice = CalledTwice(allocation);
  arenas_end_ = 0;
  std::size_t first_tensor = 0;
  for (std::size_t s = 0; s < allocation.subgraphs.size(); ++s) {
    const SubgraphAllocation& subgraph = allocation.subgraphs[s];
    ModelArenaGraph graph(subgraph, buffers, buffer_of_tensor.subspan(first_tensor, subgraph.tensors.size()),
                          shares_ && !twice[s]);
    graph.AddScratch(buffers, allocation.scratch_bytes);
    ARENAPROOF_RETURN_IF_ERROR(PlanSubgraph(graph, s, twice[s]));
    first_tensor += subgraph.tensors.size();
  }
  return Ok();
}

Status ModelArenaPlanner::PlanSubgraph(ModelArenaGraph& graph, std::size_t subgraph, bool preserves) {
  ArenaPlannerOptions options;
  options.preserve_all_tensors = preserves;
  options.subgraph = static_cast<int>(subgraph);
  options.takes_memory = false;
  ArenaPlanner planner(graph, options);
  ARENAPROOF_RETURN_IF_ERROR(planner.PlanAllocations());
  // Without operators the inputs are placed all the same, as if there were one that does nothing.
  const std::size_t nodes = std::max<std::size_t>(graph.NodeCount(), 1);
  ARENAPROOF_RETURN_IF_ERROR(planner.ExecuteAllocations(0, static_cast<std::int32_t>(nodes) - 1));
  const Checked<std::size_t> start = AlignUp(arenas_end_, kArenaAlignment);
  for (std::size_t i = 0; i < planner.tensors().size(); ++i) {
    const std::uint32_t buffer = graph.BufferOf(i);
    if (buffer == kNoBuffer || planned_[buffer].bytes == 0) continue;
    const std::int32_t owner = planner.tensors()[i].owner;
    const Allocation& place = planner.tensors()[owner == -1 ? i : static_cast<std::size_t>(owner)].record;
    Planned& planned = planned_[buffer];
    const Checked<std::size_t> offset = start.ok ? CheckedAdd(start.value, place.offset) : start;
    const Checked<std::size_t> end = offset.ok ? CheckedAdd(offset.value, planned.bytes) : offset;
    if (!end.ok) return Failure(StatusCode::kPlannerOverflow, buffer, planned.bytes);
    planned.offset = offset.value;
    arenas_end_ = std::max(arenas_end_, end.value);
  }
  return Ok();
}

std::vector<std::size_t> ModelArenaPlanner::offsets() const {
  std::vector<std::size_t> offsets;
  for (const Planned& planned : planned_) offsets.push_back(planned.offset);
  return offsets;
}

Status ModelArenaPlanner::Init(std::span<std::byte>) {
  added_.clear();
  maximum_bytes_ = 0;
  return Ok();
}

Status ModelArenaPlanner::AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last,
                                    std::int64_t offline_offset) {
  std::size_t next = added_.empty() ? 0 : added_.back() + 1;
  while (next < planned_.size() && planned_[next].shares) ++next;
  if (offline_offset != kOnline) return Failure(StatusCode::kPlannerOfflineOffset, next, offline_offset);
  const Planned expected = next < planned_.size() ? planned_[next] : Planned();
  if (next >= planned_.size() || expected.bytes != bytes || expected.first != first || expected.last != last) {
    return Failure(StatusCode::kPlannerOtherBuffer, next, bytes, std::int64_t{first}, std::int64_t{last});
  }
  try {
    added_.push_back(next);
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, next);
  }
  maximum_bytes_ = std::max(maximum_bytes_, expected.offset + bytes);  // fits: Find() has added them
  return Ok();
}

Status ModelArenaPlanner::MaximumBytes(std::size_t* maximum_bytes) {
  *maximum_bytes = maximum_bytes_;
  return Ok();
}

Status ModelArenaPlanner::OffsetOf(std::size_t index, std::size_t* offset) {
  if (index >= added_.size()) return Failure(StatusCode::kPlannerBufferIndex, index, added_.size());
  *offset = planned_[added_[index]].offset;
  return Ok();
}

}  // namespace arenaproof
