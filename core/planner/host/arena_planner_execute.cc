// How a range of nodes is placed: candidates, sharing that is lost, places, memory, addresses. Everything is tried on
// the planner's own state, of which there is a copy to take back.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "core/planner/host/arena_planner.h"
#include "core/planner/host/buffer_sharing.h"
#include "core/planner/host/tensor_lifetimes.h"

namespace arenaproof {

struct ArenaPlanner::Saved {
  std::vector<TensorPlan> tensors;
  GrowingState<std::size_t> arena;
  GrowingState<std::size_t> persistent_arena;
  std::optional<std::int32_t> last_active_node;
  bool active_is_complete;
  std::int32_t active_from;
  std::int32_t executed_to;
};

bool PlacedBefore(const TensorPlan& a, std::int32_t a_index, std::size_t a_bytes, const TensorPlan& b,
                  std::int32_t b_index, std::size_t b_bytes) {
  const bool a_always = a.alloc_node == 0 && a.dealloc_node == kNoNode;
  const bool b_always = b.alloc_node == 0 && b.dealloc_node == kNoNode;
  if (a_always || b_always) return a_always && (!b_always || a_index < b_index);
  if (a_bytes != b_bytes) return a_bytes > b_bytes;
  if (a.alloc_node != b.alloc_node) return a.alloc_node < b.alloc_node;
  return a_index < b_index;
}

Status ArenaPlanner::ExecuteAllocations(std::int32_t first, std::int32_t last) {
  const std::size_t nodes = graph_.NodeCount();
  const std::size_t tensors = graph_.TensorCount();
  if (!planned_ || nodes != plan_.node_count) return Failure(StatusCode::kArenaNotPlanned, plan_.node_count, nodes);
  if (tensors < plan_.tensors.size()) return Failure(StatusCode::kArenaTensorsGone, tensors, plan_.tensors.size());
  if (tensors >= kNoNode) return Failure(StatusCode::kArenaGraphTooLarge, nodes, tensors);
  if (first < 0 || last < -1) return Failure(StatusCode::kArenaNodeRange, std::int64_t{first}, std::int64_t{last});

  std::vector<std::int32_t> candidates;
  Saved saved;
  try {
    saved = {plan_.tensors, arena_.state(), persistent_arena_.state(), last_active_node_, active_is_complete_,
             active_from_,  executed_to_};
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, tensors);
  }
  bool moved = false;
  Status status;
  try {
    plan_.tensors.resize(tensors);
    status = Place(first, last, candidates);
    if (status.ok() && options_.takes_memory) status = CommitArenas(&moved);
  } catch (const std::bad_alloc&) {
    status = Failure(StatusCode::kHostPlannerMemory, tensors);
  }
  if (!status.ok()) {
    TakeBack(std::move(saved));
    if (moved) ResolveAll();  // one arena has grown before the other was refused
    // Of memory that had been released nothing resolves before a call succeeds.
    resolve_all_next_ = resolve_all_next_ || (moved && !arena_.state().committed);
    return status;
  }
  if (std::exchange(resolve_all_next_, false)) moved = true;
  has_non_persistent_memory_ = has_non_persistent_memory_ || options_.takes_memory;
  if (moved) {
    ResolveAll();
  } else {
    for (const std::int32_t tensor : candidates) ResolveTensor(static_cast<std::size_t>(tensor));
    ResolveSharersOf(candidates);
  }
  return Ok();
}

void ArenaPlanner::TakeBack(Saved&& saved) {
  plan_.tensors = std::move(saved.tensors);
  arena_.Restore(std::move(saved.arena));
  persistent_arena_.Restore(std::move(saved.persistent_arena));
  last_active_node_ = saved.last_active_node;
  active_is_complete_ = saved.active_is_complete;
  active_from_ = saved.active_from;
  executed_to_ = saved.executed_to;
}

Status ArenaPlanner::Place(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& candidates) {
  const auto last_node = std::min(last, static_cast<std::int32_t>(plan_.node_count) - 1);
  ARENAPROOF_RETURN_IF_ERROR(AddTemporaries(graph_, first, last_node, options_.preserve_all_tensors, plan_));
  Candidates found = FindCandidates(first, last);
  candidates = found.tensors;
  if (!candidates.empty()) ARENAPROOF_RETURN_IF_ERROR(PlaceCandidates(first, candidates));
  SortByPlacement(found.longer_temporaries);
  for (const std::int32_t temporary : found.longer_temporaries) {
    ARENAPROOF_RETURN_IF_ERROR(PlaceForLonger(temporary));
  }
  last_active_node_ = last;
  executed_to_ = std::max(executed_to_, last);
  ARENAPROOF_RETURN_IF_ERROR(CheckPlaces(candidates));
  candidates.insert(candidates.end(), found.longer_temporaries.begin(), found.longer_temporaries.end());
  ForgetPlacesUnder(candidates);
  return Ok();
}

