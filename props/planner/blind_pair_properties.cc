// Which operands no instrument can tell apart, beside a statement that looks at every byte: of two names of one operand
// none, of any other two those that share a byte or have fewer than 64 between them.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/generators/reach_report.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "sanitizers/layout/blind_pairs.h"

namespace arenaproof::testing {
namespace {

struct Drawn {
  std::size_t offset;
  int group;  // operands of one number are names of one operand
  OperandRange range;
};

std::array<std::byte, 512> arena;

std::vector<Drawn> DrawOperands() {
  std::vector<Drawn> operands;
  const std::size_t count = 1 + Below<std::size_t>(5);
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::array kKinds = {OperandKind::kInput, OperandKind::kInput, OperandKind::kConstant,
                                   OperandKind::kVariable, OperandKind::kScratch};
    const std::size_t offset = 16 * Below<std::size_t>(16) + Below<std::size_t>(3);
    const std::size_t bytes = OneIn(8) ? 0 : 1 + Below<std::size_t>(80);
    const OperandKind kind = kKinds[Below(kKinds.size())];
    const AccessRight right = kind == OperandKind::kScratch ? AccessRight::kReadWrite : AccessRight::kRead;
    operands.push_back(
        {offset, static_cast<int>(i), {&arena[offset], bytes, right, kind, static_cast<std::int32_t>(i)}});
  }
  // An output, in the very bytes of an input or apart; an input that is named twice.
  constexpr std::int32_t kOutputIndex = 50;
  Drawn output = operands[Below(count)];
  if (output.range.kind == OperandKind::kInput && OneIn(2)) {
    Drawn& source = operands[static_cast<std::size_t>(output.group)];
    source.range.right = InPlace(source.range.right);
    output.range.right = AccessRight::kReadWriteInPlace;
  } else {
    output.offset = 8 * Below<std::size_t>(32);
    output.group = kOutputIndex;
    output.range = {&arena[output.offset], 48, AccessRight::kReadWrite, OperandKind::kOutput, -1};
  }
  output.range.kind = OperandKind::kOutput;
  output.range.index = kOutputIndex;
  operands.push_back(output);
  if (OneIn(3)) {
    Drawn again = operands[Below(count)];
    if (again.range.kind != OperandKind::kScratch) operands.push_back(again);
  }
  for (std::size_t i = operands.size(); i > 1; --i) std::swap(operands[i - 1], operands[Below(i)]);
  return operands;
}

// How many bytes lie between the nearest bytes of both; -1: a byte is of both.
std::ptrdiff_t Between(const Drawn& a, const Drawn& b) {
  std::ptrdiff_t nearest = 4096;
  for (std::size_t x = a.offset; x < a.offset + a.range.bytes; ++x) {
    for (std::size_t y = b.offset; y < b.offset + b.range.bytes; ++y) {
      nearest =
          std::min(nearest, (x < y ? static_cast<std::ptrdiff_t>(y - x) : static_cast<std::ptrdiff_t>(x - y)) - 1);
    }
  }
  return nearest;
}

RC_GTEST_PROP(BlindPairs, AreTwoOperandsThatTouchOrNearlyDo, ()) {
  const std::vector<Drawn> drawn = DrawOperands();
  std::vector<OperandRange> ranges;
  for (const Drawn& operand : drawn) ranges.push_back(operand.range);
  const std::vector<BlindPair> found = FindBlindPairs(ranges);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    for (std::size_t j = i + 1; j < drawn.size(); ++j) {
      if (drawn[i].group == drawn[j].group || drawn[i].range.bytes == 0 || drawn[j].range.bytes == 0) continue;
      const std::ptrdiff_t between = Between(drawn[i], drawn[j]);
      if (between >= 64) continue;
      RC_LOG() << "operands " << i << " and " << j << ", " << between << " bytes between\n";
      Require(expected < found.size() && found[expected].first == i && found[expected].second == j,
              "each blind pair is listed");
      Require(found[expected].overlap == (between < 0), "a pair says whether it shares bytes");
      Require(between < 0 || found[expected].gap_bytes == static_cast<std::size_t>(between),
              "a pair says how far apart it is");
      ++expected;
    }
  }
  CountReach("blind pairs", expected);
  Require(found.size() == expected && CountBlindPairs(ranges) == expected, "nothing else is a blind pair");
}

}  // namespace
}  // namespace arenaproof::testing
