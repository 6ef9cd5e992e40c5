// Does every planner plan every problem that it takes so that certifier and bound agree, and are optima what they are
// in a world that is scaled, reversed, shuffled, or has one dead buffer more? Does the certifier answer for any plan
// like a pairwise oracle?
//
// Up to ten buffers of small numbers, with alignments, fixed offsets and gaps, now and then one that no plan can have.
// Problems that CheckProblem refuses, for the fault that was drawn first, end the run. Then what is left of the input
// disturbs the plan, one offset at a time. On a disagreement the problem is printed and the process aborts.
//
//   byte 0      number of buffers (mod 11), the unit of sizes
//   per buffer  lower, duration, bytes, alignment (of units or bytes), fixed or not, gap or not or what is wrong
//   then        per disturbance: which buffer, its offset
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/planner/optimal/optimal_planner.h"
#include "engine/explain.h"
#include "engine/generators/bytes/byte_reader.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "tools/plans/busiest_moment.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof {
namespace {

using Buffers = std::vector<PlanBuffer>;

// Nearly all problems of this size are decided within it.
constexpr std::uint64_t kWorkLimit = 3000;
constexpr std::size_t kMostDisturbances = 16;
// Of the byte that draws a gap.
constexpr std::size_t kFirstBroken = 249;

LabelledProblem Labelled(const Buffers& buffers) {
  LabelledProblem problem;
  problem.buffers = buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    problem.labels.emplace_back();
    problem.labels.back().id = std::to_string(i);
  }
  return problem;
}

std::string PlanText(const LabelledProblem& problem, const std::vector<std::optional<std::int64_t>>& offsets) {
  std::vector<std::optional<std::int64_t>> shown = offsets;
  shown.resize(problem.buffers.size());
  for (auto& offset : shown) offset = offset.value_or(-1);
  return PlanCsv(problem, shown);
}

[[noreturn]] void ReportAndAbort(const char* broken, const LabelledProblem& problem,
                                 const std::vector<std::optional<std::int64_t>>& offsets) {
  std::fprintf(stderr, "VIOLATED: %s\n%s", broken, PlanText(problem, offsets).c_str());
  std::abort();
}

// The buffer has the fault then, whatever it was before.
ProblemFault Break(PlanBuffer& buffer, std::size_t how) {
  switch (how) {
    case 0:
      buffer.lifetime.upper = buffer.lifetime.lower - 1;
      return ProblemFault::kLifetimeBackwards;
    case 1:
      buffer.bytes = -1;
      return ProblemFault::kNegativeBytes;
    case 2:
      buffer.alignment = 0;
      return ProblemFault::kAlignmentNotPositive;
    case 3:
      buffer.offset = -buffer.alignment;
      return ProblemFault::kOffsetNegative;
    case 4:
      buffer.alignment = 3;
      buffer.offset = 4;
      return ProblemFault::kOffsetMisaligned;
    case 5:
      buffer.gaps = {{buffer.lifetime.lower, buffer.lifetime.upper + 1}};
      return ProblemFault::kBadGap;
    default:
      buffer.bytes = std::int64_t{1} << 62;
      buffer.alignment = 2;
      buffer.offset.reset();
      return ProblemFault::kOverflow;
  }
}

struct DrawnProblem {
  Buffers buffers;
  ProblemVerdict wrong;  // the first buffer that was broken
};

