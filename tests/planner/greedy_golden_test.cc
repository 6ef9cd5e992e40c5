// Every reference case of the greedy planner, degenerate ones included.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/planner/greedy_planner.h"
#include "engine/cases/buffer_request.h"
#include "engine/oracles/planner/planned_requests.h"
#include "engine/oracles/planner/quadratic_certifier.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

constexpr char kCases[] = "golden/greedy_cases.json";

std::vector<BufferRequest> Requests(const nlohmann::json& golden) {
  std::vector<BufferRequest> requests;
  for (const auto& buffer : golden.at("buffers")) {
    requests.push_back({buffer.at(0), buffer.at(1), buffer.at(2), buffer.at(3)});
  }
  return requests;
}

TEST(GreedyPlanner, EqualsEveryReferenceCase) {
  const auto path = SharedFile(kCases);
  if (!path) GTEST_SKIP() << SharedAbsent(kCases);
  std::ifstream stream(*path);
  const nlohmann::json file = nlohmann::json::parse(stream);
  std::size_t case_count = 0;
  for (const auto& golden : file.at("cases")) {
    SCOPED_TRACE("case " + std::to_string(golden.at("id").get<int>()) + ", " + golden.at("kind").get<std::string>());
    const std::vector<BufferRequest> requests = Requests(golden);
    GreedyPlanner planner;
    const auto plan = Plan(planner, requests);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->offsets, golden.at("greedy").at("offsets").get<std::vector<std::size_t>>());
    EXPECT_EQ(plan->maximum_bytes, golden.at("greedy").at("max_memory_bytes").get<std::size_t>());
    EXPECT_EQ(PeakLiveBytes(requests), golden.at("peak_live_bytes").get<std::size_t>());
    ++case_count;
  }
  EXPECT_GE(case_count, 150u);
}

TEST(Certifier, SaysOfEveryReferenceCaseWhetherBuffersOverlap) {
  const auto path = SharedFile(kCases);
  if (!path) GTEST_SKIP() << SharedAbsent(kCases);
  std::ifstream stream(*path);
  const nlohmann::json file = nlohmann::json::parse(stream);
  for (const auto& golden : file.at("cases")) {
    SCOPED_TRACE("case " + std::to_string(golden.at("id").get<int>()) + ", " + golden.at("kind").get<std::string>());
    const std::vector<std::size_t> offsets = golden.at("greedy").at("offsets");
    const std::vector<PlacedBuffer> placed = Placed(Requests(golden), offsets);
    const Certificate certificate = CertifyAnywhere(placed, golden.at("greedy").at("max_memory_bytes"), 1);
    const CertificateReason expected = golden.at("kind") == "inverted_lifetime" ? CertificateReason::kBadLifetime
                                       : golden.at("greedy").at("buffers_overlap").get<bool>()
                                           ? CertificateReason::kSharedBytes
                                           : CertificateReason::kCertified;
    EXPECT_EQ(certificate.reason, expected) << CertificateReasonName(certificate.reason);
  }
}

}  // namespace
}  // namespace arenaproof::testing
