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
constexpr unsigned __int128 kLargestOffset = SIZE_MAX;

bool Has(const std::vector<std::int32_t>& list, std::int32_t tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

bool InArena(ArenaTensorKind kind) {
  return kind == ArenaTensorKind::kArena || kind == ArenaTensorKind::kPersistentArena;
}

}  // namespace

bool ModelPlanner::IsVariable(std::int32_t tensor) const { return Has(graph_.variables, tensor); }
bool ModelPlanner::IsHeld(std::int32_t tensor) const {
  return Has(graph_.inputs, tensor) || Has(graph_.outputs, tensor) || IsVariable(tensor);
}

int ModelPlanner::Writers(std::int32_t tensor) const {
  int count = 0;
  for (const SyntheticNode& node : graph_.nodes) {
    count += static_cast<int>(std::count(node.outputs.begin(), node.outputs.end(), tensor));
  }
  return count;
}

std::int64_t ModelPlanner::LastReader(std::int32_t tensor) const {
  for (std::size_t i = graph_.nodes.size(); i > 0; --i) {
    if (Has(graph_.nodes[i - 1].inputs, tensor)) return static_cast<std::int64_t>(i) - 1;
  }
  return -1;
}

// One operand of one node is all that the tensor is for.
bool ModelPlanner::ReadOnlyHere(std::int32_t tensor) const {
  std::ptrdiff_t count = 0;
  for (const auto* list : {&graph_.inputs, &graph_.outputs, &graph_.variables}) {
    count += std::count(list->begin(), list->end(), tensor);
  }
  for (const SyntheticNode& node : graph_.nodes) count += std::count(node.inputs.begin(), node.inputs.end(), tensor);
  return count <= 1;
}

bool ModelPlanner::OthersNeedBytes(std::int32_t owner, std::int32_t except, bool and_behind, std::int64_t node) const {
  for (std::int32_t name = 0; name < static_cast<std::int32_t>(planned_tensors_); ++name) {
    const auto found = state_.owners.find(name);
    if (name != owner && (found == state_.owners.end() || found->second != owner)) continue;
    bool excepted = name == except;
    if (and_behind) {
      if (name != owner && KindOf(name) != ArenaTensorKind::kArena) continue;
      for (auto link = links_.find(name); link != links_.end() && !excepted; link = links_.find(link->second)) {
        excepted = link->second == except;
      }
    }
    if (!excepted && (IsHeld(name) || LastReader(name) >= node)) return true;
  }
  return false;
}

void ModelPlanner::FindOwners() {
  state_.owners.clear();
  links_.clear();
  only_noted_.clear();
  if (preserve_all_) return;
  std::set<std::int32_t> written;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const SyntheticNode& node = graph_.nodes[i];
    const std::set<std::int32_t> written_before = written;
    for (const std::int32_t output : node.outputs) written.insert(output);
    if (node.outputs.empty() || node.sharing == 0) continue;
    const bool keeps_data = (node.sharing & kLeavesDataUnmodified) != 0;
    const std::int32_t output = node.outputs[0];
    std::optional<std::int32_t> chosen;
    for (std::size_t k = 0; k < 3 && k < node.inputs.size() && !chosen; ++k) {
      const std::int32_t input = node.inputs[k];
      if (input < 0 || (node.sharing >> (2 + k)) % 2 == 0) continue;
      if (!keeps_data && (BytesOf(input) != BytesOf(output) || BytesOf(input) <= 4 || !ReadOnlyHere(input))) {
        continue;
      }
      if (Has(graph_.inputs, input) || Has(graph_.outputs, output)) continue;
      if (KindOf(input) != KindOf(output) && KindOf(input) != ArenaTensorKind::kArena) continue;
      chosen = input;
    }
    if (!chosen) continue;
    const std::int32_t owner = state_.owners.contains(*chosen) ? state_.owners[*chosen] : *chosen;
    if (!keeps_data && !ReadOnlyHere(owner)) continue;
    bool has_sharers = output == owner;
    for (const auto& [sharer, of] : state_.owners) has_sharers = has_sharers || of == output;
    if (has_sharers) continue;
    if (KindOf(*chosen) == ArenaTensorKind::kArena) {
      if (KindOf(output) == ArenaTensorKind::kPersistentArena || IsVariable(output) || Writers(output) > 1) continue;
      if (IsVariable(*chosen) ? Writers(*chosen) > 0 : Writers(*chosen) != 1 || !written_before.contains(*chosen)) {
        continue;
      }
      if (!keeps_data && OthersNeedBytes(owner, *chosen, false, static_cast<std::int64_t>(i))) continue;
    }
    state_.owners[output] = owner;
    if (KindOf(*chosen) != ArenaTensorKind::kArena) only_noted_.insert(output);
    links_[output] = *chosen;
  }
}

