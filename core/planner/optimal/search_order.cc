#include "core/planner/optimal/search_order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <string_view>

namespace arenaproof {
namespace {

// T: load of the busiest section; W: width in time; A: area; Z: size; N: sections.
constexpr std::array<std::string_view, kKnownOrders> kOrders = {"TWA", "AWT", "TAW", "WAT", "ZWT", "WTA"};

}  // namespace

std::vector<std::uint32_t> SearchOrder(const SectionProblem& problem, std::size_t number) {
  const std::string_view keys = kOrders[number % kKnownOrders];
  std::vector<std::array<double, 3>> values(problem.buffers.size());
  std::mt19937_64 random(number);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const FreeBuffer& buffer = problem.buffers[i];
    for (std::size_t k = 0; k < keys.size(); ++k) {
      double value = 0;
      switch (keys[k]) {
        case 'T':
          for (const std::uint32_t s : buffer.sections) value = std::max(value, static_cast<double>(problem.load[s]));
          break;
        case 'W':
          value = buffer.width;
          break;
        case 'A':
          value = buffer.width * static_cast<double>(buffer.size);
          break;
        default:
          value = static_cast<double>(buffer.size);
      }
      // The engine's numbers are the same everywhere; the standard distributions' are not.
      if (number >= kKnownOrders) value *= 1.0 + 0.3 * static_cast<double>(random() >> 11) * 0x1p-53;
      values[i][k] = value;
    }
  }
  std::vector<std::uint32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  return order;
}

SectionProblem Reordered(const SectionProblem& problem, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) rank[order[r]] = static_cast<std::uint32_t>(r);
  SectionProblem reordered = problem;
  for (std::size_t r = 0; r < order.size(); ++r) {
    reordered.buffers[r] = problem.buffers[order[r]];
    for (std::uint32_t& j : reordered.buffers[r].near) j = rank[j];
    std::sort(reordered.buffers[r].near.begin(), reordered.buffers[r].near.end());
  }
  return reordered;
}

}  // namespace arenaproof
