#include "engine/oracles/host_planner/model_planner.h"

#include <algorithm>
#include <tuple>

#include "core/planner/host/allocation_record.h"
#include "core/planner/host/simple_arena.h"
#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN

namespace arenaproof::testing {
namespace {

constexpr std::int64_t kEnd = kNoNode;

bool InArena(ArenaTensorKind kind) {
  return kind == ArenaTensorKind::kArena || kind == ArenaTensorKind::kPersistentArena;
}

}  // namespace

Status ModelPlanner::Plan() {
  planned_ = true;
  planned_nodes_ = graph_.nodes.size();
  known_tensors_ = planned_tensors_ = graph_.tensors.size();
  FindOwners();
  FindLives();
  Reset();
  return Ok();
}

void ModelPlanner::Reset() {
  state_.places.clear();
  state_.obstacles.clear();
  state_.persistent_obstacles.clear();
  state_.needed = state_.persistent_needed = 0;
  state_.last_active.reset();
  state_.executed_to = -1;
  state_.executed.clear();
  committed_ = persistent_committed_ = false;
  addresses_wait_ = false;
  addresses_.clear();
}

void ModelPlanner::ResetAfter(std::int32_t node) {
  for (auto it = state_.places.begin(); it != state_.places.end();) {
    const bool goes = it->second.first > node && it->second.bytes > 0 && it->second.kind == ArenaTensorKind::kArena;
    if (goes && KindOf(it->first) == ArenaTensorKind::kArena) addresses_.erase(it->first);
    it = goes ? state_.places.erase(it) : std::next(it);
  }
  if (!state_.last_active || *state_.last_active > node) {
    state_.obstacles.clear();
    for (const auto& [tensor, place] : state_.places) {
      if (place.first <= node && node <= place.last) state_.obstacles.push_back(place);
    }
  } else {
    std::erase_if(state_.obstacles, [&](const Place& place) { return place.first > node; });
  }
  for (const auto& [tensor, owner] : state_.owners) {
    if (KindOf(tensor) == ArenaTensorKind::kArena && !state_.places.contains(owner)) addresses_.erase(tensor);
  }
  state_.last_active = node;
  state_.executed_to = std::min<std::int64_t>(state_.executed_to, node);
  std::erase_if(state_.executed, [node](std::int64_t executed) { return executed > node; });
}

void ModelPlanner::Release() {
  memory_ = {};
  committed_ = false;
  has_memory_ = false;
  std::erase_if(addresses_, [&](const auto& entry) { return KindOf(entry.first) == ArenaTensorKind::kArena; });
}

Status ModelPlanner::Acquire() {
  bool moved = false;
  committed_ = false;
  ARENAPROOF_RETURN_IF_ERROR(Grow(state_.needed, memory_, &moved));
  committed_ = has_memory_ = true;
  addresses_wait_ = false;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(known_tensors_); ++i) {
    if (KindOf(i) == ArenaTensorKind::kArena) Address(i);
  }
  return Ok();
}

Status ModelPlanner::NameTemporaries(std::int32_t first, std::int32_t last) {
  for (std::int32_t node = first; node <= last; ++node) {
    for (const std::int32_t tensor : graph_.nodes[static_cast<std::size_t>(node)].temporaries) {
      const bool of_plan = tensor < static_cast<std::int32_t>(planned_tensors_);
      if (of_plan && (IsHeld(tensor) || Writers(tensor) > 0)) {
        return Failure(StatusCode::kArenaTemporaryTaken, node, tensor);
      }
      std::int64_t from = node;
      std::int64_t to = node;
      // Of the nodes that were executed and still have it, the outer ones count.
      for (const auto& [other, tensors] : state_.of_nodes) {
        if (!tensors.contains(tensor)) continue;
        if (!Has(graph_.nodes[static_cast<std::size_t>(other)].temporaries, tensor)) continue;
        from = std::min<std::int64_t>(from, other);
        to = std::max<std::int64_t>(to, other);
      }
      state_.of_nodes[node].insert(tensor);
      state_.births[tensor] = from;
      if (preserve_all_) {
        state_.deaths.erase(tensor);
      } else {
        state_.deaths[tensor] = to;
      }
      state_.temporaries.insert(tensor);
    }
  }
  return Ok();
}

