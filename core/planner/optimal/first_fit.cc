#include "core/planner/optimal/first_fit.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/planner/optimal/search_order.h"

namespace arenaproof {
namespace {

constexpr Units kNotPlaced = -1;

// By falling size, of equal ones the later first: first fit is then what the greedy planner does.
std::vector<std::uint32_t> OrderOfSize(const SectionProblem& problem) {
  std::vector<std::uint32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Units x = problem.buffers[a].size, y = problem.buffers[b].size;
    return x != y ? x > y : a > b;
  });
  return order;
}

// Buffers as they begin, or from the last to end: a chain of operators then alternates between two places.
std::vector<std::uint32_t> OrderOfTime(const SectionProblem& problem, bool from_end) {
  std::vector<std::uint32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const FreeBuffer& x = problem.buffers[a];
    const FreeBuffer& y = problem.buffers[b];
    const std::uint32_t x_time = from_end ? x.sections.back() : x.sections.front();
    const std::uint32_t y_time = from_end ? y.sections.back() : y.sections.front();
    if (x_time != y_time) return from_end ? x_time > y_time : x_time < y_time;
    return a < b;
  });
  return order;
}

// The placed buffers that are alive together with one, by offset.
class PlacedNear {
 public:
  explicit PlacedNear(const SectionProblem& problem)
      : problem_(problem), marked_(problem.buffers.size(), std::uint8_t{0}) {}

  // The lowest offset for the buffer between them.
  Units LowestFor(const FreeBuffer& buffer, const std::vector<Units>& offsets) {
    // A few are sorted; of many those that are placed already are in order, and it takes no more than to find them.
    constexpr std::size_t kSortedPerPlaced = 8;
    taken_ = buffer.obstacles;
    if (buffer.near.size() * kSortedPerPlaced < placed_.size()) {
      for (const std::uint32_t j : buffer.near) {
        if (offsets[j] != kNotPlaced) taken_.emplace_back(offsets[j], offsets[j] + problem_.buffers[j].size);
      }
      std::sort(taken_.begin(), taken_.end());
    } else {
      for (const std::uint32_t j : buffer.near) marked_[j] = 1;
      for (const auto& [offset, j] : placed_) {
        if (marked_[j] != 0) taken_.emplace_back(offset, offset + problem_.buffers[j].size);
      }
      for (const std::uint32_t j : buffer.near) marked_[j] = 0;
      if (!buffer.obstacles.empty()) std::sort(taken_.begin(), taken_.end());
    }
    Units at = 0;
    for (const auto& [begin, end] : taken_) {
      if (begin >= at + buffer.size) break;
      if (end > at) at = (end + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    }
    return at;
  }

  void Place(Units offset, std::uint32_t i) {
    const std::pair<Units, std::uint32_t> placed{offset, i};
    placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), placed), placed);
  }

 private:
  const SectionProblem& problem_;
  std::vector<std::pair<Units, std::uint32_t>> placed_;  // by offset
  std::vector<std::uint8_t> marked_;
  std::vector<std::pair<Units, Units>> taken_;
};

// What ended above the bound comes first next time; the others keep their order. Networks whose branches are many need
// some rounds of that (squeaky wheel optimisation, D. Joslin and D. Clements).
constexpr std::size_t kRounds = 24;
// A plan further above the bound than this part of it does not come down to it by that.
constexpr Units kNearBound = 8;
// Looked at in all rounds together, of all buffers.
constexpr std::size_t kMostNearInRounds = 20'000'000;

class Rounds {
 public:
  Rounds(const SectionProblem& problem, const StopSignal& stop) : problem_(problem), stop_(stop) {
    std::size_t near = problem.buffers.size();
    for (const FreeBuffer& buffer : problem.buffers) near += buffer.near.size();
    left_ = near > 0 ? kMostNearInRounds / near : 0;
  }

  // Improves `best`.
  void Try(std::vector<std::uint32_t> order, UnitPlan& best) {
    UnitPlan plan = FirstFit(problem_, order, stop_);
    for (std::size_t round = 0; round < kRounds && left_ > 0 && !plan.offsets.empty(); ++round, --left_) {
      if (plan.peak < best.peak) best = plan;
      if (best.peak <= problem_.bound) return;
      std::vector<std::uint32_t> next, others;
      for (const std::uint32_t i : order) {
        const bool is_above = plan.offsets[i] + problem_.buffers[i].size > problem_.bound;
        (is_above ? next : others).push_back(i);
      }
      next.insert(next.end(), others.begin(), others.end());
      order = std::move(next);
      plan = FirstFit(problem_, order, stop_);
    }
    if (!plan.offsets.empty() && plan.peak < best.peak) best = std::move(plan);
  }

 private:
  const SectionProblem& problem_;
  const StopSignal& stop_;
  std::size_t left_ = 0;
};

}  // namespace

UnitPlan FirstFit(const SectionProblem& problem, const std::vector<std::uint32_t>& order, const StopSignal& stop) {
  constexpr std::size_t kBetweenLooks = 64;
  UnitPlan plan{std::vector<Units>(problem.buffers.size(), kNotPlaced), 0};
  PlacedNear placed(problem);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k % kBetweenLooks == 0 && stop.IsStopped()) return {};
    const std::uint32_t i = order[k];
    const FreeBuffer& buffer = problem.buffers[i];
    plan.offsets[i] = placed.LowestFor(buffer, plan.offsets);
    placed.Place(plan.offsets[i], i);
    plan.peak = std::max(plan.peak, plan.offsets[i] + buffer.size);
  }
  return plan;
}

UnitPlan BestFirstFit(const SectionProblem& problem, const StopSignal& stop) {
  UnitPlan best = FirstFit(problem, OrderOfSize(problem), StopSignal());
  const auto improve = [&](const std::vector<std::uint32_t>& order) {
    UnitPlan plan = FirstFit(problem, order, stop);
    if (!plan.offsets.empty() && plan.peak < best.peak) best = std::move(plan);
  };
  const auto is_done = [&] { return best.peak <= problem.bound || stop.IsStopped(); };
  for (const bool from_end : {false, true}) {
    if (!is_done()) improve(OrderOfTime(problem, from_end));
  }
  for (std::size_t number = 0; number < kKnownOrders && !is_done(); ++number) improve(SearchOrder(problem, number));
  if (best.peak - problem.bound > problem.bound / kNearBound) return best;
  Rounds rounds(problem, stop);
  for (std::size_t number = 0; number < kKnownOrders && !is_done(); ++number) {
    rounds.Try(SearchOrder(problem, number), best);
  }
  return best;
}

}  // namespace arenaproof
