// Cases of the table reach every power of two up to 2^17 in every extent that their operators draw, from a fixed seed.
#include <gtest/gtest.h>

#include <set>

#include "engine/generators/operators/table/table_case.h"
#include "engine/generators/reach.h"
#include "engine/generators/reach_tally.h"

namespace arenaproof {
namespace {

// Extents that are never so far, by their number in the order of drawing.
struct NearerExtent {
  BuiltinOperator code;
  std::size_t extent;
  std::size_t farthest_power;
};
// Each batch and each step of an LSTM takes all gates; its weights are the square of its units.
constexpr BuiltinOperator kLstm = BuiltinOperator::kUnidirectionalSequenceLstm;
constexpr NearerExtent kNearerExtents[] = {{kLstm, 0, 14}, {kLstm, 1, 14}, {kLstm, 3, 8}};

std::size_t PowersOf(BuiltinOperator code, std::size_t extent) {
  for (const NearerExtent& each : kNearerExtents) {
    if (each.code == code && each.extent == extent) return each.farthest_power + 1;
  }
  return kReachPowerCount;
}

// How many powers of two are missing among the first so many; nothing when the operator draws no such extent.
std::optional<std::string> MissingOf(const OperatorRow& row, std::size_t far) {
  constexpr int kMostDraws = 6000, kEnoughToComeOnce = 300;
  const std::size_t powers = PowersOf(row.code, far);
  ReachTally tally;
  CaseRandom random(20261122);
  for (int i = 0; i < kMostDraws && (i < kEnoughToComeOnce || tally.dimension_count() > 0); ++i) {
    const std::int32_t extent = DrawTableShapes(random, row, far).far_extent;
    if (extent == 0) continue;
    tally.Count("extent", static_cast<std::size_t>(extent));
    if (i % 16 == 0 && tally.Missing().size() == kReachPowerCount - powers) return "";
  }
  if (tally.dimension_count() == 0) return std::nullopt;
  return tally.Lines();
}

// Rows for which this is the same draw the same extents: one of them is enough.
std::vector<std::size_t> WhatExtentsDependOn(const OperatorRow& row) {
  return {static_cast<std::size_t>(row.shape),
          row.most_repeated,
          row.inputs.size(),
          row.longest_rows.size(),
          row.inputs[0].least_rank,
          row.inputs[0].most_rank,
          row.outputs[0].least_rank,
          row.outputs[0].most_rank};
}

TEST(TableCases, ReachEveryPowerOfTwoInEveryExtentThatTheyDraw) {
  std::set<std::vector<std::size_t>> done;
  for (const OperatorRow* row : RowsWithCases()) {
    if (!done.insert(WhatExtentsDependOn(*row)).second) continue;
    std::size_t extents = 0;
    while (extents < kMostFarExtents) {
      const std::optional<std::string> missing = MissingOf(*row, extents);
      if (!missing) break;
      EXPECT_EQ(*missing, "") << BuiltinOperatorName(row->code) << " extent " << extents;
      ++extents;
    }
    // Its inputs are extents themselves, of a shape that nobody makes.
    if (row->shape != ShapeRule::kBroadcastArgs) EXPECT_GE(extents, 4u) << BuiltinOperatorName(row->code);
  }
}

}  // namespace
}  // namespace arenaproof
