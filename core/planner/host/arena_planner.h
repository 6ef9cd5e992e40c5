// The arena planner of TensorFlow Lite: memory for the tensors of one graph (a subgraph of a model has a planner of its
// own), which grows on the heap and can be planned node by node, for graphs whose sizes become known on the way.
//
// PlanAllocations looks at the graph's structure alone: lifetimes, and which outputs share the bytes of an input.
// ExecuteAllocations places the tensors of a range of nodes, lets memory grow, and writes the tensors' addresses. There
// are two arenas: one for ordinary tensors, one for those that keep their place for good.
//
// Order of placement: tensors that live from node 0 to the end, by index; then the larger before the smaller, the
// earlier before the later, the lower index before the higher. The key is complete, so that a graph has one plan.
//
// Behaviour: TensorFlow Lite's planner, offset for offset, and the same addresses written by the same calls. It differs
// on purpose where that errs (invariants A1 to A15 of the planners' specification):
//   - sharing is refused where another name of the bytes is still read (buffer_sharing.h), and given up when the
//     operator between two names has lost its own share;
//   - a persistent output that has an owner in the other arena has memory of its own;
//   - a call that fails leaves the plan as it was and loses no contents, and every address is right. Growth may be
//     refused at every allocation; if one arena has grown before the other was refused, it stays as large as it is;
//   - nodes that are executed again without the reset that this needs are refused when a tensor would land on another
//     one that lives with it (kArenaResetNeeded);
//   - no address is stale: what has no place any more is null, also after a move, a reset, or with a size of 0; who
//     shares bytes goes where they go; a tensor that was of another kind meanwhile does not come back to a place that
//     others have got;
//   - a tensor that belongs to two nodes is placed once, for both. A temporary that turns out to be needed by a further
//     node, as nodes are executed one by one, keeps its place if that is free from its first node to its last, and else
//     gets another that is.
// Three things are as wasteful as there, so that plans stay equal: an output that has lost its share lives to the end,
// an owner lives as long as a persistent output is read that does not lie in its bytes, and after ResetAllocationsAfter
// ordinary tensors keep clear of the offsets of persistent ones.
//
// core/runtime does not use it as it is: tools/model/model_arena_planner.h runs one for each subgraph of a model,
// without memory, behind the interface of the runtime's planners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/planner/host/arena_plan.h"
#include "core/planner/plan_picture.h"

namespace arenaproof {

struct ArenaPlannerOptions {
  bool preserve_all_tensors = false;               // no tensor dies, nothing is shared
  std::size_t tensor_alignment = kArenaAlignment;  // 1 to kArenaAlignment, any number
  int subgraph = 0;                                // for reports
  AlignedMemory memory = {};                       // default: the heap
  ArenaMemoryListener* listener = nullptr;
  bool takes_memory = true;  // false: tensors get places and no addresses, however large the plan is
};

struct ArenaBytes {
  std::size_t non_persistent = 0;
  std::size_t persistent = 0;
};

class ArenaPlanner {
 public:
  // The graph has to outlive the planner. It may change: its structure only before PlanAllocations, sizes and kinds
  // before the nodes concerned are executed, temporaries before their node is; tensors may be added at any time.
  explicit ArenaPlanner(ArenaGraph& graph, const ArenaPlannerOptions& options = {});
  ArenaPlanner(const ArenaPlanner&) = delete;
  ArenaPlanner& operator=(const ArenaPlanner&) = delete;

  // kArenaTensorIndex, kArenaGraphTooLarge (graph_check.h); kHostPlannerMemory (tensors): no memory for the plan
  // itself.
  Status PlanAllocations();

