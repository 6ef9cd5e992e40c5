// What the contract of memory_planner.h asks of every planner, for sizes and offsets up to the largest number: exact
// sums or a refusal, a workspace that is enough and never left, a plan that depends on the requests alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

#include "core/planner/greedy_planner.h"
#include "core/planner/linear_planner.h"
#include "core/planner/precomputed_planner.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

using Exact = unsigned __int128;

struct Expected {
  std::size_t accepted_count = 0;  // of AddBuffer
  bool has_plan = true;
  PlanResult plan;
};

// One buffer behind the other.
Expected ReferenceLinear(std::span<const BufferRequest> requests) {
  Expected expected;
  Exact end = 0;
  for (const BufferRequest& request : requests) {
    if (request.offline_offset != kOnline || end + request.bytes > SIZE_MAX) break;
    expected.plan.offsets.push_back(static_cast<std::size_t>(end));
    end += request.bytes;
    ++expected.accepted_count;
  }
  expected.plan.maximum_bytes = static_cast<std::size_t>(end);
  return expected;
}

Expected ReferencePrecomputed(std::span<const BufferRequest> requests, std::span<const std::int32_t> offsets) {
  Expected expected;
  Exact highest = 0;
  for (const BufferRequest& request : requests) {
    const std::size_t i = expected.accepted_count;
    if (request.offline_offset != kOnline || i == offsets.size() || offsets[i] < 0) break;
    const Exact end = Exact{static_cast<std::uint32_t>(offsets[i])} + request.bytes;
    if (end > SIZE_MAX) break;
    expected.plan.offsets.push_back(static_cast<std::size_t>(offsets[i]));
    highest = std::max(highest, end);
    ++expected.accepted_count;
  }
  expected.plan.maximum_bytes = static_cast<std::size_t>(highest);
  return expected;
}

// The reference planner on the requests in front of the first that cannot be added at all.
Expected ExpectedGreedy(std::span<const BufferRequest> requests) {
  Expected expected;
  for (const BufferRequest& request : requests) {
    if (request.offline_offset < kOnline) break;
    if (request.offline_offset != kOnline &&
        Exact{static_cast<std::uint64_t>(request.offline_offset)} + request.bytes > SIZE_MAX) {
      break;
    }
    ++expected.accepted_count;
  }
  const auto plan = ReferenceGreedy(requests.first(expected.accepted_count));
  expected.has_plan = plan.has_value();
  if (plan) expected.plan = *plan;
  return expected;
}

void Complain(const MemoryPlanner& planner, const std::string& what) {
  const std::string message = std::string("VIOLATED: the ") + planner.name() + " planner " + what;
  RC_FAIL(message);
}

// Plans in a workspace of just the bytes that the planner asks for, and compares every answer.
void Compare(MemoryPlanner& planner, std::span<const BufferRequest> requests, const Expected& expected,
             std::size_t shift_bytes, std::byte fill) {
  const std::size_t needed_bytes = planner.WorkspaceBytes(requests.size());
  RC_ASSERT(needed_bytes < 1 << 20);
  GuardedWorkspace workspace(needed_bytes, shift_bytes, fill);
  if (!planner.Init(workspace.span()).ok()) Complain(planner, "does not start in the workspace it asks for");
  if (planner.BufferCount() != 0) Complain(planner, "does not start empty (P11)");
  std::size_t maximum_bytes = 1;
  if (!planner.MaximumBytes(&maximum_bytes).ok() || maximum_bytes != 0) Complain(planner, "does not start empty (P11)");
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const BufferRequest& request = requests[i];
    const Status status = planner.AddBuffer(request.bytes, request.first, request.last, request.offline_offset);
    if (status.ok() != (i < expected.accepted_count)) {
      Complain(planner, status.ok() ? "accepts a buffer whose end does not fit (overflow)"
                                    : "refuses a buffer, though its workspace has the bytes it asks for");
    }
    if (!status.ok()) break;
  }
  if (planner.BufferCount() != expected.accepted_count) Complain(planner, "miscounts its buffers");
  const bool planned = planner.MaximumBytes(&maximum_bytes).ok();
  if (planned != expected.has_plan) Complain(planner, "lets an overflow through, or refuses an exact plan");
  if (!planned) return;
  if (maximum_bytes != expected.plan.maximum_bytes)
    Complain(planner, "reports a head that is not its highest end (P3)");
  std::size_t offset = 0;
  for (std::size_t i = 0; i < expected.accepted_count; ++i) {
    if (!planner.OffsetOf(i, &offset).ok()) Complain(planner, "has no offset for a buffer");
    if (offset != expected.plan.offsets[i]) Complain(planner, "places a buffer elsewhere than its description (P7)");
  }
  for (const std::size_t beyond : {std::size_t{0}, std::size_t{1}, SIZE_MAX - expected.accepted_count}) {
    if (planner.OffsetOf(expected.accepted_count + beyond, &offset).ok()) Complain(planner, "answers for no buffer");
  }
  if (!workspace.intact()) Complain(planner, "writes outside its workspace");
}

// Twice, with other garbage at another address and another plan in between.
template <typename Planner, typename Reference>
void CompareTwice(Planner& planner, const Reference& reference) {
  const auto requests = *ExtremeRequests();
  const auto other = *ExtremeRequests();
  const auto fill = static_cast<std::byte>(*rc::gen::inRange(0, 256));
  const auto shift_bytes = *rc::gen::inRange<std::size_t>(0, 64);
  Compare(planner, requests, reference(requests), shift_bytes, fill);
  Compare(planner, other, reference(other), 0, ~fill);
  Compare(planner, requests, reference(requests), 64 - shift_bytes, ~fill);
}

RC_GTEST_PROP(EveryPlanner, GreedyIsExactOrRefusesAtAnySize, ()) {
  GreedyPlanner planner;
  CompareTwice(planner, ExpectedGreedy);
}

RC_GTEST_PROP(EveryPlanner, LinearIsExactOrRefusesAtAnySize, ()) {
  LinearPlanner planner;
  CompareTwice(planner, ReferenceLinear);
}

RC_GTEST_PROP(EveryPlanner, PrecomputedIsExactOrRefusesAtAnySize, ()) {
  const auto requests = *ExtremeRequests();
  const auto spare_count = *rc::gen::inRange<std::size_t>(0, 3);
  const auto offsets = *rc::gen::container<std::vector<std::int32_t>>(
      requests.size() + spare_count, rc::gen::oneOf(rc::gen::inRange<std::int32_t>(0, 200), rc::gen::just(INT32_MAX),
                                                    rc::gen::inRange<std::int32_t>(-2, 2)));
  PrecomputedPlanner planner(offsets);
  for (int repetition = 0; repetition < 2; ++repetition) {
    Compare(planner, requests, ReferencePrecomputed(requests, offsets), 0, std::byte{});
  }
}

}  // namespace
}  // namespace arenaproof::testing
