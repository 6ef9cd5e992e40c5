#include "core/planner/optimal/placement_search.h"

#include <algorithm>

namespace arenaproof {

PlacementSearch::PlacementSearch(const SectionProblem& problem, Units capacity, std::uint64_t most_steps,
                                 const StopSignal& stop, FailedStates& failed)
    : problem_(problem),
      capacity_(capacity),
      most_steps_(most_steps),
      stop_(stop),
      failed_(failed),
      near_words_((problem.buffers.size() + 63) / 64),
      near_(problem.buffers.size() * near_words_),
      crossing_(problem.load.size()),
      offsets_(problem.buffers.size()),
      above_(problem.load.size()),
      open_(problem.buffers.size() + 1) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const FreeBuffer& buffer = problem.buffers[i];
    spans_.push_back({buffer.sections.front(), buffer.sections.back() + 1});
    for (const std::uint32_t j : buffer.near) near_[i * near_words_ + j / 64] |= std::uint64_t{1} << j % 64;
    for (std::size_t s = spans_[i].begin; s + 1 < spans_[i].end; ++s) ++crossing_[s];
    is_plain_.push_back(buffer.obstacles.empty() && buffer.sections.size() == spans_[i].end - spans_[i].begin);
  }
}

SearchOutcome PlacementSearch::Run() {
  for (std::size_t i = 0; i < problem_.buffers.size(); ++i) {
    const Units low = LowestAllowed(problem_.buffers[i], 0);
    if (low + problem_.buffers[i].size > capacity_) return SearchOutcome::kImpossible;
    open_[0].push_back(KeyOf(low, i));
  }
  std::sort(open_[0].begin(), open_[0].end());
  return DescendIntoParts(0, {0, problem_.load.size()}, 0, problem_.buffers.size());
}

// Solves open_[depth], whose sections lie in `range`; nothing may be placed before `least` in the canonical order.
SearchOutcome PlacementSearch::Descend(std::size_t depth, SectionRange range, Key least) {
  const std::vector<Key>& open = open_[depth];
  if (open.empty()) return SearchOutcome::kFound;
  const auto first = std::lower_bound(open.begin(), open.end(), least);
  if (first == open.end()) return SearchOutcome::kImpossible;
  const std::size_t passed = static_cast<std::size_t>(first - open.begin());
  least = *first;

  StateHash hash;
  Units lowest_end = capacity_;
  for (const Key key : open) {
    hash.Add(key);
    lowest_end = std::min(lowest_end, LowOf(key) + problem_.buffers[IndexOf(key)].size);
  }
  if (lowest_end <= LowOf(least) || failed_.Contains(hash, least, capacity_)) return SearchOutcome::kImpossible;
  if (!PassedOverAreLifted(open, passed) || !SectionsHaveRoom(range)) return SearchOutcome::kImpossible;

  const std::uint64_t steps_before = steps_;
  std::size_t tried = kMostBuffers;
  for (std::size_t c = passed; c < open.size() && LowOf(open[c]) < lowest_end; ++c) {
    const std::size_t i = IndexOf(open[c]);
    const Units low = LowOf(open[c]);
    if (tried != kMostBuffers && offsets_[tried] == low && AreEqual(tried, i)) continue;
    tried = i;
    offsets_[i] = low;
    if (steps_ == most_steps_ || (steps_ % 1024 == 0 && stop_.IsStopped())) {
      return SearchOutcome::kGaveUp;
    }
    ++steps_;
    bool has_hat = false;
    if (LiftNeighbours(open, i, low + problem_.buffers[i].size, open_[depth + 1], &has_hat)) {
      for (std::size_t s = spans_[i].begin; s + 1 < spans_[i].end; ++s) --crossing_[s];
      const SearchOutcome outcome = DescendIntoParts(depth + 1, range, open[c], i);
      for (std::size_t s = spans_[i].begin; s + 1 < spans_[i].end; ++s) ++crossing_[s];
      if (outcome != SearchOutcome::kImpossible) return outcome;
    }
    // Whatever else comes next, this one can lie here: nothing of what is left touches it.
    if (!has_hat) break;
  }
  failed_.Insert(hash, least, capacity_, steps_ - steps_before);
  return SearchOutcome::kImpossible;
}

