// Temporaries that several nodes name and that are executed one by one: when the first of them is placed, nobody knows
// yet of the others, and other tensors come to lie in its bytes behind it. What a purged list of active allocations no
// longer holds counts here, because the earlier nodes use the temporary's address too.
#include <algorithm>
#include <vector>

#include "core/planner/host/arena_planner.h"
#include "core/planner/host/growing_operations.h"

namespace arenaproof {

bool ArenaPlanner::IsLongerTemporary(std::size_t tensor, std::int32_t first) const {
  const TensorPlan& plan = plan_.tensors[tensor];
  if (plan.last_temporary == -1) return false;
  const Allocation& record = plan.record;
  const bool covered = record.first <= plan.alloc_node && plan.dealloc_node <= record.last;
  if (record.size > 0 && !covered) return true;
  return record.size < graph_.Tensor(tensor).bytes && plan.alloc_node < first;
}

// Clear of every tensor that lives at some time from the temporary's first node to its last: where it lies, or else in
// the smallest gap.
Status ArenaPlanner::PlaceForLonger(std::int32_t temporary) {
  const auto index = static_cast<std::size_t>(temporary);
  TensorPlan& plan = plan_.tensors[index];
  const std::size_t bytes = graph_.Tensor(index).bytes;
  Allocation wanted = plan.record;
  wanted.tensor = temporary;
  wanted.first = plan.alloc_node;
  wanted.last = plan.dealloc_node;
  std::vector<Allocation> others;
  bool stays = plan.record.size > 0 && plan.record.size >= bytes;
  for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
    const TensorPlan& other = plan_.tensors[i];
    if (i == index || other.record.size == 0 || other.placed_in != ArenaTensorKind::kArena ||
        graph_.Tensor(i).kind != ArenaTensorKind::kArena || !Meets(other.record, wanted.first, wanted.last)) {
      continue;
    }
    others.push_back(other.record);
    others.back().first = 0;  // so that the search below takes it
    others.back().last = kNoNode;
    stays = stays && !SharesBytesInTime(wanted, other.record);
  }
  GrowingState<std::size_t> state = arena_.state();
  std::erase_if(state.active, [&](const Allocation& record) { return record.tensor == temporary; });
  if (!stays) {
    SimpleArena search;
    search.CalculateActive(others, 0);
    ARENAPROOF_RETURN_IF_ERROR(
        search.Allocate(options_.tensor_alignment, bytes, temporary, wanted.first, wanted.last, &wanted));
  }
  if (wanted.size > 0) InsertByOffset(state.active, wanted);
  state.high_water = std::max(state.high_water, wanted.offset + wanted.size);
  arena_.Restore(std::move(state));
  plan.record = wanted;
  plan.placed_in = ArenaTensorKind::kArena;
  return Ok();
}

}  // namespace arenaproof
