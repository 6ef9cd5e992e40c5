// The certifier against the quadratic oracle, and against plans that were right before somebody touched them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/planner/certifier.h"
#include "core/planner/greedy_planner.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "props/planner/planner_generators.h"

namespace arenaproof::testing {
namespace {

std::vector<PlacedBuffer> GreedyPlan(const std::vector<BufferRequest>& requests, std::size_t* head_bytes) {
  GreedyPlanner planner;
  const auto plan = Plan(planner, requests);
  RC_ASSERT(plan.has_value());
  *head_bytes = plan->maximum_bytes;
  return Placed(requests, plan->offsets, true);
}

RC_GTEST_PROP(Certifier, EqualsTheQuadraticOracleOnArbitraryPlans, ()) {
  auto buffers = *ArbitraryPlan();
  auto head_bytes = *rc::gen::weightedElement<std::size_t>({{5, 400}, {1, 180}});
  if (*rc::gen::weightedElement<bool>({{5, false}, {1, true}})) {  // at the end of the address space, some beyond it
    for (PlacedBuffer& buffer : buffers) {
      if (buffer.offset != kUnplaced) buffer.offset = SIZE_MAX - 1 - buffer.offset;
    }
    head_bytes = SIZE_MAX;
  }
  const auto alignment = *rc::gen::weightedElement<std::size_t>({{5, 1}, {1, 2}});
  const Certificate found = CertifyAnywhere(buffers, head_bytes, alignment);
  const Certificate expected = QuadraticCertificate(buffers, head_bytes, alignment);
  RC_LOG() << "found " << CertificateReasonName(found.reason) << " " << found.first << " " << found.second
           << ", expected " << CertificateReasonName(expected.reason) << " " << expected.first << " " << expected.second
           << "\n";
  RC_TAG(CertificateReasonName(expected.reason));
  RC_ASSERT(SameVerdict(found, expected, buffers));
}

RC_GTEST_PROP(Certifier, AcceptsEveryGreedyPlan, ()) {
  const auto requests = *OnlineRequests();
  std::size_t head_bytes = 0;
  const auto buffers = GreedyPlan(requests, &head_bytes);
  RC_ASSERT(CertifyAnywhere(buffers, head_bytes, 1).ok());
}

RC_GTEST_PROP(Certifier, AcceptsGreedyPlansAroundTrustedBuffers, ()) {
  const auto requests = *MixedRequests(16);
  std::size_t head_bytes = 0;
  const auto buffers = GreedyPlan(requests, &head_bytes);
  RC_ASSERT(CertifyAnywhere(buffers, head_bytes, 16).ok());
}

RC_GTEST_PROP(Certifier, RefusesAPlanInWhichOneBufferWasPutOnAnother, ()) {
  auto requests = *OnlineRequests();
  // Two buffers that certainly meet; what shrinking leaves over is this pair.
  requests.push_back({8, 3, 5});
  requests.push_back({4, 5, 7});
  std::size_t head_bytes = 0;
  auto buffers = GreedyPlan(requests, &head_bytes);
  const std::size_t victim = requests.size() - 2;
  const auto step = *rc::gen::inRange<std::size_t>(0, 8);
  buffers[requests.size() - 1].offset = buffers[victim].offset + step;
  head_bytes += 8;  // so that leaving the head is not the reason
  const Certificate certificate = CertifyAnywhere(buffers, head_bytes, 1);
  RC_ASSERT(certificate.reason == CertificateReason::kSharedBytes);
  RC_ASSERT(WronglyShareBytes(buffers[certificate.first], buffers[certificate.second]));
}

RC_GTEST_PROP(Certifier, AnswersEveryDisturbedGreedyPlanLikeTheOracle, ()) {
  const auto requests = *MixedRequests();
  RC_PRE(!requests.empty());
  std::size_t head_bytes = 0;
  auto buffers = GreedyPlan(requests, &head_bytes);
  PlacedBuffer& touched = buffers[*rc::gen::inRange<std::size_t>(0, buffers.size())];
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      touched.offset = *rc::gen::inRange<std::size_t>(0, head_bytes + 2);
      break;
    case 1:
      touched.bytes += *rc::gen::inRange<std::size_t>(1, 5);
      break;
    case 2:
      touched.first -= 1;
      break;
    case 3:
      touched.last += *rc::gen::inRange(-4, 5);
      break;
    default:
      touched.trusted = !touched.trusted;
      break;
  }
  const Certificate found = CertifyAnywhere(buffers, head_bytes, 1);
  const Certificate expected = QuadraticCertificate(buffers, head_bytes, 1);
  RC_TAG(CertificateReasonName(expected.reason));
  RC_ASSERT(SameVerdict(found, expected, buffers));
}

}  // namespace
}  // namespace arenaproof::testing
