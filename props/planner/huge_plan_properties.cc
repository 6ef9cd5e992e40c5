// Plans of as many buffers as any power of two up to 2^17, and around it. Buffers with fixed offsets that lie one
// behind the other in runs are for the planner as good as one buffer for each run: the reference planner is asked about
// that.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/planner/greedy_planner.h"
#include "engine/generators/reach_report.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "engine/oracles/planner/reference_greedy.h"
#include "props/planner/planner_generators.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kPieceBytes = 16;

struct HugePlan {
  std::vector<BufferRequest> short_one;
  std::vector<std::size_t> piece_counts;  // 1: as it is
};

// A few runs, later ones further up, and a few buffers that are placed between, below and above them.
HugePlan DrawHugePlan(std::size_t buffer_count) {
  HugePlan plan;
  const std::size_t run_count = std::min(buffer_count, *rc::gen::inRange<std::size_t>(1, 5));  // none is empty
  std::int64_t end = 0;
  for (std::size_t run = 0; run < run_count; ++run) {
    const auto online = *rc::gen::container<std::vector<BufferRequest>>(
        *rc::gen::inRange<std::size_t>(0, 4),
        rc::gen::map(
            rc::gen::tuple(rc::gen::inRange<std::size_t>(0, 40), rc::gen::inRange(0, 6), rc::gen::inRange(0, 4)),
            [](const std::tuple<std::size_t, int, int>& parts) {
              const auto [units, first, duration] = parts;
              return BufferRequest{units * kPieceBytes, first, first + duration};
            }));
    plan.short_one.insert(plan.short_one.end(), online.begin(), online.end());
    plan.piece_counts.resize(plan.short_one.size(), 1);
    const auto first = *rc::gen::inRange(0, 4);
    const auto last = first + *rc::gen::inRange(0, 4);
    const std::size_t left = buffer_count - (buffer_count / run_count) * run;
    const std::size_t count = run + 1 == run_count ? left : buffer_count / run_count;
    end += static_cast<std::int64_t>(kPieceBytes) * *rc::gen::inRange(0, 30);
    plan.short_one.push_back({count * kPieceBytes, first, last, end});
    plan.piece_counts.push_back(count);
    end += static_cast<std::int64_t>(count * kPieceBytes);
  }
  // The last ones, with the largest numbers.
  for (std::size_t k = *rc::gen::inRange<std::size_t>(1, 5); k > 0; --k) {
    const auto first = *rc::gen::inRange(0, 6);
    plan.short_one.push_back(
        {*rc::gen::inRange<std::size_t>(0, 40) * kPieceBytes, first, first + *rc::gen::inRange(0, 4)});
    plan.piece_counts.push_back(1);
  }
  return plan;
}

void Fail(const char* what) {
  const std::string message = std::string("VIOLATED: among many buffers ") + what;
  RC_FAIL(message);
}

// A run is that long or a little longer: other buffers stand beside it. Half of the time not more than one byte counts,
// for large ones take their time.
std::size_t DrawHugeCount() {
  const std::size_t most = OneIn(2) ? 257 : OneIn(4) ? kFarthest : 4097;
  const std::size_t count = *Reach(most);
  CountReach("buffers of a plan", count);
  return count;
}

RC_GTEST_PROP(HugePlans, ArePlacedLikeTheFewBuffersThatTheyStandFor, ()) {
  // Very large ones: some, however many cases there are.
  static int left_count = 24;
  std::size_t count = DrawHugeCount();
  if (count > 8193 && left_count-- <= 0) count = 256 + count % 4;
  const HugePlan plan = DrawHugePlan(count);
  const auto expected = ReferenceGreedy(plan.short_one);
  RC_ASSERT(expected.has_value());
  std::vector<PlacedBuffer> placed;
  for (std::size_t i = 0; i < plan.short_one.size(); ++i) {
    const BufferRequest& request = plan.short_one[i];
    const std::size_t pieces = plan.piece_counts[i];
    for (std::size_t k = 0; k < pieces; ++k) {
      placed.push_back({expected->offsets[i] + k * kPieceBytes, pieces > 1 ? kPieceBytes : request.bytes, request.first,
                        request.last, request.offline_offset != kOnline});
    }
  }

  GreedyPlanner planner;
  GuardedWorkspace workspace(planner.WorkspaceBytes(placed.size()), *rc::gen::inRange<std::size_t>(0, 8), std::byte{7});
  RC_ASSERT(planner.Init(workspace.span()).ok());
  for (const PlacedBuffer& buffer : placed) {
    const std::int64_t fixed = buffer.trusted ? static_cast<std::int64_t>(buffer.offset) : kOnline;
    if (!planner.AddBuffer(buffer.bytes, buffer.first, buffer.last, fixed).ok()) Fail("one is not taken");
  }
  if (planner.BufferCount() != placed.size()) Fail("some are not counted");
  std::size_t offset = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!planner.OffsetOf(i, &offset).ok()) Fail("one has no offset");
    if (offset != placed[i].offset) {
      Fail("the greedy planner places one elsewhere than its description (P7)");
    }
  }
  std::size_t maximum_bytes = 0;
  RC_ASSERT(planner.MaximumBytes(&maximum_bytes).ok());
  if (maximum_bytes != expected->maximum_bytes) Fail("the head is not the highest end (P3)");
  if (!workspace.intact()) Fail("the greedy planner writes outside its workspace");

  // The certifier too: right as it is, or with one of them put onto the last one.
  if (*rc::gen::arbitrary<bool>()) {
    if (!CertifyAnywhere(placed, maximum_bytes, kPieceBytes).ok()) Fail("the certifier refuses a right plan");
    return;
  }
  PlacedBuffer& victim = placed[*rc::gen::inRange<std::size_t>(0, placed.size())];
  const PlacedBuffer& last = placed.back();
  if (&victim == &last) return;
  victim.offset = last.offset;
  victim.first = last.first;
  victim.last = last.last;
  victim.trusted = false;
  const Certificate certificate = CertifyAnywhere(placed, maximum_bytes + 1000, kPieceBytes);
  const bool shares = victim.bytes > 0 && last.bytes > 0;
  if (shares && certificate.reason != CertificateReason::kSharedBytes)
    Fail("the certifier overlooks shared bytes (P1)");
  if (shares && !WronglyShareBytes(placed[certificate.first], placed[certificate.second])) {
    Fail("the certifier names two that share nothing");
  }
}

}  // namespace
}  // namespace arenaproof::testing
