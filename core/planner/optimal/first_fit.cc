#include "core/planner/optimal/first_fit.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/planner/optimal/search_order.h"

namespace arenaproof {
namespace {

constexpr Units kNotPlaced = -1;

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

// What ended above the bound comes first next time; the others keep their order. Networks whose branches are many need
// some rounds of that (squeaky wheel optimisation, D. Joslin and D. Clements).
constexpr std::size_t kRounds = 24;
// A plan further above the bound than this part of it does not come down to it by that.
constexpr Units kNearBound = 8;
constexpr std::size_t kMostBuffersInRounds = 4096;

UnitPlan FirstFitInRounds(const SectionProblem& problem, std::vector<std::uint32_t> order, std::size_t rounds) {
  UnitPlan best = FirstFit(problem, order);
  UnitPlan plan = best;
  for (std::size_t round = 0; round < rounds && best.peak > problem.bound; ++round) {
    std::vector<std::uint32_t> next, others;
    for (const std::uint32_t i : order) {
      const bool is_above = plan.offsets[i] + problem.buffers[i].size > problem.bound;
      (is_above ? next : others).push_back(i);
    }
    next.insert(next.end(), others.begin(), others.end());
    order = std::move(next);
    plan = FirstFit(problem, order);
    if (plan.peak < best.peak) best = plan;
  }
  return best;
}

}  // namespace

UnitPlan FirstFit(const SectionProblem& problem, const std::vector<std::uint32_t>& order) {
  UnitPlan plan{std::vector<Units>(problem.buffers.size(), kNotPlaced), 0};
  std::vector<std::pair<Units, Units>> taken;
  for (const std::uint32_t i : order) {
    const FreeBuffer& buffer = problem.buffers[i];
    taken = buffer.obstacles;
    for (const std::uint32_t j : buffer.near) {
      if (plan.offsets[j] != kNotPlaced) taken.emplace_back(plan.offsets[j], plan.offsets[j] + problem.buffers[j].size);
    }
    std::sort(taken.begin(), taken.end());
    Units at = 0;
    for (const auto& [begin, end] : taken) {
      if (begin >= at + buffer.size) break;
      if (end > at) at = (end + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    }
    plan.offsets[i] = at;
    plan.peak = std::max(plan.peak, at + buffer.size);
  }
  return plan;
}

UnitPlan BestFirstFit(const SectionProblem& problem) {
  UnitPlan best = FirstFit(problem, OrderOfTime(problem, false));
  const auto improve = [&](std::vector<std::uint32_t> order, std::size_t rounds) {
    if (best.peak <= problem.bound) return;
    UnitPlan plan = FirstFitInRounds(problem, std::move(order), rounds);
    if (plan.peak < best.peak) best = std::move(plan);
  };
  improve(OrderOfTime(problem, true), 0);
  for (std::size_t number = 0; number < kKnownOrders; ++number) improve(SearchOrder(problem, number), 0);
  const bool is_near = best.peak - problem.bound <= problem.bound / kNearBound;
  if (!is_near || problem.buffers.size() > kMostBuffersInRounds) return best;
  for (std::size_t number = 0; number < kKnownOrders && best.peak > problem.bound; ++number) {
    improve(SearchOrder(problem, number), kRounds);
  }
  return best;
}

}  // namespace arenaproof