void ModelPlanner::FindLives() {
  state_.births.clear();
  state_.deaths.clear();
  state_.of_nodes.clear();
  const auto owner_of = [&](std::int32_t tensor) {
    return state_.owners.contains(tensor) ? state_.owners[tensor] : tensor;
  };
  for (const auto* list : {&graph_.variables, &graph_.inputs}) {
    for (const std::int32_t tensor : *list) {
      if (tensor < 0) continue;
      state_.births[tensor] = 0;
      state_.of_nodes[0].insert(tensor);
    }
  }
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const std::int32_t tensor : graph_.nodes[i].outputs) {
      if (tensor < 0) continue;
      state_.births.try_emplace(tensor, static_cast<std::int64_t>(i));
      state_.of_nodes[static_cast<std::int32_t>(i)].insert(tensor);
    }
  }
  if (preserve_all_) return;
  for (const auto& [tensor, birth] : state_.births) {
    if (state_.owners.contains(tensor)) continue;
    std::int64_t last_read = -1;
    bool held = false;
    std::int64_t last_write = -1;
    for (std::int32_t name = 0; name < static_cast<std::int32_t>(planned_tensors_); ++name) {
      if (owner_of(name) != tensor) continue;
      last_read = std::max(last_read, LastReader(name));
      held = held || (name == tensor && IsHeld(name));
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (Has(graph_.nodes[i].outputs, tensor)) last_write = static_cast<std::int64_t>(i);
    }
    // Read for the last time before it is written for the first: nobody ever frees it.
    if (held || last_read < birth) continue;
    state_.deaths[tensor] = std::max(last_read, last_write);
  }
}

StatusCode ModelPlanner::Plan() {
  planned_ = true;
  planned_nodes_ = graph_.nodes.size();
  known_tensors_ = planned_tensors_ = graph_.tensors.size();
  FindOwners();
  FindLives();
  Reset();
  return StatusCode::kOk;
}

void ModelPlanner::Reset() {
  state_.places.clear();
  state_.obstacles.clear();
  state_.persistent_obstacles.clear();
  state_.needed = state_.persistent_needed = 0;
  state_.last_active.reset();
  state_.executed_to = -1;
  committed_ = persistent_committed_ = false;
  addresses_.clear();
}

void ModelPlanner::ResetAfter(std::int32_t node) {
  for (auto it = state_.places.begin(); it != state_.places.end();) {
    const bool goes = it->second.first > node && it->second.bytes > 0 && KindOf(it->first) == ArenaTensorKind::kArena;
    if (goes) addresses_.erase(it->first);
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
}

void ModelPlanner::Release() {
  bytes_ = 0;
  committed_ = false;
  has_memory_ = false;
  std::erase_if(addresses_, [&](const auto& entry) { return KindOf(entry.first) == ArenaTensorKind::kArena; });
}

StatusCode ModelPlanner::Acquire() {
  bool moved = false;
  committed_ = false;
  if (const StatusCode code = Grow(state_.needed, bytes_, &moved); code != StatusCode::kOk) return code;
  committed_ = has_memory_ = true;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(known_tensors_); ++i) {
    if (KindOf(i) == ArenaTensorKind::kArena) Address(i);
  }
  return StatusCode::kOk;
}

StatusCode ModelPlanner::NameTemporaries(std::int32_t first, std::int32_t last) {
  for (std::int32_t node = first; node <= last; ++node) {
    for (const std::int32_t tensor : graph_.nodes[static_cast<std::size_t>(node)].temporaries) {
      const bool of_plan = tensor < static_cast<std::int32_t>(planned_tensors_);
      if (of_plan && (IsHeld(tensor) || Writers(tensor) > 0)) return StatusCode::kArenaTemporaryTaken;
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
      const auto place = state_.places.find(tensor);
      if (place != state_.places.end() &&
          (place->second.first > from || place->second.last < (preserve_all_ ? kEnd : to))) {
        state_.places.erase(place);
      }
    }
  }
  return StatusCode::kOk;
}

