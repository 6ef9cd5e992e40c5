#include "tools/plans/refused_plan.h"

#include <algorithm>

#include "tools/plans/made_plan.h"

namespace arenaproof {
namespace {

std::optional<std::size_t> BufferOf(const LabelledProblem& problem, std::size_t subgraph, std::size_t tensor) {
  for (std::size_t i = 0; i < problem.labels.size(); ++i) {
    const BufferLabel& label = problem.labels[i];
    if (label.tensor < 0 || static_cast<std::size_t>(label.tensor) != tensor) continue;
    if (static_cast<std::size_t>(label.subgraph) == subgraph) return i;
  }
  return std::nullopt;
}

std::optional<PlanCertificate> FaultOfPair(const LabelledProblem& problem, const OfflineOverlap& overlap) {
  const auto one = BufferOf(problem, overlap.first.subgraph, overlap.first.tensor);
  const auto other = BufferOf(problem, overlap.second.subgraph, overlap.second.tensor);
  if (!one || !other) return std::nullopt;
  const auto [first, second] = std::minmax(*one, *other);
  const std::int64_t time = std::max(problem.buffers[first].lifetime.lower, problem.buffers[second].lifetime.lower);
  return PlanCertificate{PlanFault::kSharedBytes, first, second,
                         static_cast<std::int64_t>(overlap.lowest_shared_offset), time};
}

// Statuses about one tensor carry its place second.
std::optional<PlanCertificate> FaultOfOne(const LabelledProblem& problem, const Status& refusal, PlanFault fault) {
  const auto place = static_cast<std::uint64_t>(refusal.detail[1]);
  const auto buffer = BufferOf(problem, place >> 32, place & 0xffffffffU);
  if (!buffer) return std::nullopt;
  return PlanCertificate{fault, *buffer, *buffer, 0, 0};
}

std::optional<PlanCertificate> FaultOf(const LabelledProblem& problem, const Status& refusal,
                                       const std::optional<OfflineOverlap>& overlap) {
  switch (refusal.code) {
    case StatusCode::kOfflinePlanLiveOverlap:
    case StatusCode::kOfflinePlanSharedVariable:
      return overlap ? FaultOfPair(problem, *overlap) : std::nullopt;
    case StatusCode::kOfflinePlanNegativeOffset:
      return FaultOfOne(problem, refusal, PlanFault::kOffsetNegative);
    case StatusCode::kOfflinePlanMisaligned:
      return FaultOfOne(problem, refusal, PlanFault::kMisaligned);
    case StatusCode::kOfflinePlanOffsetOverflow:
      return FaultOfOne(problem, refusal, PlanFault::kEndOverflow);
    default:
      return std::nullopt;
  }
}

// A number that is no offset has its buffer placed as if it had none, and is reported all the same.
std::vector<std::optional<std::int64_t>> PlaceAsSaid(const LabelledProblem& problem) {
  LabelledProblem placeable = problem;
  for (PlanBuffer& buffer : placeable.buffers) {
    if (buffer.offset.value_or(0) < 0) buffer.offset.reset();
  }
  std::vector<std::optional<std::int64_t>> offsets = PlaceAroundFixed(placeable);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (problem.buffers[i].offset) offsets[i] = problem.buffers[i].offset;
  }
  return offsets;
}

}  // namespace

std::optional<RefusedPlan> DescribeRefusedPlan(const LabelledProblem& problem, const Status& refusal,
                                               const std::optional<OfflineOverlap>& overlap) {
  const auto fault = FaultOf(problem, refusal, overlap);
  if (!fault) return std::nullopt;
  return RefusedPlan{PlaceAsSaid(problem), *fault};
}

}  // namespace arenaproof
