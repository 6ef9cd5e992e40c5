// P1 to P9 and P11 of the planners' specification (P10 is in picture_properties.cc).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/planner/greedy_planner.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

PlanResult PlanOrFail(const std::vector<BufferRequest>& requests) {
  GreedyPlanner planner;
  const auto plan = Plan(planner, requests);
  RC_ASSERT(plan.has_value());
  return *plan;
}

bool Online(const BufferRequest& request) { return request.offline_offset == kOnline; }

RC_GTEST_PROP(GreedyPlanner, P1_NeverPutsAnOnlineBufferOnWhatItMeetsInTime, ()) {
  const auto requests = *MixedRequests();
  const PlanResult plan = PlanOrFail(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (std::size_t j = 0; j < requests.size(); ++j) {
      const BufferRequest& a = requests[i];
      const BufferRequest& b = requests[j];
      if (i == j || !Online(a) || a.bytes == 0 || b.bytes == 0 || a.first > b.last || b.first > a.last) continue;
      RC_ASSERT(plan.offsets[i] + a.bytes <= plan.offsets[j] || plan.offsets[j] + b.bytes <= plan.offsets[i]);
    }
  }
}

RC_GTEST_PROP(GreedyPlanner, P2_KeepsFixedOffsets, ()) {
  const auto requests = *MixedRequests();
  const PlanResult plan = PlanOrFail(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!Online(requests[i])) RC_ASSERT(plan.offsets[i] == static_cast<std::size_t>(requests[i].offline_offset));
  }
}

RC_GTEST_PROP(GreedyPlanner, P3_ReportsTheHighestEnd, ()) {
  const auto requests = *MixedRequests();
  const PlanResult plan = PlanOrFail(requests);
  std::size_t highest = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) highest = std::max(highest, plan.offsets[i] + requests[i].bytes);
  RC_ASSERT(plan.maximum_bytes == highest);
}

RC_GTEST_PROP(GreedyPlanner, P4_KeepsMultiplesOfSixteen, ()) {
  const auto requests = *MixedRequests(16);
  const PlanResult plan = PlanOrFail(requests);
  for (const std::size_t offset : plan.offsets) RC_ASSERT(offset % 16 == 0u);
}

RC_GTEST_PROP(GreedyPlanner, P5_DependsOnTheRequestsOnly, ()) {
  const auto requests = *MixedRequests();
  const auto shift_bytes = *rc::gen::inRange<std::size_t>(0, 64);
  const auto spare_bytes = *rc::gen::inRange<std::size_t>(0, 500);
  const auto fill = static_cast<std::byte>(*rc::gen::inRange(0, 256));
  GreedyPlanner planner;
  RC_ASSERT(Plan(planner, requests, shift_bytes, spare_bytes, fill) == PlanOrFail(requests));
}

RC_GTEST_PROP(GreedyPlanner, P6_QueriesInBetweenChangeNothing, ()) {
  const auto requests = *MixedRequests();
  GreedyPlanner planner;
  std::vector<std::byte> workspace(planner.WorkspaceBytes(requests.size()));
  RC_ASSERT(planner.Init(workspace).ok());
  std::vector<BufferRequest> so_far;
  for (const BufferRequest& request : requests) {
    RC_ASSERT(planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset).ok());
    so_far.push_back(request);
    const PlanResult expected = PlanOrFail(so_far);
    for (int repetition = 0; repetition < 2; ++repetition) {
      std::size_t value = 0;
      RC_ASSERT(planner.MaximumBytes(&value).ok());
      RC_ASSERT(value == expected.maximum_bytes);
      for (std::size_t i = 0; i < so_far.size(); ++i) {
        RC_ASSERT(planner.OffsetOf(i, &value).ok());
        RC_ASSERT(value == expected.offsets[i]);
      }
    }
  }
}

RC_GTEST_PROP(GreedyPlanner, P7_PlacesAsTheReferenceDescribesIt, ()) {
  const auto requests = *MixedRequests();
  RC_ASSERT(PlanOrFail(requests) == ReferenceGreedy(requests));
}

RC_GTEST_PROP(GreedyPlanner, P8_NeedsTheBusiestScopeAtLeastAndTheSumAtMost, ()) {
  const auto requests = *OnlineRequests();
  const PlanResult plan = PlanOrFail(requests);
  const std::size_t sum = std::accumulate(requests.begin(), requests.end(), std::size_t{0},
                                          [](std::size_t total, const BufferRequest& r) { return total + r.bytes; });
  RC_ASSERT(plan.maximum_bytes >= PeakLiveBytes(requests));
  RC_ASSERT(plan.maximum_bytes <= sum);
}

RC_GTEST_PROP(GreedyPlanner, P9_HoldsAsManyBuffersAsDocumented, ()) {
  const auto bytes = *rc::gen::inRange<std::size_t>(0, 4000);
  const auto shift_bytes = *rc::gen::inRange<std::size_t>(0, 8);
  const std::size_t padding = (8 - shift_bytes) % 8;
  alignas(8) std::byte memory[4008];
  GreedyPlanner planner;
  RC_ASSERT(planner.Init(std::span(memory).subspan(shift_bytes, bytes)).ok());
  std::size_t count = 0;
  while (planner.AddBuffer(1, 0, 0).ok()) ++count;
  // Size and offset, two scopes, a number: 28 bytes on 64 bits. Of 64 and more buffers two scopes more.
  const std::size_t length = bytes < padding ? 0 : bytes - padding;
  const std::size_t bytes_of_few = 2 * sizeof(std::size_t) + 12, bytes_of_many = bytes_of_few + 8;
  const std::size_t few = std::min<std::size_t>(length / bytes_of_few, 63);
  RC_ASSERT(count == (length < 64 * bytes_of_many ? few : length / bytes_of_many));
  RC_ASSERT(planner.BufferCount() == count);
}

RC_GTEST_PROP(GreedyPlanner, P11_StartsEmptyForEachModel, ()) {
  const auto before = *MixedRequests();
  const auto requests = *MixedRequests();
  GreedyPlanner planner;
  RC_ASSERT(Plan(planner, before).has_value());
  RC_ASSERT(Plan(planner, requests) == PlanOrFail(requests));
}

}  // namespace
}  // namespace arenaproof::testing
