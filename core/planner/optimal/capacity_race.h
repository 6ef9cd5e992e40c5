// Several searches for one capacity, each with an order of preference of its own, on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/planner/optimal/placement_search.h"

namespace arenaproof {

struct RaceResult {
  SearchOutcome outcome = SearchOutcome::kGaveUp;
  std::vector<Units> offsets;  // one for each free buffer of the problem, when found
  std::uint64_t steps = 0;     // of the searches that count
};

// What a race ends with, of the results of its searches in the order of the list, wherever threads had come to: the
// first answer, and the steps of the searches up to it. `decided` is its place, or behind all when none answers.
RaceResult DecisionOf(std::span<const RaceResult> results, std::size_t* decided);

class CapacityRace {
 public:
  // The problems stay in place: one of the largest moments, and of all moments, in which fillers are guessed.
  CapacityRace(const SectionProblem& problem, const SectionProblem& all_moments)
      : problem_(problem), all_moments_(all_moments) {}

  // Added to the number of an order: a TightSearch with fillers in that order. Only when CanBeFilled.
  static constexpr std::size_t kTight = std::size_t{1} << 31;

  // Searches `orders` (numbers of SearchOrder, each once), each with at most `most_steps`. The first of them in the
  // list that ends with an answer decides and those after it do not count, so the result does not depend on the number
  // of threads unless `deadline` passes. After an answer the race is over; before it, a later run goes on where this
  // ended.
  RaceResult Run(Units capacity, const std::vector<std::size_t>& orders, std::uint64_t most_steps, unsigned threads,
                 StopSignal::Clock::time_point deadline);

  // Frees what is kept of these for a later run.
  void Forget(const std::vector<std::size_t>& orders) {
    for (const std::size_t order : orders) racers_.erase(order);
  }

 private:
  struct Racer {
    std::vector<std::uint32_t> order;
    SectionProblem problem;  // in that order, with fillers for `capacity` if it is tight
    Units capacity = 0;
    FailedStates failed;
  };

  RaceResult RunOne(Units capacity, std::size_t order, std::uint64_t most_steps, const StopSignal& stop);

  const SectionProblem& problem_;
  const SectionProblem& all_moments_;
  std::map<std::size_t, Racer> racers_;
};

}  // namespace arenaproof