std::int64_t ModelPlanner::DeathOrEnd(std::int32_t tensor) const {
  const auto found = state_.deaths.find(tensor);
  return found == state_.deaths.end() ? kEnd : found->second;
}

// `longer`: temporaries of several nodes whose place does not hold for all of them, and those without a large enough
// one that were needed before these nodes.
std::vector<std::int32_t> ModelPlanner::WhoNeedsAPlace(std::int32_t first, std::int32_t last,
                                                       std::vector<std::int32_t>& longer) {
  std::vector<std::int32_t> tensors;
  for (const auto& [node, of_node] : state_.of_nodes) {
    if (node < first || node > last) continue;
    for (const std::int32_t tensor : of_node) {
      if (Has(tensors, tensor) || !InArena(KindOf(tensor)) || !state_.births.contains(tensor)) continue;
      const auto place = state_.places.find(tensor);
      if (place != state_.places.end() && place->second.kind != KindOf(tensor)) state_.places.erase(tensor);
      const std::size_t has = state_.places.contains(tensor) ? state_.places[tensor].bytes : 0;
      if (KindOf(tensor) == ArenaTensorKind::kArena && state_.temporaries.contains(tensor) && !Has(longer, tensor)) {
        const std::int64_t birth = state_.births[tensor];
        const bool too_short =
            has > 0 && (state_.places[tensor].first > birth || state_.places[tensor].last < DeathOrEnd(tensor));
        if (too_short || (has < BytesOf(tensor) && birth < first)) longer.push_back(tensor);
      }
      if (Has(longer, tensor)) continue;
      if (KindOf(tensor) == ArenaTensorKind::kPersistentArena || has < BytesOf(tensor)) tensors.push_back(tensor);
    }
  }
  return tensors;
}

// Refused: a tensor placed earlier depends on a link that is lost now.
Status ModelPlanner::LoseOwners(const std::vector<std::int32_t>& tensors) {
  std::multimap<std::int64_t, std::int32_t> in_order;
  for (const std::int32_t tensor : tensors) in_order.emplace(state_.births[tensor], tensor);
  bool lost = false;
  const auto link_is_lost = [&](std::int32_t tensor, bool by_kind) {
    const std::int32_t link = links_[tensor];
    const std::int32_t owner = state_.owners[tensor];
    if (by_kind && only_noted_.contains(tensor)) return true;
    if (link == owner) return false;
    const auto of_link = state_.owners.find(link);
    const bool elsewhere = of_link == state_.owners.end() || of_link->second != owner;
    return elsewhere || (by_kind && (KindOf(link) != ArenaTensorKind::kArena || BytesOf(link) != BytesOf(owner)));
  };
  for (const auto& [birth, tensor] : in_order) {
    if (!state_.owners.contains(tensor)) continue;
    const std::int32_t owner = state_.owners[tensor];
    const std::size_t room = state_.places.contains(owner) ? state_.places[owner].bytes : 0;
    const bool stays = KindOf(tensor) == ArenaTensorKind::kArena && KindOf(owner) == ArenaTensorKind::kArena &&
                       BytesOf(tensor) == BytesOf(owner) && !apart_.contains(tensor) &&
                       (!only_noted_.contains(tensor) || (!IsHeld(tensor) && Writers(tensor) == 1)) &&
                       (room == 0 || room >= BytesOf(tensor) || Has(tensors, owner)) &&
                       !(link_is_lost(tensor, true) && OthersNeedBytes(owner, tensor, true, birth));
    if (stays) continue;
    state_.owners.erase(tensor);
    lost = true;
  }
  if (!lost) return Ok();
  for (const auto& [tensor, owner] : state_.owners) {
    if (Has(tensors, tensor) || state_.births[tensor] > state_.executed_to || BytesOf(tensor) == 0) continue;
    if (link_is_lost(tensor, false) && OthersNeedBytes(owner, tensor, true, state_.births[tensor])) {
      return Failure(StatusCode::kArenaResetNeeded, tensor, 0, links_[tensor], 0);
    }
  }
  return Ok();
}

std::optional<ModelPlanner::Place> ModelPlanner::Find(const std::vector<Place>& obstacles, std::int32_t tensor,
                                                      std::int64_t last) const {
  const std::size_t bytes = BytesOf(tensor);
  const std::int64_t first = state_.births.at(tensor);
  std::vector<GapObstacle> near;
  for (const Place& each : obstacles) {
    if (each.first <= last && first <= each.last) near.push_back({each.offset, each.bytes});
  }
  const std::optional<WideOffset> offset = SmallestGap(std::move(near), bytes, alignment_);
  if (!offset) return std::nullopt;
  return Place{*offset, bytes, tensor, first, last, KindOf(tensor)};
}

