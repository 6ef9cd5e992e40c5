// A second arena planner, written from the specification's text and for clarity: no state is kept for speed, every
// question is answered by looking at the whole graph, a call that fails works on a copy that is thrown away. It knows
// offsets, not memory; its caller sets how often memory may grow.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/base/status.h"
#include "core/planner/host/simple_arena.h"
#include "engine/cases/synthetic_graph.h"
#include "engine/oracles/host_planner/smallest_gap.h"

namespace arenaproof::testing {

class ModelPlanner {
 public:
  // What memory does: blocks up to so many bytes are granted, and a new block for `bytes` bytes can grow without moving
  // as long as no more than room_of(bytes) are asked for.
  struct Host {
    std::size_t most_bytes = 0;
    std::size_t (*room_of)(std::size_t bytes) = nullptr;
  };

  ModelPlanner(SyntheticGraph& graph, bool preserve_all_tensors, std::size_t alignment, const Host& host)
      : graph_(graph),
        preserve_all_(preserve_all_tensors),
        alignment_(alignment),
        most_bytes_(host.most_bytes),
        room_of_(host.room_of) {}

  Status Plan();
  Status Execute(std::int32_t first, std::int32_t last);
  void Reset();
  void ResetAfter(std::int32_t node);
  void Release();
  Status Acquire();

  // The caller has changed the kind of a tensor and with it taken its address.
  void ForgetAddress(std::int32_t tensor) { addresses_.erase(tensor); }

  // What is to be compared: offsets of the tensors that have an address, in the arena of their kind.
  const std::map<std::int32_t, std::size_t>& addresses() const { return addresses_; }
  std::map<std::int32_t, std::int32_t> owners() const { return state_.owners; }
  std::size_t bytes(ArenaTensorKind kind) const {
    return kind == ArenaTensorKind::kArena ? memory_.bytes : persistent_memory_.bytes;
  }
  std::size_t planned_bytes(ArenaTensorKind kind) const {
    return static_cast<std::size_t>(kind == ArenaTensorKind::kArena ? state_.needed : state_.persistent_needed);
  }
  bool committed(ArenaTensorKind kind) const {
    return kind == ArenaTensorKind::kArena ? committed_ : persistent_committed_;
  }
  std::size_t planned_nodes() const { return planned_nodes_; }
  std::size_t known_tensors() const { return known_tensors_; }
  // What new allocations keep clear of, by offset, without those of no bytes.
  std::vector<Allocation> Active(ArenaTensorKind kind) const;
  // What has a place in the arena of its kind, by offset, then by tensor.
  std::vector<Allocation> Places(ArenaTensorKind kind) const;
  // The nodes from which and to which a tensor is needed; absent: nobody allocates it, nobody frees it.
  std::optional<std::int32_t> Birth(std::int32_t tensor) const;
  std::optional<std::int32_t> Death(std::int32_t tensor) const;
  std::optional<Allocation> PlaceOf(std::int32_t tensor) const;
  bool has_memory() const { return has_memory_; }
  // Whether every node was executed, each tensor that has to have a place has one that is large enough, and nothing has
  // changed under way. What a node that was left out shares is decided only when it is executed.
  bool EverythingIsPlaced() const;

  int growths_left = 1000;  // as many times memory is granted

 private:
  struct Memory {
    std::size_t bytes = 0;
    std::size_t room = 0;
  };
  struct Place {
    WideOffset offset = 0;
    std::size_t bytes = 0;
    std::int32_t tensor = -1;
    std::int64_t first = 0;
    std::int64_t last = 0;
    ArenaTensorKind kind = ArenaTensorKind::kArena;
  };
  // What a failing call takes back.
  struct State {
    std::map<std::int32_t, Place> places;
    std::map<std::int32_t, std::int64_t> births, deaths;  // a tensor without a death lives to the end
    std::map<std::int32_t, std::int32_t> owners;
    std::map<std::int32_t, std::set<std::int32_t>> of_nodes;  // which tensors are first needed at a node
    std::set<std::int32_t> temporaries;                       // of nodes that were executed
    std::vector<Place> obstacles, persistent_obstacles;       // in the order of their arrival
    WideOffset needed = 0, persistent_needed = 0;
    std::optional<std::int32_t> last_active;
    std::int64_t executed_to = -1;
    std::set<std::int64_t> executed;  // nodes whose tensors were placed
  };

  ArenaTensorKind KindOf(std::int32_t tensor) const { return graph_.tensors[static_cast<std::size_t>(tensor)].kind; }
  std::size_t BytesOf(std::int32_t tensor) const { return graph_.tensors[static_cast<std::size_t>(tensor)].bytes; }
  static bool Has(const std::vector<std::int32_t>& list, std::int32_t tensor);
  bool IsHeld(std::int32_t tensor) const;
  bool IsVariable(std::int32_t tensor) const;
  int Writers(std::int32_t tensor) const;
  std::int64_t LastReader(std::int32_t tensor) const;
  bool ReadOnlyHere(std::int32_t tensor) const;
  bool OthersNeedBytes(std::int32_t owner, std::int32_t except, bool and_behind, std::int64_t node) const;
  void FindOwners();
  void FindLives();
  Status NameTemporaries(std::int32_t first, std::int32_t last);
  std::vector<std::int32_t> WhoNeedsAPlace(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& longer);
  std::int64_t DeathOrEnd(std::int32_t tensor) const;
  void SortByPlacement(std::vector<std::int32_t>& tensors) const;
  Status PlaceForLonger(std::int32_t temporary);
  Status LoseOwners(const std::vector<std::int32_t>& tensors);
  std::optional<Place> Find(const std::vector<Place>& obstacles, std::int32_t tensor, std::int64_t last) const;
  Status PlaceAll(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& tensors);
  Status Grow(WideOffset needed, Memory& memory, bool* moved);
  void Address(std::int32_t tensor);
  void AddressAll();

  SyntheticGraph& graph_;
  bool preserve_all_;
  std::size_t alignment_;
  std::size_t most_bytes_;
  std::size_t (*room_of_)(std::size_t bytes);
  bool planned_ = false;
  std::size_t planned_nodes_ = 0;
  std::size_t known_tensors_ = 0;
  std::size_t planned_tensors_ = 0;
  std::map<std::int32_t, std::int32_t> links_;  // the input that each sharing tensor came through
  std::set<std::int32_t> only_noted_;           // sharers of an input that was not in the arena when the plan was made
  std::set<std::int32_t> apart_;                // persistent outputs that have an owner
  State state_;
  Memory memory_, persistent_memory_;
  bool committed_ = false, persistent_committed_ = false;
  bool has_memory_ = false;
  bool addresses_wait_ = false;  // released memory came back in a call that failed
  std::map<std::int32_t, std::size_t> addresses_;
};

}  // namespace arenaproof::testing
