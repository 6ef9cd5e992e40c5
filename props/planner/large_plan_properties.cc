// The certifier beyond 64 buffers, where its sets of live buffers get a second level, and those sets by themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "core/planner/prefix_maximum.h"
#include "core/planner/rank_set.h"
#include "engine/generators/reach.h"
#include "engine/generators/seeded_source.h"
#include "engine/oracles/planner/guarded_workspace.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "props/planner/planner_generators.h"
#include "props/support/draws.h"

namespace arenaproof::testing {
namespace {

SeededSource AnySource() { return SeededSource(*rc::gen::arbitrary<std::uint64_t>()); }

// Buffers in columns of their own, of all lifetimes: right as it is.
std::vector<PlacedBuffer> Columns(SeededSource& random, std::size_t count) {
  std::vector<PlacedBuffer> plan(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::int32_t>(random.Below(40)) - 1;
    const auto last = first + static_cast<std::int32_t>(random.Below(40));
    plan[i] = {16 * i, 1 + random.Below(16), first, last, random.OneIn(4)};
  }
  random.Shuffle(plan);
  return plan;
}

void RequireTheOraclesVerdict(const std::vector<PlacedBuffer>& plan, std::size_t head_bytes, std::size_t shift_bytes) {
  const std::size_t needed_bytes = CertifierWorkspaceBytes(plan.size());
  GuardedWorkspace workspace(needed_bytes, shift_bytes, static_cast<std::byte>(shift_bytes * 5));
  const Certificate found = Certify(plan, head_bytes, 1, workspace.span());
  const Certificate expected = QuadraticCertificate(plan, head_bytes, 1);
  if (!SameVerdict(found, expected, plan)) {
    const std::string message = std::string("VIOLATED: the certifier differs from the oracle (P1): says ") +
                                CertificateReasonName(found.reason) + ", is " + CertificateReasonName(expected.reason);
    RC_FAIL(message);
  }
  const std::string outside = "VIOLATED: the certifier writes outside its workspace";
  if (!workspace.intact()) RC_FAIL(outside);
  if (needed_bytes == 0) return;
  const Certificate cramped = Certify(plan, head_bytes, 1, workspace.span().first(needed_bytes - 1));
  RC_ASSERT(cramped.reason == CertificateReason::kWorkspaceTooSmall);
}

RC_GTEST_PROP(Certifier, EqualsTheQuadraticOracleOnLargePlans, ()) {
  SeededSource random = AnySource();
  const std::size_t count = random.OneIn(8) ? DrawReach(random, 1025) : 1 + random.Below(150);
  std::vector<PlacedBuffer> plan = Columns(random, count);
  RequireTheOraclesVerdict(plan, 16 * count, random.Below(64));
  for (std::size_t k = random.Below(3); k > 0; --k) {
    PlacedBuffer& moved = plan[random.Below(count)];
    moved.offset = plan[random.Below(count)].offset + random.Below(16);
    if (random.OneIn(3)) moved.bytes = 1 + random.Below(200);
  }
  RequireTheOraclesVerdict(plan, 16 * count + 200, random.Below(64));
}

// Code and numbers, in the order in which the code's line gives them.
Status ReferenceStatus(const Certificate& certificate, const std::vector<PlacedBuffer>& plan) {
  const auto number = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::size_t i = certificate.first;
  switch (certificate.reason) {
    case CertificateReason::kCertified:
      return {};
    case CertificateReason::kWorkspaceTooSmall:
      return {StatusCode::kPlanWorkspaceTooSmall, {plan.size()}};
    case CertificateReason::kTooManyBuffers:
      return {StatusCode::kPlanTooManyBuffers, {plan.size()}};
    case CertificateReason::kZeroAlignment:
      return {StatusCode::kPlanZeroAlignment};
    case CertificateReason::kBadLifetime:
      return {StatusCode::kPlanBadLifetime, {i, number(plan[i].first), number(plan[i].last)}};
    case CertificateReason::kNoOffset:
      return {StatusCode::kPlanUnplaced, {i, plan[i].bytes}};
    case CertificateReason::kMisaligned:
      return {StatusCode::kPlanMisaligned, {i, plan[i].offset, plan[i].bytes}};
    case CertificateReason::kOutsideHead:
      return {StatusCode::kPlanOutsideHead, {i, plan[i].offset, plan[i].bytes}};
    case CertificateReason::kSharedBytes:
      return {StatusCode::kPlanSharedBytes, {i, plan[i].offset, certificate.second, plan[certificate.second].offset}};
    case CertificateReason::kAliasLink:
    case CertificateReason::kAliasKept:
    case CertificateReason::kAliasStillRead:
    case CertificateReason::kAliasApart:
      break;  // of lists of buffers that share, which these plans do not have
  }
  return {};
}

RC_GTEST_PROP(Certifier, SaysWhichBuffersItMeans, ()) {
  const auto plan = *ArbitraryPlan();
  const auto alignment = *rc::gen::weightedElement<std::size_t>({{6, 1}, {3, 2}, {1, 0}});
  const std::size_t needed_bytes = CertifierWorkspaceBytes(plan.size());
  const bool cramped = needed_bytes > 0 && OneIn(12);
  std::vector<std::byte> workspace(needed_bytes - (cramped ? 1 : 0));
  const Certificate certificate = Certify(plan, 190, alignment, workspace);
  const Status status = CertificateStatus(certificate, plan);
  RC_TAG(CertificateReasonName(certificate.reason));
  RC_LOG() << "code " << static_cast<int>(status.code) << ": " << status.detail[0] << " " << status.detail[1] << " "
           << status.detail[2] << " " << status.detail[3] << "\n";
  RC_ASSERT(status.ok() == certificate.ok());
  const std::string other = "VIOLATED: the status of a certificate holds other numbers than its buffers have";
  if (status != ReferenceStatus(certificate, plan)) RC_FAIL(other);
}

RC_GTEST_PROP(RankSet, FindsNeighboursLikeAnOrderedSet, ()) {
  SeededSource random = AnySource();
  static constexpr std::size_t kCounts[] = {1, 63, 64, 65, 130, 4096, 4097, 300000};
  const std::size_t count = kCounts[random.Below(8)];
  std::vector<std::size_t> words(RankSet::WordCount(count), static_cast<std::size_t>(random()));
  RankSet set(count, words.data());
  std::set<std::size_t> expected;
  // Mostly near each other, so that words fill and empty.
  const std::size_t base = random.Below(count);
  const auto rank_of = [&] {
    return !random.OneIn(3) ? std::min(count - 1, base + random.Below(130)) : random.Below(count);
  };
  for (int step = 0; step < 60; ++step) {
    const std::size_t rank = rank_of();
    if (random.OneIn(2)) {
      set.Insert(rank);
      expected.insert(rank);
    } else if (!expected.empty()) {
      auto member = expected.lower_bound(rank);
      if (member == expected.end()) member = expected.begin();
      set.Erase(*member);
      expected.erase(member);
    }
    const std::size_t asked = rank_of();
    const auto above = expected.upper_bound(asked);
    const auto from = expected.lower_bound(asked);
    RC_ASSERT(set.Contains(asked) == expected.contains(asked));
    RC_ASSERT(set.Successor(asked) == (above == expected.end() ? RankSet::kNone : *above));
    RC_ASSERT(set.Predecessor(asked) == (from == expected.begin() ? RankSet::kNone : *std::prev(from)));
  }
}

RC_GTEST_PROP(PrefixMaximum, KnowsTheLargestOfTheFirst, ()) {
  SeededSource random = AnySource();
  const std::size_t count = 1 + random.Below(90);
  std::vector<std::size_t> words(PrefixMaximum::WordCount(count), static_cast<std::size_t>(random()));
  PrefixMaximum maxima(count, words.data());
  std::vector<std::size_t> values(count, 0);
  const auto leaf = [&](std::size_t i) { return values[i]; };
  for (int step = 0; step < 40; ++step) {
    const std::size_t changed = random.Below(count);
    values[changed] = random.OneIn(2) ? 0 : random.Below(1000);
    maxima.Update(changed, leaf);
    const std::size_t end = random.Below(count + 1);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < end; ++i) expected = std::max(expected, values[i]);
    RC_ASSERT(maxima.Before(end, leaf) == expected);
  }
}

}  // namespace
}  // namespace arenaproof::testing