void ModelPlanner::SortByPlacement(std::vector<std::int32_t>& tensors) const {
  const auto key = [&](std::int32_t tensor) {
    const bool always = state_.births.at(tensor) == 0 && DeathOrEnd(tensor) == kEnd;
    return always ? std::tuple(0, std::size_t{0}, std::int64_t{0}, tensor)
                  : std::tuple(1, ~BytesOf(tensor), state_.births.at(tensor), tensor);
  };
  std::sort(tensors.begin(), tensors.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
}

// Where it lies, if nobody else lies there at any of its nodes or between them; else in the smallest gap of all such.
Status ModelPlanner::PlaceForLonger(std::int32_t temporary) {
  std::vector<Place> others;
  for (const auto& [tensor, place] : state_.places) {
    const bool beside = tensor != temporary && place.kind == ArenaTensorKind::kArena && KindOf(tensor) == place.kind;
    if (beside) others.push_back(place);
  }
  const std::int64_t birth = state_.births[temporary], death = DeathOrEnd(temporary);
  const auto old = state_.places.find(temporary);
  bool stays = old != state_.places.end() && old->second.bytes >= BytesOf(temporary);
  for (const Place& other : others) {
    if (!stays || other.first > death || birth > other.last) continue;
    const Place& place = old->second;
    stays = place.offset + place.bytes <= other.offset || other.offset + other.bytes <= place.offset;
  }
  std::optional<Place> place;
  if (stays) {
    place = Place{old->second.offset, old->second.bytes, temporary, birth, death, ArenaTensorKind::kArena};
  } else if (BytesOf(temporary) > 0) {
    place = Find(others, temporary, death);
    if (!place) return Failure(StatusCode::kHostArenaOverflow, BytesOf(temporary), alignment_);
  }
  std::erase_if(state_.obstacles, [&](const Place& obstacle) { return obstacle.tensor == temporary; });
  state_.places.erase(temporary);
  if (!place) return Ok();
  state_.places[temporary] = *place;
  state_.obstacles.push_back(*place);
  state_.needed = std::max(state_.needed, place->offset + place->bytes);
  return Ok();
}

Status ModelPlanner::PlaceAll(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& tensors) {
  const auto last_node = std::min<std::int32_t>(last, static_cast<std::int32_t>(graph_.nodes.size()) - 1);
  ARENAPROOF_RETURN_IF_ERROR(NameTemporaries(first, last_node));
  std::vector<std::int32_t> longer;
  tensors = WhoNeedsAPlace(first, last, longer);
  if (!tensors.empty()) {
    if (!state_.last_active || first < *state_.last_active) {
      state_.obstacles.clear();
    } else {
      std::erase_if(state_.obstacles, [&](const Place& place) { return place.last < first; });
    }
    ARENAPROOF_RETURN_IF_ERROR(LoseOwners(tensors));
  }
  SortByPlacement(tensors);
  std::vector<Place> fresh;
  for (const std::int32_t tensor : tensors) {
    if (state_.owners.contains(tensor)) continue;
    const bool persistent = KindOf(tensor) == ArenaTensorKind::kPersistentArena;
    if (persistent && state_.places.contains(tensor) && state_.places[tensor].bytes > 0) {
      const Place& place = state_.places[tensor];
      const auto offset = static_cast<std::size_t>(place.offset);
      if (BytesOf(tensor) <= place.bytes) continue;
      return Failure(StatusCode::kArenaResetNeeded, tensor, offset, tensor, offset);
    }
    if (BytesOf(tensor) == 0) continue;
    auto& obstacles = persistent ? state_.persistent_obstacles : state_.obstacles;
    const auto place = Find(obstacles, tensor, persistent ? kEnd : DeathOrEnd(tensor));
    if (!place) return Failure(StatusCode::kHostArenaOverflow, BytesOf(tensor), alignment_);
    obstacles.push_back(*place);
    state_.places[tensor] = *place;
    auto& needed = persistent ? state_.persistent_needed : state_.needed;
    needed = std::max(needed, place->offset + place->bytes);
    if (!persistent) fresh.push_back(*place);
  }
  SortByPlacement(longer);
  for (const std::int32_t temporary : longer) ARENAPROOF_RETURN_IF_ERROR(PlaceForLonger(temporary));
  state_.last_active = last;
  state_.executed_to = std::max<std::int64_t>(state_.executed_to, last);
  for (std::int64_t node = first; node <= last_node; ++node) state_.executed.insert(node);
  for (const Place& place : fresh) {
    for (const auto& [tensor, other] : state_.places) {
      if (tensor == place.tensor || other.kind != ArenaTensorKind::kArena) continue;
      if (KindOf(tensor) != ArenaTensorKind::kArena) continue;
      const bool in_time = place.first <= other.last && other.first <= place.last;
      if (in_time && place.offset < other.offset + other.bytes && other.offset < place.offset + place.bytes) {
        return Failure(StatusCode::kArenaResetNeeded, place.tensor, static_cast<std::size_t>(place.offset), tensor,
                       static_cast<std::size_t>(other.offset));
      }
    }
  }
  tensors.insert(tensors.end(), longer.begin(), longer.end());
  // Whoever is of another kind now has no claim to a place where one of these lies.
  for (const std::int32_t tensor : tensors) {
    if (state_.owners.contains(tensor) || !state_.places.contains(tensor)) continue;
    const Place place = state_.places[tensor];
    if (place.kind != ArenaTensorKind::kArena) continue;
    std::erase_if(state_.places, [&](const auto& entry) {
      const Place& other = entry.second;
      return other.kind == place.kind && KindOf(entry.first) != place.kind && other.first <= place.last &&
             place.first <= other.last && other.offset < place.offset + place.bytes &&
             place.offset < other.offset + other.bytes;
    });
  }
  return Ok();
}

Status ModelPlanner::Grow(WideOffset needed, Memory& memory, bool* moved) {
  if (needed <= memory.bytes) return Ok();
  const WideOffset block = (needed + 2 * kArenaAlignment - 2) / kArenaAlignment * kArenaAlignment;
  const auto bytes = static_cast<std::size_t>(needed);
  if (block > kLargestOffset) return Failure(StatusCode::kHostArenaOverflow, bytes, kArenaAlignment);
  if (needed > most_bytes_ || growths_left == 0) {
    return Failure(StatusCode::kHostArenaMemory, bytes, memory.bytes);
  }
  --growths_left;
  if (bytes > memory.room) {
    memory.room = room_of_(bytes);
    *moved = true;
  }
  memory.bytes = bytes;
  return Ok();
}

Status ModelPlanner::Execute(std::int32_t first, std::int32_t last) {
  if (!planned_ || planned_nodes_ != graph_.nodes.size()) {
    return Failure(StatusCode::kArenaNotPlanned, planned_nodes_, graph_.nodes.size());
  }
  if (graph_.tensors.size() < known_tensors_) {
    return Failure(StatusCode::kArenaTensorsGone, graph_.tensors.size(), known_tensors_);
  }
  if (first < 0 || last < -1) {
    return Failure(StatusCode::kArenaNodeRange, std::int64_t{first}, std::int64_t{last});
  }
  const State before = state_;
  const std::size_t known_before = known_tensors_;
  known_tensors_ = graph_.tensors.size();
  std::vector<std::int32_t> tensors;
  bool moved = false;
  Status status = PlaceAll(first, last, tensors);
  if (status.ok()) status = Grow(state_.needed, memory_, &moved);
  if (status.ok()) status = Grow(state_.persistent_needed, persistent_memory_, &moved);
  if (!status.ok()) {
    state_ = before;
    known_tensors_ = known_before;
    if (moved) AddressAll();
    addresses_wait_ = addresses_wait_ || (moved && !committed_);
    return status;
  }
  committed_ = persistent_committed_ = has_memory_ = true;
  if (moved || addresses_wait_) {
    AddressAll();
  } else {
    for (const std::int32_t tensor : tensors) Address(tensor);
    for (const auto& [tensor, owner] : state_.owners) {
      if (addresses_.contains(tensor) && Has(tensors, owner)) Address(tensor);
    }
  }
  addresses_wait_ = false;
  return Ok();
}

void ModelPlanner::Address(std::int32_t tensor) {
  const ArenaTensorKind kind = KindOf(tensor);
  if (!InArena(kind)) return;
  if (state_.owners.contains(tensor) && KindOf(state_.owners[tensor]) == kind && !apart_.contains(tensor)) {
    const std::int32_t owner = state_.owners[tensor];
    Address(owner);
    addresses_.erase(tensor);
    if (addresses_.contains(owner) && BytesOf(tensor) > 0) addresses_[tensor] = addresses_[owner];
    return;
  }
  addresses_.erase(tensor);
  const auto place = state_.places.find(tensor);
  if (place == state_.places.end() || place->second.kind != kind) return;
  if (kind == ArenaTensorKind::kArena ? committed_ : persistent_committed_) {
    addresses_[tensor] = static_cast<std::size_t>(place->second.offset);
  }
}

void ModelPlanner::AddressAll() {
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(known_tensors_); ++i) Address(i);
}

