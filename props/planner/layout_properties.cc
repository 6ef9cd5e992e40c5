// The dilated layout keeps what it promises for every plan that a certifier would let through.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/planner/greedy_planner.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "props/planner/planner_generators.h"
#include "sanitizers/layout/dilated_layout.h"
#include "sanitizers/layout/dilating_planner.h"

namespace arenaproof::testing {
namespace {

bool AliveTogether(const PlacedBuffer& a, const PlacedBuffer& b) {
  return a.last >= 0 && b.last >= 0 && ConflictInTime(a, b);
}

std::size_t EndOf(const PlacedBuffer& buffer) { return buffer.offset + buffer.bytes; }

// A plan whose only overlaps are of trusted buffers.
std::vector<PlacedBuffer> TrustedPlan(const std::vector<BufferRequest>& requests) {
  GreedyPlanner planner;
  const auto plan = Plan(planner, requests);
  RC_ASSERT(plan.has_value());
  return Placed(requests, plan->offsets, true);
}

void CheckPromises(const std::vector<PlacedBuffer>& faithful, const DilatedLayout& layout) {
  RC_ASSERT(layout.offsets.size() == faithful.size());
  for (std::size_t i = 0; i < faithful.size(); ++i) {
    const PlacedBuffer& low = faithful[i];
    RC_ASSERT(layout.offsets[i] % 64 == low.offset % 64);
    RC_ASSERT(layout.offsets[i] >= low.offset + 64);
    RC_ASSERT(layout.offsets[i] + low.bytes + 64 <= layout.head_bytes);
    for (std::size_t j = 0; j < faithful.size(); ++j) {
      const PlacedBuffer& high = faithful[j];
      if (layout.groups[i] == layout.groups[j]) {
        RC_ASSERT(layout.offsets[i] - low.offset == layout.offsets[j] - high.offset);
      } else if (AliveTogether(low, high)) {
        RC_ASSERT(EndOf(low) <= high.offset || EndOf(high) <= low.offset);  // sharing bytes makes a group
        if (EndOf(low) <= high.offset && low.offset < EndOf(high)) {
          RC_ASSERT(layout.offsets[i] + low.bytes + 128 <= layout.offsets[j]);
        }
      }
    }
  }
}

RC_GTEST_PROP(DilatedLayout, KeepsOrderAndAddressesModulo64WithRoomBetween, ()) {
  const auto faithful = TrustedPlan(*OnlineRequests());
  DilatedLayout layout;
  RC_ASSERT(Dilate(faithful, &layout).ok());
  CheckPromises(faithful, layout);
  if (std::none_of(faithful.begin(), faithful.end(), [](const PlacedBuffer& b) { return b.bytes == 0; })) {
    RC_ASSERT(layout.grouped_count() == 0u);
  }
}

RC_GTEST_PROP(DilatedLayout, MovesWhatSharesBytesTogether, ()) {
  const auto faithful = TrustedPlan(*MixedRequests(16));
  DilatedLayout layout;
  RC_ASSERT(Dilate(faithful, &layout).ok());
  RC_CLASSIFY(layout.grouped_count() > 0, "groups");
  CheckPromises(faithful, layout);
  auto dilated = faithful;
  for (std::size_t i = 0; i < dilated.size(); ++i) dilated[i].offset = layout.offsets[i];
  RC_ASSERT(CertifyAnywhere(dilated, layout.head_bytes, 16).ok());
}

// The smallest shifts that the rules allow, by relaxing until nothing moves: slow, and obviously right.
RC_GTEST_PROP(DilatedLayout, IsAsSmallAsItsRulesAllow, ()) {
  auto requests = *OnlineRequests();
  std::erase_if(requests, [](const BufferRequest& request) { return request.bytes == 0; });
  const auto faithful = TrustedPlan(requests);
  DilatedLayout layout;
  RC_ASSERT(Dilate(faithful, &layout).ok());
  std::vector<std::size_t> offsets;
  for (const PlacedBuffer& buffer : faithful) offsets.push_back(buffer.offset + 64);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < faithful.size(); ++i) {
      for (std::size_t j = 0; j < faithful.size(); ++j) {
        if (!AliveTogether(faithful[i], faithful[j]) || EndOf(faithful[i]) > faithful[j].offset) continue;
        while (offsets[j] < offsets[i] + faithful[i].bytes + 128) {
          offsets[j] += 64;
          moved = true;
        }
      }
    }
  }
  RC_ASSERT(layout.offsets == offsets);
}

RC_GTEST_PROP(DilatingPlanner, GivesTheRuntimeAPlanThatTheCertifierAccepts, ()) {
  const auto requests = *OnlineRequests(16);
  GreedyPlanner greedy;
  DilatingPlanner planner(greedy);
  const auto plan = Plan(planner, requests);
  RC_ASSERT(plan.has_value());
  RC_ASSERT(CertifyAnywhere(Placed(requests, plan->offsets), plan->maximum_bytes, 16).ok());
  GreedyPlanner alone;
  const auto faithful = Plan(alone, requests);
  RC_ASSERT(faithful.has_value());
  RC_ASSERT(planner.faithful_bytes() == faithful->maximum_bytes);
  for (std::size_t i = 0; i < requests.size(); ++i) RC_ASSERT(plan->offsets[i] % 64 == faithful->offsets[i] % 64);
}

}  // namespace
}  // namespace arenaproof::testing