DrawnProblem DrawBuffers(ByteReader& reader) {
  constexpr std::array<std::int64_t, 4> kUnits{1, 1, 16, 48};
  const std::size_t head = reader.Byte();
  DrawnProblem drawn{Buffers(head % 11), {}};
  Buffers& buffers = drawn.buffers;
  const std::int64_t unit = kUnits[head / 11 % kUnits.size()];
  for (PlanBuffer& buffer : buffers) {
    buffer.lifetime.lower = static_cast<std::int64_t>(reader.Below(10)) - 2;
    buffer.lifetime.upper = buffer.lifetime.lower + static_cast<std::int64_t>(reader.Below(7));
    buffer.bytes = unit * static_cast<std::int64_t>(reader.Below(12));
    const std::size_t how = reader.Byte();
    if (how % 4 == 0) buffer.alignment = static_cast<std::int64_t>(1 + how / 4 % 8) * (how / 32 % 4 == 3 ? 1 : unit);
    const std::size_t place = reader.Byte();
    if (place % 8 == 0) buffer.offset = buffer.alignment * static_cast<std::int64_t>(place / 8);
    const std::int64_t inside = buffer.lifetime.upper - buffer.lifetime.lower;
    const std::size_t gap = reader.Byte();
    if (gap >= kFirstBroken) {
      const ProblemFault fault = Break(buffer, gap - kFirstBroken);
      if (drawn.wrong.fault == ProblemFault::kNone) {
        drawn.wrong = {fault, static_cast<std::size_t>(&buffer - buffers.data()), 0};
      }
      continue;
    }
    if (gap % 3 != 0 || inside < 2) continue;
    const std::int64_t begin = buffer.lifetime.lower + static_cast<std::int64_t>(gap / 3) % (inside - 1);
    buffer.gaps.push_back({begin, begin + 1});
  }
  return drawn;
}

Buffers Scaled(Buffers buffers, std::int64_t factor) {
  for (PlanBuffer& buffer : buffers) {
    buffer.bytes *= factor;
    buffer.alignment *= factor;
    if (buffer.offset) *buffer.offset *= factor;
  }
  return buffers;
}

Buffers Reversed(Buffers buffers) {
  const auto reverse = [](const TimeInterval& time) { return TimeInterval{-time.upper, -time.lower}; };
  for (PlanBuffer& buffer : buffers) {
    buffer.lifetime = reverse(buffer.lifetime);
    std::reverse(buffer.gaps.begin(), buffer.gaps.end());
    for (TimeInterval& gap : buffer.gaps) gap = reverse(gap);
  }
  return buffers;
}

Buffers WithDeadBuffer(Buffers buffers, std::int64_t bytes) {
  PlanBuffer& dead = buffers.emplace_back();
  dead.lifetime = {3, 3};
  dead.bytes = bytes;
  return buffers;
}

// The optimum of a problem that is another one in disguise.
void ExpectOptimum(const Buffers& buffers, std::int64_t peak_bytes, const char* broken) {
  const OptimalPlan plan = PlanOptimally(buffers, {.work_limit = kWorkLimit});
  if (!plan.ok()) ReportAndAbort("a problem in disguise is refused", Labelled(buffers), {});
  // Not proven: the optimum lies between.
  const bool possible = plan.lower_bound_bytes <= peak_bytes && peak_bytes <= plan.peak_bytes;
  if (!possible || (plan.proven_optimal() && plan.peak_bytes != peak_bytes)) {
    ReportAndAbort(broken, Labelled(buffers), {plan.offsets.begin(), plan.offsets.end()});
  }
}

void CheckDisguises(const Buffers& buffers, std::int64_t optimum) {
  ExpectOptimum(Scaled(buffers, 7), 7 * optimum, "sizes times seven are not planned in a head times seven");
  ExpectOptimum(Reversed(buffers), optimum, "backwards in time another head is needed");
  ExpectOptimum(WithDeadBuffer(buffers, optimum), optimum, "a buffer that is never alive changes the optimum");
  Buffers shuffled = buffers;
  std::rotate(shuffled.begin(), shuffled.begin() + static_cast<std::ptrdiff_t>(shuffled.size() / 2), shuffled.end());
  std::reverse(shuffled.begin(), shuffled.begin() + static_cast<std::ptrdiff_t>(shuffled.size() / 3));
  ExpectOptimum(shuffled, optimum, "in another order another head is needed");
}

// Stopped at once there is a plan all the same, and what is said of it is true.
void CheckWithoutTime(const LabelledProblem& problem, const MadePlan& optimal) {
  const OptimalPlan plan = PlanOptimally(problem.buffers, {.time_limit = std::chrono::milliseconds(0)});
  const std::vector<std::optional<std::int64_t>> offsets(plan.offsets.begin(), plan.offsets.end());
  const bool true_bounds = plan.lower_bound_bytes <= optimal.peak_bytes && optimal.lower_bound_bytes <= plan.peak_bytes;
  if (!plan.ok() || !CertifyPlan(problem.buffers, offsets).ok() || !true_bounds) {
    ReportAndAbort("stopped at once the optimal planner has no plan, or says what is not true", problem, offsets);
  }
}