std::vector<Allocation> ModelPlanner::Active(ArenaTensorKind kind) const {
  std::multimap<WideOffset, Place> by_offset;  // of equal offsets the one that came later is later
  for (const Place& place : kind == ArenaTensorKind::kArena ? state_.obstacles : state_.persistent_obstacles) {
    by_offset.emplace(place.offset, place);
  }
  std::vector<Allocation> active;
  for (const auto& [offset, place] : by_offset) {
    active.push_back({static_cast<std::size_t>(place.offset), place.bytes, place.tensor,
                      static_cast<std::int32_t>(place.first), static_cast<std::int32_t>(place.last)});
  }
  return active;
}

std::vector<Allocation> ModelPlanner::Places(ArenaTensorKind kind) const {
  std::map<std::pair<WideOffset, std::int32_t>, Allocation> in_order;
  for (const auto& [tensor, place] : state_.places) {
    if (place.bytes > 0 && place.kind == kind && KindOf(tensor) == kind) {
      in_order[{place.offset, tensor}] = *PlaceOf(tensor);
    }
  }
  std::vector<Allocation> places;
  for (const auto& [key, place] : in_order) places.push_back(place);
  return places;
}

std::optional<std::int32_t> ModelPlanner::Birth(std::int32_t tensor) const {
  const auto found = state_.births.find(tensor);
  if (found == state_.births.end()) return std::nullopt;
  return static_cast<std::int32_t>(found->second);
}

