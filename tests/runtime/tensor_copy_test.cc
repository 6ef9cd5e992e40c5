// Copies of several tensors in every arrangement of a few places: right, or refused without a byte written wrongly.
#include "core/runtime/interpreter/tensor_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace arenaproof::testing {
namespace {

constexpr std::size_t kCopiedBytes = 3;
constexpr std::size_t kPlaces = 7;  // starts at every byte: neighbours overlap in part

// Whether no order of the moves keeps every source until it is read.
bool NoOrderIsRight(std::span<const TensorMove> moves) {
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto on = [](const std::byte* a, const std::byte* b) { return a < b + kCopiedBytes && b < a + kCopiedBytes; };
  do {
    bool right = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (moves[order[i]].to == moves[order[i]].from) continue;
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (moves[order[j]].to == moves[order[j]].from) continue;
        right = right && !on(moves[order[i]].to, moves[order[j]].from);
      }
    }
    if (right) return false;
  } while (std::next_permutation(order.begin(), order.end()));
  return true;
}

TEST(CopyTogether, IsRightInEveryArrangementOfThreeThatHasAnOrder) {
  std::size_t copied = 0, refused = 0;
  const std::size_t arrangements = kPlaces * kPlaces * kPlaces;
  for (std::size_t sources = 0; sources < arrangements; ++sources) {
    for (std::size_t destinations = 0; destinations < arrangements; ++destinations) {
      std::vector<std::byte> memory(kPlaces + kCopiedBytes);
      for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i + 1);
      const std::vector<std::byte> before = memory;
      std::vector<TensorMove> moves;
      bool apart = true;  // the destinations
      for (std::size_t i = 0, s = sources, d = destinations; i < 3; ++i, s /= kPlaces, d /= kPlaces) {
        moves.push_back({memory.data() + d % kPlaces, memory.data() + s % kPlaces, kCopiedBytes});
        for (std::size_t j = 0; j < i; ++j) {
          const auto gap = moves[i].to > moves[j].to ? moves[i].to - moves[j].to : moves[j].to - moves[i].to;
          apart = apart && gap >= static_cast<std::ptrdiff_t>(kCopiedBytes);
        }
      }
      if (!apart) continue;
      const Status status = CopyTogether(moves);
      if (!status.ok()) {
        ++refused;
        EXPECT_EQ(status.code, StatusCode::kSubgraphCopyOverlap);
        ASSERT_TRUE(NoOrderIsRight(moves)) << sources << " to " << destinations;
        continue;
      }
      ++copied;
      for (const TensorMove& move : moves) {
        for (std::size_t i = 0; i < kCopiedBytes; ++i) {
          ASSERT_EQ(move.to[i], before[static_cast<std::size_t>(move.from - memory.data()) + i])
              << sources << " to " << destinations;
        }
      }
    }
  }
  EXPECT_GT(copied, 500u);
  EXPECT_GT(refused, 10u);
}

// Three in a circle, and one that lies apart: it is named who waits, and for whom.
TEST(CopyTogether, NamesWhoWaitsForWhom) {
  std::byte bytes[16] = {};
  bytes[12] = std::byte{5};
  const TensorMove moves[] = {
      {bytes + 4, bytes, 4}, {bytes + 14, bytes + 12, 2}, {bytes + 8, bytes + 4, 4}, {bytes, bytes + 8, 4}};
  EXPECT_EQ(CopyTogether(moves), Failure(StatusCode::kSubgraphCopyOverlap, 3, 0));
  EXPECT_EQ(bytes[14], std::byte{5}) << "what waits for nobody is copied";
}

TEST(CopyTogether, LeavesTensorsOfOneAddressAndOfNoBytesAlone) {
  std::byte bytes[4] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const TensorMove moves[] = {{bytes, bytes, 4}, {nullptr, nullptr, 0}, {bytes + 1, nullptr, 0}};
  EXPECT_TRUE(CopyTogether(moves).ok());
  EXPECT_EQ(bytes[3], std::byte{4});
}

}  // namespace
}  // namespace arenaproof::testing
