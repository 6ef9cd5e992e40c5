#include "core/planner/host/capacity_race.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "core/planner/host/search_order.h"

namespace arenaproof {

RaceResult RaceForCapacity(const SectionProblem& problem, Units capacity, const std::vector<std::size_t>& orders,
                           std::uint64_t most_steps, unsigned threads, StopSignal::Clock::time_point deadline) {
  std::deque<StopSignal> stops;
  for (std::size_t k = 0; k < orders.size(); ++k) stops.emplace_back(deadline);
  std::vector<RaceResult> results(orders.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> decided = orders.size();
  const auto work = [&] {
    for (std::size_t k = next++; k < orders.size(); k = next++) {
      if (k > decided.load() || stops[k].IsStopped()) continue;
      const std::vector<std::uint32_t> order = SearchOrder(problem, orders[k]);
      const SectionProblem reordered = Reordered(problem, order);
      PlacementSearch search(reordered, capacity, most_steps, stops[k]);
      RaceResult& result = results[k];
      result.outcome = search.Run();
      result.steps = search.steps();
      if (result.outcome == SearchOutcome::kGaveUp) continue;
      if (result.outcome == SearchOutcome::kFound) {
        result.offsets.resize(order.size());
        for (std::size_t r = 0; r < order.size(); ++r) result.offsets[order[r]] = search.offsets()[r];
      }
      std::size_t before = decided.load();
      while (k < before && !decided.compare_exchange_weak(before, k)) {
      }
      for (std::size_t after = k + 1; after < orders.size(); ++after) stops[after].Stop();
    }
  };
  std::vector<std::thread> helpers;
  for (std::size_t t = 1; t < std::min<std::size_t>(threads, orders.size()); ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();

  RaceResult answer;
  for (std::size_t k = 0; k < orders.size() && answer.outcome == SearchOutcome::kGaveUp; ++k) {
    const std::uint64_t steps = answer.steps + results[k].steps;
    if (results[k].outcome != SearchOutcome::kGaveUp) answer = std::move(results[k]);
    answer.steps = steps;
  }
  return answer;
}

}  // namespace arenaproof
