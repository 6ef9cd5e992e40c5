#include "core/planner/host/arena_planner.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/planner/host/arena_dump.h"
#include "core/planner/host/buffer_sharing.h"
#include "core/planner/host/graph_check.h"
#include "core/planner/host/tensor_lifetimes.h"

namespace arenaproof {
namespace {

bool InArenas(ArenaTensorKind kind) {
  return kind == ArenaTensorKind::kArena || kind == ArenaTensorKind::kPersistentArena;
}

ArenaPlan MakePlan(ArenaGraph& graph, bool preserve_all_tensors) {
  ArenaPlan plan;
  plan.tensors.resize(graph.TensorCount());
  plan.node_count = graph.NodeCount();
  plan.uses = CountUses(graph);
  if (!preserve_all_tensors) IdentifySharing(graph, plan);
  FindLifetimes(graph, preserve_all_tensors, plan);
  return plan;
}

}  // namespace

ArenaPlanner::ArenaPlanner(ArenaGraph& graph, const ArenaPlannerOptions& options)
    : graph_(graph),
      options_(options),
      arena_(kArenaAlignment, options.subgraph, options.memory, options.listener),
      persistent_arena_(kArenaAlignment, options.subgraph, options.memory, options.listener) {}

Status ArenaPlanner::PlanAllocations() {
  ARENAPROOF_RETURN_IF_ERROR(CheckGraph(graph_));
  try {
    plan_ = MakePlan(graph_, options_.preserve_all_tensors);
  } catch (const std::bad_alloc&) {
    return Failure(StatusCode::kHostPlannerMemory, graph_.TensorCount());
  }
  planned_ = true;
  return ResetAllocations();
}

Status ArenaPlanner::ResetAllocations() {
  arena_.ClearPlan();
  persistent_arena_.ClearPlan();
  for (TensorPlan& tensor : plan_.tensors) tensor.record = {};
  for (std::size_t i = 0; i < graph_.TensorCount(); ++i) {
    if (InArenas(graph_.Tensor(i).kind)) graph_.Tensor(i).data = nullptr;
  }
  last_active_node_.reset();
  resolve_all_next_ = false;
  active_is_complete_ = true;
  active_from_ = 0;
  executed_to_ = -1;
  return Ok();
}

Status ArenaPlanner::ResetAllocationsAfter(std::int32_t node) {
  const std::size_t count = std::min(plan_.tensors.size(), graph_.TensorCount());
  // By where the place is: a tensor that is dynamic meanwhile must not come back to a place that others have got.
  const auto loses_its_place = [&](std::size_t i) {
    const Allocation& record = plan_.tensors[i].record;
    return record.first > node && record.size > 0 && plan_.tensors[i].placed_in == ArenaTensorKind::kArena;
  };
  if (!last_active_node_ || *last_active_node_ > node) {
    std::vector<Allocation> kept;
    try {
      kept.reserve(count);
      for (std::size_t i = 0; i < count; ++i) {
        if (!loses_its_place(i)) kept.push_back(plan_.tensors[i].record);
      }
      // As in the reference, records of the persistent arena count too.
      arena_.CalculateActive(kept, node);
    } catch (const std::bad_alloc&) {
      return Failure(StatusCode::kHostPlannerMemory, count);
    }
    active_is_complete_ = true;
    active_from_ = node;
  } else {
    arena_.PurgeAfter(node);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!loses_its_place(i)) continue;
    plan_.tensors[i].record = {};
    if (graph_.Tensor(i).kind == ArenaTensorKind::kArena) graph_.Tensor(i).data = nullptr;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t owner = plan_.tensors[i].owner;
    if (owner == -1 || graph_.Tensor(i).kind != ArenaTensorKind::kArena) continue;
    if (plan_.tensors[static_cast<std::size_t>(owner)].record.size == 0) graph_.Tensor(i).data = nullptr;
  }
  last_active_node_ = node;
  executed_to_ = std::min(executed_to_, node);
  return Ok();
}

Status ArenaPlanner::ReleaseNonPersistentMemory() {
  arena_.ReleaseBuffer();
  has_non_persistent_memory_ = false;
  for (std::size_t i = 0; i < graph_.TensorCount(); ++i) {
    if (graph_.Tensor(i).kind == ArenaTensorKind::kArena) graph_.Tensor(i).data = nullptr;
  }
  return Ok();
}

