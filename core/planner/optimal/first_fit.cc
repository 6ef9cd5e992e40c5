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
  const auto improve = [&](const std::vector<std::uint32_t>& order) {
    if (best.peak <= problem.bound) return;
    UnitPlan plan = FirstFit(problem, order);
    if (plan.peak < best.peak) best = std::move(plan);
  };
  improve(OrderOfTime(problem, true));
  for (std::size_t number = 0; number < kKnownOrders; ++number) improve(SearchOrder(problem, number));
  return best;
}

}  // namespace arenaproof
