// Every single search for a capacity, alone and among others, finds a plan that fits it only where there is one, and
// calls it impossible only where there is none; whoever searches the same again, at this or another capacity, knows no
// more than is true.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "core/planner/optimal/capacity_race.h"
#include "core/planner/optimal/fillers.h"
#include "core/planner/optimal/first_fit.h"
#include "core/planner/optimal/search_order.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "engine/oracles/plans/smallest_head.h"
#include "props/plans/laid_out_problem.h"
#include "props/plans/problem_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kMostSearched = 7;
constexpr std::size_t kMostOfALayout = 30, kFewLaidOut = 14;
constexpr std::uint64_t kMostSteps = 2000, kStepsOfMany = 5000;

// Tiles without one of them have free bytes where fillers have to guess. Few buffers are tried in all orders; of many
// it is known how they were laid out.
KnownProblem DrawSearched() {
  if (OneIn(3)) return OneIn(2) ? DrawTiling(kMostOfALayout) : DrawRichTiling(OneIn(2) ? kMostOfALayout : kFewLaidOut);
  KnownProblem problem;
  if (OneIn(3)) {
    problem.buffers = DrawTiling(kMostSearched).buffers;
    if (OneIn(2) && problem.buffers.size() > 1) problem.buffers.pop_back();
    problem.buffers.resize(std::min(problem.buffers.size(), kMostSearched));
  } else {
    problem.buffers = DrawSoundProblem(kMostSearched);
  }
  problem.head = SmallestHead(problem.buffers);
  return problem;
}

std::vector<std::size_t> DrawOrders(bool tight) {
  std::vector<std::size_t> orders;
  for (std::size_t left = 1 + Below<std::size_t>(4), number = 0; left > 0; --left) {
    number += 1 + Below<std::size_t>(3);
    orders.push_back((tight && !OneIn(4) ? CapacityRace::kTight : 0) + number - 1);
  }
  return orders;
}

// The offsets of buffers that may be placed; what is fixed lies where it has to, all else at the start.
void RequireValid(const std::vector<PlanBuffer>& buffers, const SectionProblem& problem,
                  const std::vector<Units>& found, Units capacity) {
  RC_ASSERT(found.size() == problem.buffers.size());
  std::vector<std::optional<std::int64_t>> offsets;
  for (const PlanBuffer& buffer : buffers) offsets.emplace_back(buffer.offset.value_or(0));
  for (std::size_t i = 0; i < found.size(); ++i) {
    offsets[problem.buffers[i].original] = found[i] * problem.unit_bytes;
    Require(found[i] + problem.buffers[i].size <= capacity, "what is found ends below the capacity");
  }
  Require(WhatIsWrong(buffers, offsets).fault == PlanFault::kNone, "what is found is a plan");
}

// One search, or several.
SearchOutcome RequireTrueAnswer(const KnownProblem& known, const SectionProblem& problem, CapacityRace& race,
                                Units capacity, const std::vector<std::size_t>& orders, std::uint64_t steps) {
  const unsigned threads = OneIn(32) ? 2 : 1;
  const RaceResult result = race.Run(capacity, orders, steps, threads, StopSignal::Clock::time_point::max());
  RC_LOG() << "capacity " << capacity << " of " << problem.unit_bytes << " bytes each, smallest head " << known.head
           << ", outcome " << static_cast<int>(result.outcome) << "\n";
  const bool exists = known.head <= capacity * problem.unit_bytes;
  if (result.outcome == SearchOutcome::kFound) {
    Require(exists, "nothing is found below the smallest head");
    RequireValid(known.buffers, problem, result.offsets, capacity);
  }
  if (result.outcome == SearchOutcome::kImpossible) {
    CountReach("capacities that are called impossible",
               static_cast<std::size_t>(known.head - problem.bound * problem.unit_bytes));
    Require(!exists, "what is called impossible is");
  }
  return result.outcome;
}