Status ArenaPlanner::AcquireNonPersistentMemory() {
  bool moved = false;
  ARENAPROOF_RETURN_IF_ERROR(arena_.Commit(&moved));
  has_non_persistent_memory_ = true;
  resolve_all_next_ = false;
  for (std::size_t i = 0; i < std::min(plan_.tensors.size(), graph_.TensorCount()); ++i) {
    if (graph_.Tensor(i).kind == ArenaTensorKind::kArena) ResolveTensor(i);
  }
  return Ok();
}

std::byte* ArenaPlanner::BasePointer(ArenaTensorKind kind) const {
  return InArenas(kind) ? arena(kind).base() : nullptr;
}

void ArenaPlanner::DumpDebugInfo(PictureSink& sink) const {
  const auto last_node = static_cast<std::int32_t>(plan_.node_count) - 1;
  const auto dump = [&](const char* title, ArenaTensorKind kind) {
    const SimpleArena& of_kind = arena(kind);
    const std::size_t bytes = of_kind.buffer_bytes() != 0 ? of_kind.buffer_bytes() : of_kind.high_water();
    DumpArena({title, options_.subgraph, bytes, last_node}, PlacesOf(kind), sink);
  };
  dump("non-persistent arena", ArenaTensorKind::kArena);
  dump("persistent arena", ArenaTensorKind::kPersistentArena);
  DrawArena(PlacesOf(ArenaTensorKind::kArena), last_node, sink);
}

// By offset, then by tensor. What the list of active allocations says is another question: it lacks what was purged,
// and has what lies in the other arena after a partial reset.
std::vector<Allocation> ArenaPlanner::PlacesOf(ArenaTensorKind kind) const {
  std::vector<Allocation> places;
  for (std::size_t i = 0; i < std::min(plan_.tensors.size(), graph_.TensorCount()); ++i) {
    const TensorPlan& plan = plan_.tensors[i];
    const bool there = plan.record.size > 0 && plan.placed_in == kind && graph_.Tensor(i).kind == kind;
    if (there) places.push_back(plan.record);
  }
  std::sort(places.begin(), places.end(), [](const Allocation& a, const Allocation& b) {
    return std::pair(a.offset, a.tensor) < std::pair(b.offset, b.tensor);
  });
  return places;
}

void ArenaPlanner::ResolveTensor(std::size_t index) {
  ArenaTensor& tensor = graph_.Tensor(index);
  if (!InArenas(tensor.kind)) return;
  const TensorPlan& plan = plan_.tensors[index];
  const bool shares =
      plan.owner != -1 && !plan.keeps_apart && graph_.Tensor(static_cast<std::size_t>(plan.owner)).kind == tensor.kind;
  if (shares) {
    const auto owner = static_cast<std::size_t>(plan.owner);
    ResolveTensor(owner);
    tensor.data = tensor.bytes == 0 ? nullptr : graph_.Tensor(owner).data;
    return;
  }
  tensor.data = nullptr;
  if (plan.record.size == 0 || plan.placed_in != tensor.kind) return;
  // A place that is not committed has no address; the pointer then stays null.
  if (!arena(tensor.kind).Resolve(plan.record, &tensor.data).ok()) tensor.data = nullptr;
}

void ArenaPlanner::ResolveAll() {
  for (std::size_t i = 0; i < std::min(plan_.tensors.size(), graph_.TensorCount()); ++i) ResolveTensor(i);
}

// Those that have an address: owners may have moved from it.
void ArenaPlanner::ResolveSharersOf(std::span<const std::int32_t> owners) {
  std::vector<bool> is_owner(plan_.tensors.size());
  for (const std::int32_t owner : owners) is_owner[static_cast<std::size_t>(owner)] = true;
  for (std::size_t i = 0; i < std::min(plan_.tensors.size(), graph_.TensorCount()); ++i) {
    const std::int32_t owner = plan_.tensors[i].owner;
    if (owner == -1 || !is_owner[static_cast<std::size_t>(owner)] || graph_.Tensor(i).data == nullptr) continue;
    ResolveTensor(i);
  }
}

}  // namespace arenaproof