Status ArenaPlanner::PlaceCandidates(std::int32_t first, std::vector<std::int32_t>& candidates) {
  if (!last_active_node_ || first < *last_active_node_) {
    // From the start again. What has a place is not seen any more, so that places have to be checked.
    active_is_complete_ = active_is_complete_ && !last_active_node_;
    arena_.ResetAllocations();
  } else {
    arena_.PurgeActive(first);
    active_from_ = std::max(active_from_, first);
  }
  ARENAPROOF_RETURN_IF_ERROR(DropLostSharing(candidates));
  SortByPlacement(candidates);
  for (const std::int32_t tensor : candidates) ARENAPROOF_RETURN_IF_ERROR(PlaceOne(tensor));
  return Ok();
}

void ArenaPlanner::SortByPlacement(std::vector<std::int32_t>& tensors) {
  std::sort(tensors.begin(), tensors.end(), [&](std::int32_t a, std::int32_t b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return PlacedBefore(plan_.tensors[i], a, graph_.Tensor(i).bytes, plan_.tensors[j], b, graph_.Tensor(j).bytes);
  });
}

// Each tensor once, in the order of nodes. Ordinary tensors whose place is too small or missing, and every persistent
// one.
ArenaPlanner::Candidates ArenaPlanner::FindCandidates(std::int32_t first, std::int32_t last) {
  Candidates candidates;
  std::vector<bool> seen(plan_.tensors.size());
  for (std::size_t node = static_cast<std::size_t>(first);
       node < plan_.node_tensors.size() && static_cast<std::int64_t>(node) <= last; ++node) {
    for (const std::int32_t tensor : plan_.node_tensors[node]) {
      const auto index = static_cast<std::size_t>(tensor);
      if (seen[index] || plan_.tensors[index].alloc_node == kNoNode) continue;
      seen[index] = true;
      TensorPlan& plan = plan_.tensors[index];
      const ArenaTensor& of_graph = graph_.Tensor(index);
      const bool ordinary = of_graph.kind == ArenaTensorKind::kArena;
      if (!ordinary && of_graph.kind != ArenaTensorKind::kPersistentArena) continue;
      if (plan.placed_in != of_graph.kind) plan.record = {};  // a place in the other arena is none
      if (ordinary && IsLongerTemporary(index, first)) {
        candidates.longer_temporaries.push_back(tensor);
      } else if (!ordinary || plan.record.size < of_graph.bytes) {
        candidates.tensors.push_back(tensor);
      }
    }
  }
  return candidates;
}

// A candidate keeps its share when the owner lies in the non-persistent arena and has as many bytes. Where the tensor
// between it and its owner has no share any more, the operator copies to the owner's bytes what it reads elsewhere, so
// that no other name of them may be read from there on.
Status ArenaPlanner::DropLostSharing(std::vector<std::int32_t>& candidates) {
  bool dropped = false;
  for (const std::int32_t tensor : candidates) {  // in the order of nodes: a link before what is behind it
    const auto index = static_cast<std::size_t>(tensor);
    TensorPlan& plan = plan_.tensors[index];
    if (plan.owner == -1) continue;
    const auto owner = static_cast<std::size_t>(plan.owner);
    const auto source = static_cast<std::size_t>(plan.source);
    const ArenaTensor& of_owner = graph_.Tensor(owner);
    const ArenaTensor& of_graph = graph_.Tensor(index);
    const Allocation& place = plan_.tensors[owner].record;
    // A sharing that was only noted, because its input was of another kind then, is right where these rules say so too.
    const TensorUses& uses = plan_.uses[index];
    const bool owner_fits = of_owner.kind == ArenaTensorKind::kArena && of_owner.bytes == of_graph.bytes &&
                            of_graph.kind == ArenaTensorKind::kArena && !plan.keeps_apart &&
                            (plan.may_share || (uses.held == 0 && uses.writes == 1));
    const bool room = place.size == 0 || place.size >= of_graph.bytes ||
                      std::find(candidates.begin(), candidates.end(), plan.owner) != candidates.end();
    const bool link_lost =
        !plan.may_share || (source != owner && (plan_.tensors[source].owner != plan.owner ||
                                                graph_.Tensor(source).kind != ArenaTensorKind::kArena ||
                                                graph_.Tensor(source).bytes != of_owner.bytes));
    const bool keeps =
        owner_fits && room && !(link_lost && OtherNameIsRead(graph_, plan_, plan.owner, tensor, plan.alloc_node));
    if (keeps) continue;
    plan.owner = -1;
    dropped = true;
  }
  if (!dropped) return Ok();
  // Of those placed earlier none may depend on a link that is lost now.
  for (std::size_t i = 0; i < plan_.uses.size(); ++i) {
    const TensorPlan& plan = plan_.tensors[i];
    if (plan.owner == -1 || plan.source == plan.owner || plan.alloc_node > executed_to_) continue;
    if (graph_.Tensor(i).bytes == 0) continue;  // it has no byte to write
    if (plan_.tensors[static_cast<std::size_t>(plan.source)].owner == plan.owner) continue;
    const auto tensor = static_cast<std::int32_t>(i);
    if (std::find(candidates.begin(), candidates.end(), tensor) != candidates.end()) continue;
    if (OtherNameIsRead(graph_, plan_, plan.owner, tensor, plan.alloc_node)) {
      return Failure(StatusCode::kArenaResetNeeded, tensor, 0, plan.source, 0);
    }
  }
  return Ok();
}