std::vector<std::int32_t> ModelPlanner::WhoNeedsAPlace(std::int32_t first, std::int32_t last) {
  std::vector<std::int32_t> tensors;
  for (const auto& [node, of_node] : state_.of_nodes) {
    if (node < first || node > last) continue;
    for (const std::int32_t tensor : of_node) {
      if (Has(tensors, tensor) || !InArena(KindOf(tensor)) || !state_.births.contains(tensor)) continue;
      const auto place = state_.places.find(tensor);
      if (place != state_.places.end() && place->second.kind != KindOf(tensor)) state_.places.erase(tensor);
      const std::size_t has = state_.places.contains(tensor) ? state_.places[tensor].bytes : 0;
      if (KindOf(tensor) == ArenaTensorKind::kPersistentArena || has < BytesOf(tensor)) tensors.push_back(tensor);
    }
  }
  return tensors;
}

// False: a tensor placed earlier depends on a link that is lost now.
bool ModelPlanner::LoseOwners(const std::vector<std::int32_t>& tensors) {
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
                       BytesOf(tensor) == BytesOf(owner) &&
                       (!only_noted_.contains(tensor) || (!IsHeld(tensor) && Writers(tensor) == 1)) &&
                       (room == 0 || room >= BytesOf(tensor) || Has(tensors, owner)) &&
                       !(link_is_lost(tensor, true) && OthersNeedBytes(owner, tensor, true, birth));
    if (stays) continue;
    state_.owners.erase(tensor);
    lost = true;
  }
  if (!lost) return true;
  for (const auto& [tensor, owner] : state_.owners) {
    if (Has(tensors, tensor) || state_.births[tensor] > state_.executed_to) continue;
    if (link_is_lost(tensor, false) && OthersNeedBytes(owner, tensor, true, state_.births[tensor])) return false;
  }
  return true;
}

std::optional<ModelPlanner::Place> ModelPlanner::Find(const std::vector<Place>& obstacles, std::int32_t tensor,
                                                      std::int64_t last) const {
  const std::size_t bytes = BytesOf(tensor);
  const std::int64_t first = state_.births.at(tensor);
  std::multimap<unsigned __int128, Place> near;  // by offset
  for (const Place& each : obstacles) {
    if (each.first <= last && first <= each.last) near.emplace(each.offset, each);
  }
  unsigned __int128 floor = 0;
  std::optional<unsigned __int128> best;
  unsigned __int128 width = kLargestOffset;
  const auto up = [&](unsigned __int128 offset) { return (offset + alignment_ - 1) / alignment_ * alignment_; };
  for (const auto& [offset_of_it, each] : near) {
    const unsigned __int128 start = up(floor);
    if (start + bytes > kLargestOffset) return std::nullopt;
    if (start + bytes <= each.offset && each.offset - start < width) {
      best = start;
      width = each.offset - floor;
    }
    floor = std::max(floor, each.offset + each.bytes);
  }
  const unsigned __int128 offset = best ? *best : up(floor);
  if (offset + bytes > kLargestOffset) return std::nullopt;
  return Place{offset, bytes, tensor, first, last, KindOf(tensor)};
}