  // Places what the nodes first..last need (last below first: nothing; nodes that do not exist count for nothing). A
  // plan is complete when every node was executed; for a node that was left out, those behind it take it that it keeps
  // what PlanAllocations lets it share, and where it does not, it is refused afterwards (kArenaResetNeeded).
  // kArenaNotPlanned (nodes planned, nodes now): PlanAllocations was not called for this graph; kArenaTensorsGone
  // (tensors now, before); kArenaNodeRange (first, last); kArenaTemporaryTaken; kArenaResetNeeded (tensor, its offset,
  // tensor that lives at that time, its offset); kHostPlannerMemory; what SimpleArena::Allocate and Commit answer.
  Status ExecuteAllocations(std::int32_t first, std::int32_t last);

  // Every tensor loses its place; memory stays, and so does what PlanAllocations found out.
  Status ResetAllocations();
  // Ordinary tensors that are first needed behind `node` lose their place; persistent ones keep theirs.
  Status ResetAllocationsAfter(std::int32_t node);

  // Memory of ordinary tensors goes and comes back at the same offsets; contents are lost. A planner that takes no
  // memory otherwise acquires it here, and writes addresses.
  Status ReleaseNonPersistentMemory();
  Status AcquireNonPersistentMemory();
  bool HasNonPersistentMemory() const { return has_non_persistent_memory_; }

  // First byte of the arena for tensors of that kind; null without memory, and for other kinds.
  std::byte* BasePointer(ArenaTensorKind kind) const;
  ArenaBytes GetAllocInfo() const { return {arena_.buffer_bytes(), persistent_arena_.buffer_bytes()}; }

  // What has places in both arenas as text (arena_dump.h), and of the first a picture with a row for each node.
  void DumpDebugInfo(PictureSink& sink) const;

  std::span<const TensorPlan> tensors() const { return plan_.tensors; }
  const SimpleArena& arena(ArenaTensorKind kind) const {
    return kind == ArenaTensorKind::kPersistentArena ? persistent_arena_ : arena_;
  }
  const ArenaPlannerOptions& options() const { return options_; }

 private:
  struct Saved;
  struct Candidates {
    std::vector<std::int32_t> tensors;             // to be placed beside what lives from their nodes on
    std::vector<std::int32_t> longer_temporaries;  // needed at nodes before these, or placed for too short a time
  };

  Status Place(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& candidates);
  Status PlaceCandidates(std::int32_t first, std::vector<std::int32_t>& candidates);
  Candidates FindCandidates(std::int32_t first, std::int32_t last);
  bool IsLongerTemporary(std::size_t tensor, std::int32_t first) const;
  Status DropLostSharing(std::vector<std::int32_t>& candidates);
  void SortByPlacement(std::vector<std::int32_t>& tensors);
  Status PlaceOne(std::int32_t tensor);
  Status PlaceForLonger(std::int32_t temporary);
  Status CheckPlaces(std::span<const std::int32_t> placed) const;
  void ForgetPlacesUnder(std::span<const std::int32_t> placed);
  Status CommitArenas(bool* moved);
  void TakeBack(Saved&& saved);
  void ResolveTensor(std::size_t tensor);
  void ResolveAll();
  void ResolveSharersOf(std::span<const std::int32_t> owners);
  std::vector<Allocation> PlacesOf(ArenaTensorKind kind) const;

  ArenaGraph& graph_;
  ArenaPlannerOptions options_;
  SimpleArena arena_;
  SimpleArena persistent_arena_;
  ArenaPlan plan_;
  bool planned_ = false;
  bool has_non_persistent_memory_ = false;
  std::optional<std::int32_t> last_active_node_;  // how far placement has come; nothing is placed without it
  std::int32_t executed_to_ = -1;                 // the last node whose tensors have places
  bool resolve_all_next_ = false;                 // memory came back in a call that failed: addresses wait for the next
  // Whether the arena's active list holds everything that lives at `active_from_` or later.
  bool active_is_complete_ = true;
  std::int32_t active_from_ = 0;
};

// The order of placement. `a` and `b` are tensors of the plan and their bytes.
bool PlacedBefore(const TensorPlan& a, std::int32_t a_index, std::size_t a_bytes, const TensorPlan& b,
                  std::int32_t b_index, std::size_t b_bytes);

}  // namespace arenaproof
