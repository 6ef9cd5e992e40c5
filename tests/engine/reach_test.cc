// What generators reach from a fixed seed and a small budget: every power of two up to 2^17, of every dimension that
// they draw far.
#include "engine/generators/reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/generators/bytes/arena_call_reader.h"
#include "engine/generators/bytes/buffer_request_reader.h"
#include "engine/generators/models/model_maker.h"
#include "engine/generators/number_list_source.h"
#include "engine/generators/operators/far_cases.h"
#include "engine/generators/reach_tally.h"
#include "engine/generators/seeded_source.h"

namespace arenaproof {
namespace {

void ExpectAllReached(const ReachTally& tally, std::size_t dimension_count) {
  EXPECT_EQ(tally.dimension_count(), dimension_count);
  EXPECT_TRUE(tally.Missing().empty()) << tally.Lines();
}

std::vector<std::uint8_t> RandomBytes(SeededSource& random, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.Below(256));
  return bytes;
}

TEST(Reach, IsEveryPowerOfTwoAndItsNeighboursOnce) {
  std::set<std::size_t> expected;
  for (std::size_t power = 1; power <= std::size_t{1} << 17; power *= 2) {
    expected.insert({power - 1, power, power + 1});
  }
  expected.erase(0);
  EXPECT_TRUE(std::equal(kReachNumbers.begin(), kReachNumbers.end(), expected.begin(), expected.end()));
  EXPECT_EQ(kFarthest, 131073u);
}

TEST(Reach, KeepsToTheMostThatIsAskedFor) {
  EXPECT_EQ(ReachNumbersUpTo(1).size(), 1u);
  EXPECT_EQ(ReachNumbersUpTo(6).back(), 5u);
  EXPECT_EQ(ReachNumbersUpTo(SIZE_MAX).back(), kFarthest);
}

TEST(Reach, ShrinksToOneWithItsSource) {
  NumberListSource ended({});
  EXPECT_EQ(DrawReach(ended), 1u);
  ByteReader empty(nullptr, 0);
  EXPECT_EQ(DrawReach(empty), 1u);
}

TEST(ReachTally, CountsPowersAndNamesThoseThatAreMissing) {
  ReachTally tally;
  for (std::size_t power = 0; power < kReachPowerCount; ++power) {
    if (power != 9) tally.Count("rows", (std::size_t{2} << power) - 1);
  }
  tally.Count("rows", 0);
  tally.Count("rows", SIZE_MAX);
  EXPECT_EQ(tally.Missing(), std::vector<std::string>{"rows: 2^9"});
  tally.Count("columns", 5);
  EXPECT_EQ(tally.Lines(),
            "reach: columns: 1 numbers, 1 of 18 powers of two: 2^2\n"
            "reach: rows: 18 numbers, 17 of 18 powers of two, none of 2^9\n");
}

TEST(FarCases, ReachEveryPowerOfTwoInEveryDimensionOfEveryOperator) {
  ReachTally tally;
  CaseRandom random(20260821);
  for (std::size_t i = 0; i < 600 * FarDimensionCount(); ++i) {
    const std::size_t which = i % FarDimensionCount(), extent = DrawReach(random);
    tally.Count(FarDimensionName(which), extent);
    if (i / FarDimensionCount() >= 2) continue;  // the operator itself: some of each
    const OperatorCase made = MakeFarCase(random, which, static_cast<std::int32_t>(extent));
    std::size_t farthest = made.output.count();
    for (const CaseTensor& input : made.inputs) {
      farthest = std::max(farthest, input.count());
      EXPECT_EQ(input.bytes.size(), input.count() * ElementBytes(input.type)) << made.Describe();
    }
    // One extent is far, and nothing is much larger than it. Windows of pools are no operands.
    if (!std::holds_alternative<Pool2DOptions>(made.options)) EXPECT_GE(farthest, extent) << made.Describe();
    EXPECT_LE(farthest, 2 * extent + 8) << made.Describe();
  }
  ExpectAllReached(tally, FarDimensionCount());
}

TEST(SoundModels, HaveExtentsOfEveryPowerOfTwo) {
  ReachTally tally;
  SeededSource random(20260821);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint16_t> numbers(240);
    for (std::uint16_t& number : numbers) number = static_cast<std::uint16_t>(random.Below(60000));
    testing::Choices choices(numbers);
    const ModelBuilder model = testing::MakeSoundModel(choices);
    for (const SubgraphSpec& graph : model.subgraphs) {
      for (const TensorSpec& tensor : graph.tensors) {
        if (!tensor.shape) continue;
        for (const std::int32_t extent : *tensor.shape) tally.Count("extents", static_cast<std::size_t>(extent));
      }
    }
  }
  ExpectAllReached(tally, 1);
}

TEST(ByteReaders, MakeArenasAndBlocksOfEveryPowerOfTwoAtEveryAddress) {
  ReachTally tally;
  SeededSource random(20260821);
  struct {
    std::array<std::uintptr_t, 1> outstanding{};
    std::size_t outstanding_count = 0;
  } history;
  for (int i = 0; i < 40000; ++i) {
    const std::vector<std::uint8_t> bytes = RandomBytes(random, 64);
    ByteReader reader(bytes.data(), bytes.size());
    const ArenaWorld world = DrawWorld(reader);
    tally.Count(world.misalignment % 16 == 0 ? "aligned arenas" : "arenas off a multiple of 16", world.bytes);
    const auto arena = BareArena<std::uintptr_t>(world);
    while (!reader.empty()) {
      const ArenaCall<std::uintptr_t> call = DrawCall(reader, arena, history, true);
      if (Describe(call.operation).takes_size) tally.Count("blocks", call.arguments.size);
    }
  }
  ExpectAllReached(tally, 3);
}

TEST(ByteReaders, MakeBuffersOfEveryPowerOfTwo) {
  ReachTally tally;
  SeededSource random(20260821);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<std::uint8_t> bytes = RandomBytes(random, 320);
    ByteReader reader(bytes.data(), bytes.size());
    for (const testing::BufferRequest& request : DrawRequests(reader)) tally.Count("sizes", request.bytes);
  }
  ExpectAllReached(tally, 1);
}

}  // namespace
}  // namespace arenaproof
