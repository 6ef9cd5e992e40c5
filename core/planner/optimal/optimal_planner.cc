#include "core/planner/optimal/optimal_planner.h"

#include <algorithm>
#include <utility>

#include "core/planner/optimal/capacity_race.h"
#include "core/planner/optimal/fillers.h"
#include "core/planner/optimal/first_fit.h"
#include "core/planner/optimal/search_order.h"

namespace arenaproof {
namespace {

constexpr std::uint64_t kMostRestarts = 128;
constexpr std::size_t kTightForEachLoose = 16;
// Steps of a TightSearch that take as long as one of a PlacementSearch.
constexpr std::uint64_t kTightSteps = 8;

class Improver {
 public:
  Improver(std::span<const PlanBuffer> buffers, const SectionProblem& problem, const PlanLimits& limits,
           StopSignal::Clock::time_point deadline)
      : buffers_(buffers),
        problem_(problem),
        limits_(limits),
        deadline_(deadline),
        lower_(problem.bound),
        plan_(BestFirstFit(problem, StopSignal(deadline))),
        race_(problem, all_moments_) {}

  void Improve() {
    if (IsDone() || !PlacementSearch::CanSearch(problem_, upper())) return;
    all_moments_ = MakeSectionProblem(buffers_, Moments::kAll);
    std::uint64_t most_steps = ShortSteps();
    for (std::size_t round = 0; !IsDone(); ++round, most_steps *= 2) {
      // Only a bound that can be reached ends soon, and often it can: it is tried first and with all orders.
      Restart(lower_, most_steps);
      if (!IsDone()) Try(lower_, OrdersOf(round), most_steps);
      // Then the smallest head that this many steps find, by halving what lies between.
      Units hopeless = lower_;
      while (upper() - hopeless > 1 && !IsDone()) {
        const Units middle = hopeless + (upper() - hopeless) / 2;
        if (Try(middle, {0, 1, 2}, most_steps / 2) != SearchOutcome::kFound) hopeless = middle;
      }
    }
  }

  Units lower() const { return lower_; }
  Units upper() const { return std::max(plan_.peak, problem_.bound); }
  const UnitPlan& plan() const { return plan_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t steps_to_best() const { return steps_to_best_; }

 private:
  bool IsDone() const { return lower_ >= upper() || steps_ >= limits_.work_limit || StopSignal(deadline_).IsStopped(); }

  // The known ones, and in later rounds some that were never tried.
  static std::vector<std::size_t> OrdersOf(std::size_t round) {
    std::vector<std::size_t> orders;
    for (std::size_t k = 0; k < kKnownOrders; ++k) orders.push_back(k);
    for (std::size_t k = 0; k < round / 2; ++k) orders.push_back(kKnownOrders * (1 + round) + k);
    return orders;
  }

  std::uint64_t ShortSteps() const { return 4 * problem_.buffers.size() + 64; }

  // Whether an order gets through is decided early or never: many new ones, each for a short time.
  void Restart(Units capacity, std::uint64_t most_steps) {
    const std::uint64_t count = std::clamp<std::uint64_t>(most_steps / ShortSteps(), 1, kMostRestarts);
    std::vector<std::size_t> tight, loose;
    for (std::uint64_t k = 0; k < count; ++k, ++restarts_) {
      loose.push_back(kKnownOrders * (kMostRestarts + restarts_));
      for (std::size_t t = 0; t < kTightForEachLoose; ++t) {
        tight.push_back(CapacityRace::kTight + kTightForEachLoose * restarts_ + t);
      }
    }
    if (CanBeFilled(problem_, capacity)) Try(capacity, tight, ShortSteps(), kTightSteps);
    if (!IsDone()) Try(capacity, loose, ShortSteps());
    race_.Forget(tight);
    race_.Forget(loose);
  }

  // `short_steps` of these searches count as one.
  SearchOutcome Try(Units capacity, const std::vector<std::size_t>& orders, std::uint64_t most_steps,
                    std::uint64_t short_steps = 1) {
    const std::uint64_t left = limits_.work_limit - std::min(limits_.work_limit, steps_);
    most_steps = std::min(most_steps, (left + orders.size() - 1) / orders.size());
    RaceResult race = race_.Run(capacity, orders, most_steps, limits_.threads, deadline_);
    steps_ += std::max<std::uint64_t>(race.steps / short_steps, 1);
    if (race.outcome == SearchOutcome::kImpossible) lower_ = std::max(lower_, capacity + 1);
    if (race.outcome == SearchOutcome::kFound) {
      plan_.offsets = std::move(race.offsets);
      plan_.peak = 0;
      for (std::size_t i = 0; i < plan_.offsets.size(); ++i) {
        plan_.peak = std::max(plan_.peak, plan_.offsets[i] + problem_.buffers[i].size);
      }
      steps_to_best_ = steps_;
    }
    return race.outcome;
  }

  const std::span<const PlanBuffer> buffers_;
  const SectionProblem& problem_;
  SectionProblem all_moments_;
  const PlanLimits& limits_;
  StopSignal::Clock::time_point deadline_;
  Units lower_;
  UnitPlan plan_;
  CapacityRace race_;
  std::uint64_t steps_ = 0;
  std::uint64_t steps_to_best_ = 0;
  std::size_t restarts_ = 0;
};

StopSignal::Clock::time_point DeadlineOf(const PlanLimits& limits) {
  // A limit of years is none: adding it could overflow.
  if (!limits.time_limit || limits.time_limit->count() > 1e8) return StopSignal::Clock::time_point::max();
  return StopSignal::Clock::now() + std::chrono::duration_cast<StopSignal::Clock::duration>(*limits.time_limit);
}

}  // namespace

OptimalPlan PlanOptimally(std::span<const PlanBuffer> buffers, const PlanLimits& limits) {
  const StopSignal::Clock::time_point deadline = DeadlineOf(limits);
  OptimalPlan result;
  result.problem = CheckProblem(buffers);
  if (!result.ok()) return result;
  const SectionProblem problem = MakeSectionProblem(buffers);
  Improver improver(buffers, problem, limits, deadline);
  improver.Improve();
  result.offsets.resize(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) result.offsets[i] = buffers[i].offset.value_or(0);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    result.offsets[problem.buffers[i].original] = improver.plan().offsets[i] * problem.unit_bytes;
  }
  result.peak_bytes = improver.upper() * problem.unit_bytes;
  result.lower_bound_bytes = improver.lower() * problem.unit_bytes;
  result.steps = improver.steps();
  result.steps_to_best = improver.steps_to_best();
  return result;
}

}  // namespace arenaproof
