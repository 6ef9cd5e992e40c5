// The greedy planner around and beyond the numbers of buffers from which it works in other ways: with more room, from
// where earlier searches ended, by time. The plan is that of its description, whoever lives with whom, in a workspace
// of exactly the bytes that it asks for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "engine/generators/seeded_source.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

// From so many buffers on the planner may work by time: when few of them live together.
constexpr std::size_t kFewestByTime = 1281;

// Which scope is the first of all: that before the first operator as mostly, or any other that there is.
std::int32_t FirstScope(SeededSource& random, std::size_t steps) {
  const auto span = static_cast<std::int32_t>(2 * steps);
  const std::int32_t scopes[] = {-1, -1, -1, 0, -span / 4, INT32_MIN, INT32_MAX - span};
  return random.Of(scopes);
}

// Few that live together when lifetimes are short; now and then one that begins before all others, lives long or
// always, ends before it begins, is fixed, takes no byte or nearly all there are.
std::vector<BufferRequest> ManyRequests(SeededSource& random, std::size_t count) {
  // Sparse enough for the planner to work by time.
  const bool sparse = count >= kFewestByTime && !random.OneIn(4);
  const std::size_t steps = sparse ? count + random.Below(2 * count) : 1 + random.Below(2 * count);
  const std::size_t longest = sparse || random.OneIn(2) ? 1 + random.Below(sparse ? 4 : 8) : 1 + random.Below(steps);
  const std::size_t long_one_in = sparse ? count : 40;
  const std::size_t sizes = random.OneIn(3) ? 1 + random.Below(4) : 1 + random.Below(5000);
  const std::int32_t first_scope = FirstScope(random, steps);
  const bool odd = random.OneIn(2);
  std::vector<BufferRequest> requests(count);
  for (BufferRequest& request : requests) {
    const auto after = static_cast<std::int32_t>(random.OneIn(100) ? 0 : random.Below(steps));
    const auto length = static_cast<std::int32_t>(random.Below(random.OneIn(long_one_in) ? steps : longest));
    request = {1 + random.Below(sizes), first_scope + after, first_scope + after + length};
    if (!odd) continue;
    if (random.OneIn(30)) request.bytes = 0;
    const auto before = 1 + static_cast<std::int32_t>(random.Below(5));
    if (random.OneIn(60) && request.first >= INT32_MIN + before) request.last = request.first - before;
    if (random.OneIn(sparse ? count : 300)) request.first = INT32_MIN;
    if (random.OneIn(sparse ? count : 300)) request.last = INT32_MAX;
    if (random.OneIn(20)) request.offline_offset = static_cast<std::int64_t>(random.Below(20000));
    if (request.offline_offset == kOnline && random.OneIn(20 * count)) request.bytes = SIZE_MAX - random.Below(2000);
  }
  return requests;
}

void RequireTheDescribedPlan(GreedyPlanner& planner, const std::vector<BufferRequest>& requests,
                             GuardedWorkspace& workspace) {
  const auto expected = ReferenceGreedy(requests);
  std::size_t maximum_bytes = 0;
  const bool planned = planner.MaximumBytes(&maximum_bytes).ok();
  const std::string refusal = "VIOLATED: the greedy planner refuses a plan that fits, or the reverse (P3)";
  if (planned != expected.has_value()) RC_FAIL(refusal);
  const std::string outside = "VIOLATED: the greedy planner writes outside its workspace";
  if (!workspace.intact()) RC_FAIL(outside);
  if (!planned) return;
  const std::string elsewhere = "VIOLATED: the greedy planner places a buffer elsewhere than its description (P7)";
  for (std::size_t i = 0; i < requests.size(); ++i) {
    std::size_t offset = 0;
    if (!planner.OffsetOf(i, &offset).ok() || offset != expected->offsets[i]) RC_FAIL(elsewhere);
  }
  if (maximum_bytes != expected->maximum_bytes) RC_FAIL(elsewhere);
}

RC_GTEST_PROP(GreedyPlanner, P7_PlacesManyBuffersAsDescribed, ()) {
  SeededSource random(*rc::gen::arbitrary<std::uint64_t>());
  // The description takes its time of many.
  const std::size_t count = random.OneIn(12)  ? kFewestByTime - 10 + random.Below(1500)
                            : random.OneIn(3) ? 60 + random.Below(8)
                                              : 20 + random.Below(380);
  const std::vector<BufferRequest> requests = ManyRequests(random, count);
  GreedyPlanner planner;
  const std::size_t bytes = planner.WorkspaceBytes(count);
  GuardedWorkspace workspace(bytes, random.Below(64), static_cast<std::byte>(random.Below(256)));
  RC_ASSERT(planner.Init(workspace.span()).ok());
  // A plan in between: rows are back where they were, and what it left in the workspace does not matter.
  const std::size_t between = random.OneIn(3) ? random.Below(count) : count;
  std::vector<BufferRequest> added;
  for (const BufferRequest& request : requests) {
    if (added.size() == between) RequireTheDescribedPlan(planner, added, workspace);
    added.push_back(request);
    RC_ASSERT(planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset).ok());
  }
  RequireTheDescribedPlan(planner, requests, workspace);
}

RC_GTEST_PROP(GreedyPlanner, P9_HoldsMoreBuffersInMoreBytes, ()) {
  const auto bytes = *rc::gen::inRange<std::size_t>(1000, 12000);
  std::vector<std::byte> memory(bytes);
  GreedyPlanner planner;
  RC_ASSERT(planner.Init(memory).ok());
  const std::size_t capacity = planner.capacity();
  RC_ASSERT(planner.WorkspaceBytes(capacity) <= bytes + sizeof(std::size_t) - 1);
  RC_ASSERT(planner.WorkspaceBytes(capacity + 1) > bytes);
}

}  // namespace
}  // namespace arenaproof::testing
