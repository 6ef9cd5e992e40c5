#include "core/planner/certifier.h"

#include <gtest/gtest.h>

#include "core/planner/greedy_planner.h"
#include "engine/oracles/planner/quadratic_certifier.h"

namespace arenaproof::testing {
namespace {

using enum CertificateReason;

void ExpectRefused(const std::vector<PlacedBuffer>& buffers, std::size_t head_bytes, CertificateReason reason,
                   std::size_t first, std::size_t second = 0) {
  const Certificate certificate = CertifyAnywhere(buffers, head_bytes, 16);
  EXPECT_EQ(certificate.reason, reason) << CertificateReasonName(certificate.reason);
  EXPECT_EQ(certificate.first, first);
  EXPECT_EQ(certificate.second, second);
  EXPECT_TRUE(SameVerdict(certificate, QuadraticCertificate(buffers, head_bytes, 16), buffers));
}

void ExpectCertified(const std::vector<PlacedBuffer>& buffers, std::size_t head_bytes) {
  const Certificate certificate = CertifyAnywhere(buffers, head_bytes, 16);
  EXPECT_EQ(certificate.reason, kCertified)
      << CertificateReasonName(certificate.reason) << " " << certificate.first << " " << certificate.second;
}

TEST(Certifier, AcceptsTheEmptyPlanWithoutAWorkspace) { EXPECT_TRUE(Certify({}, 0, 16, {}).ok()); }

TEST(Certifier, AcceptsNeighboursInMemory) { ExpectCertified({{0, 16, 0, 5}, {16, 32, 0, 5}, {48, 16, 2, 3}}, 64); }

TEST(Certifier, AcceptsOneAfterTheOtherInTime) { ExpectCertified({{0, 64, 0, 1}, {16, 16, 2, 2}, {0, 64, 3, 9}}, 64); }

TEST(Certifier, RefusesSharedBytesInASharedScope) {
  ExpectRefused({{0, 32, 0, 1}, {16, 32, 1, 2}}, 64, kSharedBytes, 0, 1);
  ExpectRefused({{16, 32, 1, 2}, {0, 32, 0, 1}}, 64, kSharedBytes, 0, 1);
}

TEST(Certifier, RefusesABufferInsideAnother) {
  ExpectRefused({{0, 160, 0, 9}, {64, 16, 4, 4}}, 160, kSharedBytes, 0, 1);
  ExpectRefused({{64, 16, 0, 9}, {0, 160, 4, 4}}, 160, kSharedBytes, 0, 1);
  ExpectRefused({{0, 16, 4, 4}, {0, 16, 4, 4}}, 16, kSharedBytes, 0, 1);
}

TEST(Certifier, SeesAnOverlapByOneByte) {
  const std::vector<PlacedBuffer> buffers{{0, 17, 0, 0}, {16, 16, 0, 0}};
  ExpectRefused(buffers, 64, kSharedBytes, 0, 1);
}

TEST(Certifier, NamesThePairAmongMany) {
  std::vector<PlacedBuffer> buffers;
  for (std::size_t i = 0; i < 500; ++i) {
    buffers.push_back({i * 16, 16, static_cast<std::int32_t>(i % 7), static_cast<std::int32_t>(i % 7 + 20)});
  }
  ExpectCertified(buffers, 8000);
  buffers[321].bytes = 32;
  ExpectRefused(buffers, 8000, kSharedBytes, 321, 322);
}

TEST(Certifier, RefusesWhatEndsOutsideTheHead) {
  ExpectRefused({{0, 16, 0, 0}, {16, 32, 0, 0}}, 47, kOutsideHead, 1);
  ExpectRefused({{SIZE_MAX - 15, 32, 0, 0}}, SIZE_MAX, kOutsideHead, 0);
  ExpectRefused({{16, SIZE_MAX, 0, 0}}, SIZE_MAX, kOutsideHead, 0);
  ExpectRefused({{32, 0, 0, 0}}, 16, kOutsideHead, 0);
}

TEST(Certifier, RefusesAMisalignedOffset) { ExpectRefused({{0, 16, 0, 0}, {24, 8, 0, 0}}, 64, kMisaligned, 1); }

TEST(Certifier, RefusesABufferWithoutOffset) { ExpectRefused({{kUnplaced, 16, 0, 0}}, SIZE_MAX, kNoOffset, 0); }

TEST(Certifier, RefusesALifetimeThatEndsBeforeItBegins) { ExpectRefused({{0, 16, 3, 1}}, 64, kBadLifetime, 0); }

TEST(Certifier, NamesTheLowestIndexAtFault) {
  ExpectRefused({{0, 16, 0, 0}, {8, 16, 0, 0}, {0, 16, 3, 1}}, 64, kMisaligned, 1);
}

TEST(Certifier, LetsZeroBytesLieAnywhereInTheHead) {
  ExpectCertified({{0, 64, 0, 9}, {32, 0, 0, 9}, {64, 0, 0, 9}, {0, 0, 0, 9}}, 64);
}

TEST(Certifier, LetsBuffersThatNoOperatorTouchesShareBytes) {
  ExpectCertified({{0, 64, -1, -1}, {0, 64, -1, -1}, {32, 16, -1, 3}}, 64);
  ExpectRefused({{0, 64, -1, 0}, {32, 16, -1, 3}}, 64, kSharedBytes, 0, 1);
}

TEST(Certifier, LetsTrustedBuffersShareBytesWithTheirLikeOnly) {
  const PlacedBuffer area{0, 160, 0, 9, true};
  ExpectCertified({area, {0, 16, 1, 2, true}, {16, 16, 1, 2, true}, {160, 16, 0, 9}}, 176);
  ExpectRefused({area, {0, 16, 1, 2, true}, {144, 16, 3, 3}}, 176, kSharedBytes, 0, 2);
  ExpectRefused({{144, 16, 0, 9}, {0, 16, 1, 2, true}, {16, 144, 3, 3, true}}, 176, kSharedBytes, 0, 2);
}

TEST(Certifier, SeesPastATrustedNeighbourThatIsShort) {
  // The nearest trusted buffer below ends early; one further below reaches into the newcomer.
  ExpectRefused({{0, 160, 0, 9, true}, {32, 16, 0, 9, true}, {64, 16, 5, 5}}, 160, kSharedBytes, 0, 2);
  // And once that one has died, the place is free.
  ExpectCertified({{0, 160, 0, 4, true}, {32, 16, 0, 9, true}, {64, 16, 5, 5}}, 160);
}

TEST(Certifier, SaysWhatItCannotWorkWith) {
  const std::vector<PlacedBuffer> buffers{{0, 16, 0, 0}, {16, 16, 0, 0}};
  std::vector<std::byte> workspace(CertifierWorkspaceBytes(2));
  EXPECT_EQ(Certify(buffers, 32, 0, workspace).reason, kZeroAlignment);
  EXPECT_EQ(Certify(buffers, 32, 16, std::span(workspace).first(workspace.size() - 1)).reason, kWorkspaceTooSmall);
  EXPECT_EQ(Certify(buffers, 32, 16, workspace).reason, kCertified);
  EXPECT_EQ(CertifierWorkspaceBytes(SIZE_MAX), SIZE_MAX);
}

TEST(Certifier, TakesAnyAlignmentAndAnyWorkspaceAddress) {
  const std::vector<PlacedBuffer> buffers{{0, 24, 0, 0}, {24, 24, 0, 0}};
  EXPECT_TRUE(CertifyAnywhere(buffers, 48, 24).ok());
  EXPECT_TRUE(CertifyAnywhere(buffers, 48, 1).ok());
  EXPECT_EQ(CertifyAnywhere(buffers, 48, 48).reason, kMisaligned);
  for (std::size_t shift_bytes = 0; shift_bytes < 8; ++shift_bytes) {
    std::vector<std::byte> memory(shift_bytes + CertifierWorkspaceBytes(2));
    EXPECT_TRUE(Certify(buffers, 48, 24, std::span(memory).subspan(shift_bytes)).ok());
  }
}

TEST(Certifier, NeedsNoMoreMemoryThanTheGreedyPlanner) {
  const GreedyPlanner planner;
  for (std::size_t count = 0; count < 10000; ++count) {
    ASSERT_LE(CertifierWorkspaceBytes(count), planner.WorkspaceBytes(count)) << count << " buffers";
  }
}

TEST(Certifier, BecomesAStatusWithTheNumbersOfItsBuffers) {
  const std::vector<PlacedBuffer> buffers{{0, 32, 0, 1}, {16, 32, 1, 2}};
  EXPECT_EQ(CertificateStatus(CertifyAnywhere(buffers, 64, 16), buffers),
            Failure(StatusCode::kPlanSharedBytes, 0, 0, 1, 16));
  EXPECT_EQ(CertificateStatus(CertifyAnywhere(buffers, 40, 16), buffers),
            Failure(StatusCode::kPlanOutsideHead, 1, 16, 32));
  EXPECT_TRUE(CertificateStatus({}, buffers).ok());
}

}  // namespace
}  // namespace arenaproof::testing