bool GapsAreUnseen(const SectionProblem& problem) {
  return std::ranges::all_of(problem.buffers, [](const FreeBuffer& buffer) {
    return buffer.alignment == 1 && buffer.obstacles.empty() &&
           buffer.sections.back() - buffer.sections.front() + 1 == buffer.sections.size();
  });
}

// Fillers take bytes that stay free for the whole of a stretch of time: of buffers with gaps, of aligned ones and
// around fixed ones they would say more than is true.
bool IsPlain(const PlanBuffer& buffer, std::int64_t unit_bytes) {
  if (buffer.bytes == 0 || AliveIntervals(buffer).empty()) return true;
  return !buffer.offset && AliveIntervals(buffer).size() == 1 && unit_bytes % buffer.alignment == 0;
}

RC_GTEST_PROP(SearchesForACapacity, AnswerWhatIsTrue, ()) {
  const KnownProblem known = DrawSearched();
  const bool few = known.buffers.size() <= kMostSearched;
  RC_LOG() << ProblemText(known.buffers);
  const SectionProblem problem = MakeSectionProblem(known.buffers);
  Require(problem.bound * problem.unit_bytes <= known.head, "no plan lies below the bound");
  const UnitPlan first_fit = BestFirstFit(problem, StopSignal());
  RequireValid(known.buffers, problem, first_fit.offsets, first_fit.peak);
  const SectionProblem all_moments = MakeSectionProblem(known.buffers, Moments::kAll);
  CapacityRace race(problem, all_moments);
  for (int left = 6; left > 0; --left) {
    const Units capacity = problem.bound + (few || OneIn(3) ? Below<Units>(4) : 0);
    const bool can_be_filled = CanBeFilled(problem, capacity);
    const bool plain = std::ranges::all_of(
        known.buffers, [&](const PlanBuffer& buffer) { return IsPlain(buffer, problem.unit_bytes); });
    CountReach(plain ? "problems that may have fillers" : "problems that may have none", 1);
    // A gap in which nothing begins or ends is none to a search.
    Require(plain || !can_be_filled || GapsAreUnseen(problem), "only plain buffers have fillers beside them");
    const std::vector<std::size_t> orders = DrawOrders(can_be_filled);
    const std::uint64_t steps = OneIn(3) ? Below<std::uint64_t>(12) : few ? kMostSteps : kStepsOfMany;
    const SearchOutcome outcome = RequireTrueAnswer(known, problem, race, capacity, orders, steps);
    const bool enough = few && steps == kMostSteps && !can_be_filled;
    Require(outcome != SearchOutcome::kGaveUp || !enough, "so few buffers are decided within so many steps");
  }
}

// What is there at once, without any time, is the greedy planner's plan; more time makes it better only.
RC_GTEST_PROP(SearchesForACapacity, BeginWithThePlanOfTheGreedyPlanner, ()) {
  std::vector<PlanBuffer> buffers(1 + Below<std::size_t>(OneIn(4) ? 150 : 12));
  const std::int64_t steps = 1 + Below<std::int64_t>(OneIn(2) ? 12 : 100);
  GreedyPlanner greedy;
  std::vector<std::byte> workspace(greedy.WorkspaceBytes(buffers.size()));
  Require(greedy.Init(workspace).ok(), "a workspace is taken");
  for (PlanBuffer& buffer : buffers) {
    buffer.lifetime.lower = Below(steps);
    buffer.lifetime.upper = buffer.lifetime.lower + 1 + Below(steps);
    buffer.bytes = 1 + Below<std::int64_t>(OneIn(2) ? 6 : 1000);
    Require(greedy
                .AddBuffer(static_cast<std::size_t>(buffer.bytes), static_cast<std::int32_t>(buffer.lifetime.lower),
                           static_cast<std::int32_t>(buffer.lifetime.upper) - 1)
                .ok(),
            "a buffer is taken");
  }
  RC_LOG() << ProblemText(buffers);
  std::size_t peak = 0;
  Require(greedy.MaximumBytes(&peak).ok(), "there is a plan");
  const SectionProblem problem = MakeSectionProblem(buffers);
  StopSignal stopped;
  stopped.Stop();
  const UnitPlan at_once = BestFirstFit(problem, stopped), best = BestFirstFit(problem, StopSignal());
  Require(at_once.peak * problem.unit_bytes == static_cast<std::int64_t>(peak), "the first plan is the greedy one");
  Require(best.peak <= at_once.peak, "another order is taken only where it is better");
  const UnitPlan cut_short = FirstFit(problem, SearchOrder(problem, Below<std::size_t>(100)), stopped);
  Require(cut_short.offsets.empty(), "a plan that was not finished has no offsets");
  RequireValid(buffers, problem, at_once.offsets, at_once.peak);
  RequireValid(buffers, problem, best.offsets, best.peak);
}