std::optional<std::int32_t> ModelPlanner::Death(std::int32_t tensor) const {
  const auto found = state_.deaths.find(tensor);
  if (found == state_.deaths.end()) return std::nullopt;
  return static_cast<std::int32_t>(found->second);
}

std::optional<Allocation> ModelPlanner::PlaceOf(std::int32_t tensor) const {
  const auto found = state_.places.find(tensor);
  if (found == state_.places.end()) return std::nullopt;
  const Place& place = found->second;
  return Allocation{static_cast<std::size_t>(place.offset), place.bytes, tensor, static_cast<std::int32_t>(place.first),
                    static_cast<std::int32_t>(place.last)};
}

bool ModelPlanner::EverythingIsPlaced() const {
  if (!planned_ || !has_memory_ || state_.executed.size() < graph_.nodes.size()) return false;
  for (const auto& [tensor, birth] : state_.births) {
    if (!InArena(KindOf(tensor)) || BytesOf(tensor) == 0) continue;
    const auto owner = state_.owners.find(tensor);
    const std::int32_t root = owner == state_.owners.end() ? tensor : owner->second;
    const auto place = state_.places.find(root);
    if (!addresses_.contains(tensor) || place == state_.places.end()) return false;
    if (place->second.bytes < BytesOf(tensor) || BytesOf(root) != BytesOf(tensor)) return false;
    if (place->second.kind != KindOf(tensor)) return false;
    // Through a link that changed its size meanwhile, sharing is decided when the node is executed again.
    if (owner != state_.owners.end() && BytesOf(links_.at(tensor)) != BytesOf(root)) return false;
  }
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const std::int32_t tensor : graph_.nodes[i].temporaries) {
      const auto known = state_.of_nodes.find(static_cast<std::int32_t>(i));
      if (known == state_.of_nodes.end() || !known->second.contains(tensor) || !state_.births.contains(tensor))
        return false;
    }
  }
  return true;
}

}  // namespace arenaproof::testing

ARENAPROOF_UNGUIDED_END