SearchOutcome PlacementSearch::DescendIntoParts(std::size_t depth, SectionRange range, Key least, std::size_t placed) {
  const SectionRange changed = placed < spans_.size() ? spans_[placed] : range;
  std::vector<SectionRange> parts;
  std::size_t begin = range.begin;
  for (std::size_t s = changed.begin; s + 1 < changed.end; ++s) {
    if (crossing_[s] != 0) continue;
    parts.push_back({begin, s + 1});
    begin = s + 1;
  }
  if (parts.empty()) return Descend(depth, range, least);
  parts.push_back({begin, range.end});

  // The smallest first: most likely to fail soon.
  std::vector<std::vector<Key>> open(parts.size());
  for (const Key key : open_[depth]) {
    const std::size_t section = spans_[IndexOf(key)].begin;
    std::size_t part = 0;
    while (section >= parts[part].end) ++part;
    open[part].push_back(key);
  }
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!open[p].empty()) order.push_back(p);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return open[a].size() != open[b].size() ? open[a].size() < open[b].size() : a < b;
  });
  for (const std::size_t p : order) {
    open_[depth] = std::move(open[p]);
    const SearchOutcome outcome = Descend(depth, parts[p], least);
    if (outcome != SearchOutcome::kFound) return outcome;
  }
  return SearchOutcome::kFound;
}

bool PlacementSearch::AreEqual(std::size_t i, std::size_t j) const {
  const FreeBuffer& a = problem_.buffers[i];
  const FreeBuffer& b = problem_.buffers[j];
  return a.size == b.size && a.alignment == b.alignment && a.sections == b.sections;
}

// A passed-over buffer that nobody left can lift could be lowered to where it was passed over. Writes order_: the open
// buffers by the lowest offset that is left to them.
bool PlacementSearch::PassedOverAreLifted(std::span<const Key> open, std::size_t passed) {
  order_.assign(open.begin(), open.end());
  if (passed == 0) return true;
  const Units from = LowOf(open[passed]);
  for (std::size_t p = 0; p < passed; ++p) {
    const std::size_t k = IndexOf(open[p]);
    const Units end = LowOf(open[p]) + problem_.buffers[k].size;
    Units lifted = kMostUnits;
    for (const Key key : open) {
      const Units low = std::max(from, LowOf(key));
      if (low >= end) break;
      if (AreNear(k, IndexOf(key))) lifted = std::min(lifted, low + problem_.buffers[IndexOf(key)].size);
    }
    if (lifted == kMostUnits) return false;
    order_[p] = KeyOf(LowestAllowed(problem_.buffers[k], lifted), k);
  }
  std::sort(order_.begin(), order_.end());
  return true;
}

// For each section and each offset: what cannot begin below it has to fit between it and the capacity.
bool PlacementSearch::SectionsHaveRoom(SectionRange range) {
  std::fill(above_.begin() + static_cast<std::ptrdiff_t>(range.begin),
            above_.begin() + static_cast<std::ptrdiff_t>(range.end), 0);
  for (std::size_t n = order_.size(); n-- > 0;) {
    const std::size_t i = IndexOf(order_[n]);
    const Units low = LowOf(order_[n]);
    const Units room = capacity_ - low;
    const FreeBuffer& buffer = problem_.buffers[i];
    if (is_plain_[i]) {
      // Half of all time is spent here: without a branch in it, it runs on vectors. The sign bit says "too much".
      Units too_much = 0;
      for (std::size_t s = spans_[i].begin; s < spans_[i].end; ++s) {
        above_[s] += buffer.size;
        too_much |= room - above_[s];
      }
      if (too_much < 0) return false;
      continue;
    }
    for (const std::uint32_t s : buffer.sections) {
      above_[s] += buffer.size;
      if (above_[s] + BlockedAbove(s, low) > room) return false;
    }
  }
  return true;
}

Units PlacementSearch::BlockedAbove(std::size_t section, Units offset) const {
  Units blocked = 0;
  for (const auto& [begin, end] : problem_.blocked[section]) {
    if (end > offset && begin < capacity_) blocked += std::min(end, capacity_) - std::max(begin, offset);
  }
  return blocked;
}

bool PlacementSearch::LiftNeighbours(std::span<const Key> open, std::size_t placed, Units end, std::vector<Key>& next,
                                     bool* has_hat) {
  lifted_.clear();
  kept_.clear();
  bool fits = true;
  for (const Key key : open) {
    const std::size_t j = IndexOf(key);
    if (j == placed) continue;
    if (!AreNear(placed, j)) {
      kept_.push_back(key);
      continue;
    }
    *has_hat = true;
    if (LowOf(key) >= end) {
      kept_.push_back(key);
      continue;
    }
    const Units low = LowestAllowed(problem_.buffers[j], end);
    if (low + problem_.buffers[j].size > capacity_) fits = false;
    lifted_.push_back(KeyOf(low, j));
  }
  if (!fits) return false;
  std::sort(lifted_.begin(), lifted_.end());
  next.resize(kept_.size() + lifted_.size());
  std::merge(kept_.begin(), kept_.end(), lifted_.begin(), lifted_.end(), next.begin());
  return true;
}

}  // namespace arenaproof