StatusCode ModelPlanner::PlaceAll(std::int32_t first, std::int32_t last, std::vector<std::int32_t>& tensors) {
  const auto last_node = std::min<std::int32_t>(last, static_cast<std::int32_t>(graph_.nodes.size()) - 1);
  if (const StatusCode code = NameTemporaries(first, last_node); code != StatusCode::kOk) return code;
  tensors = WhoNeedsAPlace(first, last);
  if (!tensors.empty()) {
    if (!state_.last_active || first < *state_.last_active) {
      state_.obstacles.clear();
    } else {
      std::erase_if(state_.obstacles, [&](const Place& place) { return place.last < first; });
    }
    if (!LoseOwners(tensors)) return StatusCode::kArenaResetNeeded;
  }
  const auto death = [&](std::int32_t tensor) {
    const auto found = state_.deaths.find(tensor);
    return found == state_.deaths.end() ? kEnd : found->second;
  };
  const auto key = [&](std::int32_t tensor) {
    const bool always = state_.births[tensor] == 0 && death(tensor) == kEnd;
    return always ? std::tuple(0, std::size_t{0}, std::int64_t{0}, tensor)
                  : std::tuple(1, ~BytesOf(tensor), state_.births[tensor], tensor);
  };
  std::sort(tensors.begin(), tensors.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
  std::vector<Place> fresh;
  for (const std::int32_t tensor : tensors) {
    if (state_.owners.contains(tensor)) continue;
    const bool persistent = KindOf(tensor) == ArenaTensorKind::kPersistentArena;
    if (persistent && state_.places.contains(tensor) && state_.places[tensor].bytes > 0) {
      if (BytesOf(tensor) > state_.places[tensor].bytes) return StatusCode::kArenaResetNeeded;
      continue;
    }
    if (BytesOf(tensor) == 0) continue;
    auto& obstacles = persistent ? state_.persistent_obstacles : state_.obstacles;
    const auto place = Find(obstacles, tensor, persistent ? kEnd : death(tensor));
    if (!place) return StatusCode::kHostArenaOverflow;
    obstacles.push_back(*place);
    state_.places[tensor] = *place;
    auto& needed = persistent ? state_.persistent_needed : state_.needed;
    needed = std::max(needed, place->offset + place->bytes);
    if (!persistent) fresh.push_back(*place);
  }
  state_.last_active = last;
  state_.executed_to = std::max<std::int64_t>(state_.executed_to, last);
  for (const Place& place : fresh) {
    for (const auto& [tensor, other] : state_.places) {
      if (tensor == place.tensor || other.kind != ArenaTensorKind::kArena) continue;
      if (KindOf(tensor) != ArenaTensorKind::kArena) continue;
      const bool in_time = place.first <= other.last && other.first <= place.last;
      if (in_time && place.offset < other.offset + other.bytes && other.offset < place.offset + place.bytes) {
        return StatusCode::kArenaResetNeeded;
      }
    }
  }
  return StatusCode::kOk;
}

StatusCode ModelPlanner::Grow(unsigned __int128 needed, std::size_t& bytes, bool* moved) {
  if (needed <= bytes) return StatusCode::kOk;
  const unsigned __int128 block = (needed + 2 * kArenaAlignment - 2) / kArenaAlignment * kArenaAlignment;
  if (block > kLargestOffset) return StatusCode::kHostArenaOverflow;
  if (needed > kMostBytes || growths_left == 0) return StatusCode::kHostArenaMemory;
  --growths_left;
  bytes = static_cast<std::size_t>(needed);
  *moved = true;
  return StatusCode::kOk;
}

StatusCode ModelPlanner::Execute(std::int32_t first, std::int32_t last) {
  if (!planned_ || planned_nodes_ != graph_.nodes.size()) return StatusCode::kArenaNotPlanned;
  if (first < 0 || last < -1) return StatusCode::kArenaNodeRange;
  const State before = state_;
  const std::size_t known_before = known_tensors_;
  known_tensors_ = graph_.tensors.size();
  std::vector<std::int32_t> tensors;
  bool moved = false;
  StatusCode code = PlaceAll(first, last, tensors);
  if (code == StatusCode::kOk) code = Grow(state_.needed, bytes_, &moved);
  if (code == StatusCode::kOk) code = Grow(state_.persistent_needed, persistent_bytes_, &moved);
  if (code != StatusCode::kOk) {
    state_ = before;
    known_tensors_ = known_before;
    if (moved) AddressAll();
    return code;
  }
  committed_ = persistent_committed_ = has_memory_ = true;
  if (moved) {
    AddressAll();
  } else {
    for (const std::int32_t tensor : tensors) Address(tensor);
  }
  return StatusCode::kOk;
}

void ModelPlanner::Address(std::int32_t tensor) {
  const ArenaTensorKind kind = KindOf(tensor);
  if (!InArena(kind)) return;
  if (state_.owners.contains(tensor) && KindOf(state_.owners[tensor]) == kind) {
    const std::int32_t owner = state_.owners[tensor];
    Address(owner);
    addresses_.erase(tensor);
    if (addresses_.contains(owner)) addresses_[tensor] = addresses_[owner];
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

bool ModelPlanner::EverythingIsPlaced() const {
  if (!planned_ || !has_memory_ || state_.executed_to + 1 < static_cast<std::int64_t>(graph_.nodes.size()))
    return false;
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