Status ArenaPlanner::PlaceOne(std::int32_t tensor) {
  const auto index = static_cast<std::size_t>(tensor);
  TensorPlan& plan = plan_.tensors[index];
  if (plan.owner != -1) return Ok();
  const ArenaTensor& of_graph = graph_.Tensor(index);
  plan.placed_in = of_graph.kind;
  if (of_graph.kind == ArenaTensorKind::kArena) {
    return arena_.Allocate(options_.tensor_alignment, of_graph.bytes, tensor, plan.alloc_node, plan.dealloc_node,
                           &plan.record);
  }
  if (of_graph.bytes <= plan.record.size) return Ok();
  // It holds values that have to stay; only a reset may move it.
  if (plan.record.size > 0) {
    return Failure(StatusCode::kArenaResetNeeded, tensor, plan.record.offset, tensor, plan.record.offset);
  }
  return persistent_arena_.Allocate(options_.tensor_alignment, of_graph.bytes, tensor, plan.alloc_node, kNoNode,
                                    &plan.record);
}

// What the arena's active list did not hold when these tensors were placed.
Status ArenaPlanner::CheckPlaces(std::span<const std::int32_t> placed) const {
  for (const std::int32_t tensor : placed) {
    const TensorPlan& plan = plan_.tensors[static_cast<std::size_t>(tensor)];
    if (plan.owner != -1 || plan.placed_in != ArenaTensorKind::kArena) continue;
    const bool was_clear = active_is_complete_ && plan.alloc_node >= active_from_;
#if !defined(ARENAPROOF_ASAN) && !defined(ARENAPROOF_CHECK_INVARIANTS)
    if (was_clear) continue;  // instrumented builds check every place
#endif
    for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
      const TensorPlan& other = plan_.tensors[i];
      if (&other == &plan || other.placed_in != ArenaTensorKind::kArena ||
          graph_.Tensor(i).kind != ArenaTensorKind::kArena) {
        continue;
      }
      if (!SharesBytesInTime(plan.record, other.record)) continue;
      if (was_clear) {
        std::fprintf(stderr, "arena planner: the list of active allocations lacks tensor %zu\n", i);
        std::abort();
      }
      return Failure(StatusCode::kArenaResetNeeded, tensor, plan.record.offset, i, other.record.offset);
    }
  }
  return Ok();
}

// A tensor that is of another kind meanwhile has no place any more where others lie now.
void ArenaPlanner::ForgetPlacesUnder(std::span<const std::int32_t> placed) {
  for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
    TensorPlan& asleep = plan_.tensors[i];
    if (asleep.record.size == 0 || asleep.placed_in != ArenaTensorKind::kArena ||
        graph_.Tensor(i).kind == ArenaTensorKind::kArena) {
      continue;
    }
    const bool taken = std::any_of(placed.begin(), placed.end(), [&](std::int32_t tensor) {
      const TensorPlan& plan = plan_.tensors[static_cast<std::size_t>(tensor)];
      return plan.owner == -1 && plan.placed_in == ArenaTensorKind::kArena &&
             SharesBytesInTime(plan.record, asleep.record);
    });
    if (taken) asleep.record = {};
  }
}

Status ArenaPlanner::CommitArenas(bool* moved) {
  bool arena_moved = false;
  bool persistent_moved = false;
  const Status status = arena_.Commit(&arena_moved);
  *moved = arena_moved;
  if (!status.ok()) return status;
  const Status persistent_status = persistent_arena_.Commit(&persistent_moved);
  *moved = arena_moved || persistent_moved;
  return persistent_status;
}

}  // namespace arenaproof