void CheckThreads(const LabelledProblem& problem, const MadePlan& optimal) {
  const OptimalPlan plan = PlanOptimally(problem.buffers, {.work_limit = kWorkLimit, .threads = 3});
  const std::vector<std::optional<std::int64_t>> offsets(plan.offsets.begin(), plan.offsets.end());
  if (offsets != optimal.offsets || plan.lower_bound_bytes != optimal.lower_bound_bytes) {
    ReportAndAbort("three threads find another plan than one", problem, offsets);
  }
}

std::vector<std::optional<std::int64_t>> FixedOffsets(const Buffers& buffers) {
  std::vector<std::optional<std::int64_t>> offsets;
  for (const PlanBuffer& buffer : buffers) offsets.push_back(buffer.offset);
  return offsets;
}

void CheckCertifier(const LabelledProblem& problem, const std::vector<std::optional<std::int64_t>>& offsets) {
  const PlanCertificate certificate = CertifyPlan(problem.buffers, offsets);
  if (!SaysTheSame(certificate, testing::WhatIsWrong(problem.buffers, offsets))) {
    ReportAndAbort("the certifier differs from the oracle", problem, offsets);
  }
}

void Run(ByteReader& reader) {
  const DrawnProblem drawn = DrawBuffers(reader);
  const LabelledProblem problem = Labelled(drawn.buffers);
  CountReach("buffers of a problem", problem.buffers.size());
  if (Explaining()) Explain("the problem, with what it fixes:\n" + PlanText(problem, FixedOffsets(problem.buffers)));
  const ProblemVerdict verdict = CheckProblem(problem.buffers);
  if (drawn.wrong.fault != ProblemFault::kNone) {
    if (verdict.fault != drawn.wrong.fault || verdict.buffer != drawn.wrong.buffer) {
      ReportAndAbort("a problem with a fault is taken, or refused for another one", problem, {});
    }
    if (PlanOptimally(problem.buffers).ok()) ReportAndAbort("a faulty problem is planned", problem, {});
  }
  if (verdict.fault != ProblemFault::kNone) return Explain("the problem is refused");
  const MadePlan optimal = MakePlan("optimal", problem, {.work_limit = kWorkLimit});
  if (!optimal.problem.empty()) ReportAndAbort("the optimal planner refuses a problem", problem, {});
  for (const char* planner : {"greedy", "linear", "arena"}) {
    const MadePlan plan = MakePlan(planner, problem);  // throws when it is not certified, or below the bound
    if (plan.problem.empty() && plan.peak_bytes < optimal.lower_bound_bytes) {
      ReportAndAbort("a plan is better than the optimal planner's bound", problem, plan.offsets);
    }
  }
  if (optimal.lower_bound_bytes < LoadBound(problem.buffers)) {
    ReportAndAbort("the optimal planner's bound is below the busiest moment", problem, optimal.offsets);
  }
  if (problem.buffers.size() % 2 == 0) CheckWithoutTime(problem, optimal);
  if (problem.buffers.size() % 4 == 3) CheckThreads(problem, optimal);
  if (optimal.proven_optimal()) CheckDisguises(problem.buffers, optimal.peak_bytes);
  std::vector<std::optional<std::int64_t>> offsets = optimal.offsets;
  if (Explaining()) Explain("certified as planned optimally:\n" + PlanText(problem, offsets));
  CheckCertifier(problem, offsets);
  for (std::size_t i = 0; i < kMostDisturbances && !offsets.empty() && !reader.empty(); ++i) {
    std::optional<std::int64_t>& offset = offsets[reader.Below(offsets.size())];
    offset = static_cast<std::int64_t>(reader.Byte()) - 4;
    if (*offset == -1) offset.reset();
    if (Explaining()) Explain("certified after disturbance " + std::to_string(i) + ":\n" + PlanText(problem, offsets));
    CheckCertifier(problem, offsets);
  }
}

}  // namespace
}  // namespace arenaproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  arenaproof::ByteReader reader(data, bytes);
  arenaproof::Run(reader);
  return 0;
}