// Where little room is left, most ways to begin lead nowhere, and what is remembered of them must not exclude others.
RC_GTEST_PROP(SearchesForACapacity, MissNoPlanAmongWaysThatLeadNowhere, ()) {
  const KnownProblem known = OneIn(3) ? DrawRichTiling(kFewLaidOut) : DrawTiling(kFewLaidOut);
  RC_LOG() << ProblemText(known.buffers);
  const SectionProblem problem = MakeSectionProblem(known.buffers);
  const SectionProblem all_moments = MakeSectionProblem(known.buffers, Moments::kAll);
  CapacityRace race(problem, all_moments);
  for (int left = 4; left > 0; --left) {
    const std::size_t order = Below<std::size_t>(100);
    for (int again = OneIn(3) ? 2 : 1; again > 0; --again) {
      const std::uint64_t steps = OneIn(3) ? Below<std::uint64_t>(200) : kStepsOfMany;
      RequireTrueAnswer(known, problem, race, problem.bound + (OneIn(4) ? 1 : 0), {order}, steps);
    }
  }
}

// Threads come to any place before a race ends: what is behind its first answer changes nothing.
RC_GTEST_PROP(SearchesForACapacity, AreDecidedByTheFirstAnswerOfTheirList, ()) {
  std::vector<RaceResult> results(Below<std::size_t>(6));
  for (RaceResult& result : results) {
    constexpr SearchOutcome kOutcomes[] = {SearchOutcome::kGaveUp, SearchOutcome::kGaveUp, SearchOutcome::kImpossible,
                                           SearchOutcome::kFound};
    result = {kOutcomes[Below(std::size(kOutcomes))], {Below<Units>(1000)}, Below<std::uint64_t>(1000)};
  }
  std::size_t first = 0, decided = results.size() + 1;
  std::uint64_t steps = 0;
  while (first < results.size() && results[first].outcome == SearchOutcome::kGaveUp) steps += results[first++].steps;
  const RaceResult decision = DecisionOf(results, &decided);
  Require(decided == first, "the first answer in the list decides");
  const RaceResult expected = first < results.size() ? results[first] : RaceResult();
  Require(decision.outcome == expected.outcome && decision.offsets == expected.offsets, "the answer is its own");
  Require(decision.steps == steps + expected.steps, "the steps are those of searches up to it");
}

// A search that wastes no byte needs to know which ones stay free, and guesses: that it finds nothing proves nothing.
RC_GTEST_PROP(SearchesForACapacity, TakeNoWrongGuessForAProof, ()) {
  const KnownProblem known = DrawLooseTiling(kMostOfALayout);
  RC_LOG() << ProblemText(known.buffers);
  const SectionProblem problem = MakeSectionProblem(known.buffers);
  const SectionProblem all_moments = MakeSectionProblem(known.buffers, Moments::kAll);
  CapacityRace race(problem, all_moments);
  for (std::size_t guess = OneIn(2) ? 0 : Below<std::size_t>(1000), left = 4; left > 0; --left, ++guess) {
    RequireTrueAnswer(known, problem, race, problem.bound, {CapacityRace::kTight + guess}, kStepsOfMany);
  }
}

}  // namespace
}  // namespace arenaproof::testing
