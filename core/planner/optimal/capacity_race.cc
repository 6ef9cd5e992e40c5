#include "core/planner/optimal/capacity_race.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

#include "core/planner/optimal/fillers.h"
#include "core/planner/optimal/search_order.h"
#include "core/planner/optimal/tight_search.h"

namespace arenaproof {

RaceResult DecisionOf(std::span<const RaceResult> results, std::size_t* decided) {
  RaceResult answer;
  for (*decided = 0; *decided < results.size(); ++*decided) {
    const RaceResult& result = results[*decided];
    const std::uint64_t steps = answer.steps + result.steps;
    if (result.outcome != SearchOutcome::kGaveUp) answer = result;
    answer.steps = steps;
    if (result.outcome != SearchOutcome::kGaveUp) break;
  }
  return answer;
}

RaceResult CapacityRace::RunOne(Units capacity, std::size_t order, std::uint64_t most_steps, const StopSignal& stop) {
  Racer& racer = racers_.at(order);
  const bool tight = order >= kTight;
  const bool is_full =
      std::all_of(problem_.load.begin(), problem_.load.end(), [&](Units load) { return load == capacity; });
  // A full problem needs no fillers; and a gap that the largest moments do not show may be seen at the others.
  const bool largest_only = !tight || is_full || !CanBeFilled(all_moments_, capacity);
  if (racer.order.empty() || (tight && racer.capacity != capacity)) {
    const SectionProblem* problem = &problem_;
    SectionProblem filled;
    if (tight) problem = &(filled = WithFillers(largest_only ? problem_ : all_moments_, capacity, order % kTight));
    if (tight) racer.failed = FailedStates();  // of other fillers
    racer.order = SearchOrder(*problem, order % kTight);
    racer.problem = Reordered(*problem, racer.order);
    racer.capacity = capacity;
  }
  const auto run = [&](auto&& search) {
    RaceResult result{search.Run(), {}, search.steps()};
    if (result.outcome == SearchOutcome::kFound) {
      result.offsets.resize(problem_.buffers.size());
      for (std::size_t r = 0; r < racer.order.size(); ++r) {
        if (racer.order[r] < result.offsets.size()) result.offsets[racer.order[r]] = search.offsets()[r];
      }
    }
    return result;
  };
  if (!tight) return run(PlacementSearch(racer.problem, capacity, most_steps, stop, racer.failed));
  RaceResult result = run(TightSearch(racer.problem, capacity, most_steps, stop, racer.failed));
  if (!is_full && result.outcome == SearchOutcome::kImpossible) result.outcome = SearchOutcome::kGaveUp;
  return result;
}

RaceResult CapacityRace::Run(Units capacity, const std::vector<std::size_t>& orders, std::uint64_t most_steps,
                             unsigned threads, StopSignal::Clock::time_point deadline) {
  std::deque<StopSignal> stops;
  for (const std::size_t order : orders) {
    stops.emplace_back(deadline);
    racers_.try_emplace(order);  // before threads look for theirs
  }
  std::vector<RaceResult> results(orders.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> decided = orders.size();
  const auto work = [&] {
    for (std::size_t k = next++; k < orders.size(); k = next++) {
      if (k > decided.load() || stops[k].IsStopped()) continue;
      results[k] = RunOne(capacity, orders[k], most_steps, stops[k]);
      if (results[k].outcome == SearchOutcome::kGaveUp) continue;
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

  std::size_t last = 0;
  RaceResult answer = DecisionOf(results, &last);
  // How far those after it came depends on the threads: what they found is forgotten.
  for (std::size_t after = last + 1; after < orders.size(); ++after) racers_.at(orders[after]).failed = FailedStates();
  return answer;
}

}  // namespace arenaproof
