// Lists of what nobody saw: how long they are, that each thing is in them once, and what their rest is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/check_report_text.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

CheckPart CleanPartOf(const char* instrument, const std::string& layout = "faithful") {
  return MadeUpPart(instrument, layout, ExitStatus::kClean);
}

std::string TextOfBlindness(const std::vector<CheckPart>& parts) {
  CheckResult result;
  result.parts = parts;
  return BlindText(result);
}

std::size_t Times(const std::string& piece, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

TEST(BlindLists, AreNoneWhereAllWasSeen) { EXPECT_EQ(TextOfBlindness({CleanPartOf("shadow")}), ""); }

TEST(BlindLists, ShowEightOperandsAndCountTheRest) {
  for (const std::size_t count : {1U, 8U, 9U, 11U}) {
    CheckPart part = CleanPartOf("asan");
    part.report.not_exact.resize(count);
    const std::string text = TextOfBlindness({part});
    EXPECT_EQ(Times(", blind for ", text), std::min<std::size_t>(count, 8)) << text;
    const std::string rest = "  ... and " + std::to_string(count - 8) + " more\n";
    EXPECT_EQ(Times("... and ", text), count > 8 ? 1u : 0u) << text;
    if (count > 8) EXPECT_EQ(Times(rest, text), 1u) << text;
    EXPECT_TRUE(text.starts_with("asan cannot decide to the byte around " +
                                 Counted(static_cast<long long>(count), "operand") + ", which start or end inside"))
        << text;
  }
}

TEST(BlindLists, HaveAnInstrumentsOperandsAndLimitsOnce) {
  CheckPart guard = CleanPartOf("guard"), asan = CleanPartOf("asan");
  guard.report.not_exact.resize(1);
  asan.report.not_exact.resize(1);
  guard.report.self_test.emplace().limits = {"reads", "writes"};
  asan.report.self_test.emplace().limits = {"reads"};
  CheckPart guard_dilated = guard;
  guard_dilated.layout = "dilated";
  const std::string text = TextOfBlindness({guard, asan, guard_dilated});
  EXPECT_EQ(Times("guard cannot decide to the byte around 1 operand, which do not fill the alignment", text), 1u)
      << text;
  EXPECT_EQ(Times("asan cannot decide to the byte", text), 1u) << text;
  EXPECT_EQ(Times("guard cannot see: reads\n", text), 1u) << text;
  EXPECT_EQ(Times("guard cannot see: writes\n", text), 1u) << text;
  EXPECT_EQ(Times("asan cannot see: reads\n", text), 1u) << text;
}

TEST(BlindLists, SayWhatTheLimitOfEachCappedInstrumentIs) {
  std::vector<CheckPart> parts = {CleanPartOf("asan"), CleanPartOf("guard"), CleanPartOf("shadow"),
                                  CleanPartOf("canary"), CleanPartOf("asan", "dilated")};
  for (CheckPart& part : parts) part.report.capped = part.instrument->name != "canary";
  const std::string text = TextOfBlindness(parts);
  EXPECT_EQ(Times("asan is capped: it checks until 2000 accesses", text), 1u) << text;
  EXPECT_EQ(Times("guard is capped: it sees, while an operator runs, the first access", text), 1u) << text;
  EXPECT_EQ(Times("shadow is capped: it lists the first 512 groups", text), 1u) << text;
  EXPECT_EQ(Times("canary is capped", text), 0u) << text;
}

TEST(BlindLists, ShowEightOperatorsOfEachPartThatDidNotSeeThem) {
  const auto unseen = [](const char* instrument, int count) {
    CheckPart part = CleanPartOf(instrument);
    part.report.operators.push_back({.index = 99, .name = "SEEN", .kernel = "mine", .seen = true});
    for (int i = 0; i < count; ++i)
      part.report.operators.push_back({.index = i, .name = "ADD", .kernel = "mine", .invokes = i});
    return part;
  };
  EXPECT_EQ(Times("\n", TextOfBlindness({unseen("shadow", 8)})), 9u) << "and a line between";
  const std::string text = TextOfBlindness({unseen("shadow", 9), unseen("asan", 10), unseen("none", 3)});
  EXPECT_EQ(Times("faithful, shadow did not see ADD", text), 8u) << text;
  EXPECT_EQ(Times("faithful, asan did not see ADD", text), 8u) << text;
  EXPECT_EQ(Times("  ... and 1 more\n", text), 1u) << text;
  EXPECT_EQ(Times("  ... and 2 more\n", text), 1u) << text;
  EXPECT_EQ(Times("none", text), 0u) << text;
  EXPECT_EQ(Times("SEEN", text), 0u) << text;
  EXPECT_EQ(Times("ADD (operator 0), kernel mine, which was not invoked\n", text), 2u) << text;
  EXPECT_EQ(Times("ADD (operator 1), kernel mine\n", text), 2u) << text;
}

TEST(BlindLists, HaveThePairsOfALayoutOnce) {
  CheckPart none = CleanPartOf("canary"), first = CleanPartOf("shadow"), second = CleanPartOf("asan");
  none.report.blind_pair_count = 0;
  first.report.blind_pair_count = second.report.blind_pair_count = 1;
  first.report.blind_pairs = second.report.blind_pairs = {{1, 3, "ADD", "input", "output", 1, 2, -4}};
  CheckPart dilated = CleanPartOf("shadow", "dilated");
  dilated.report.prepare_blind_pair_count = 1;
  dilated.report.prepare_blind_pairs = {{0, 5, "MUL", "quantization", "quantization", 1, 2, 1}};
  const std::string text = TextOfBlindness({none, first, second, dilated});
  EXPECT_EQ(Times("blind pairs in the faithful layout", text), 1u) << text;
  EXPECT_EQ(Times("ADD (operator 3 of subgraph 1): input 1 and output 2 share 4 bytes\n", text), 1u) << text;
  EXPECT_EQ(Times("blind pairs in the dilated layout", text), 0u) << text;
  EXPECT_EQ(Times("blind pairs in prepare, dilated layout", text), 1u) << text;
  EXPECT_EQ(Times("quantization 1 and quantization 2, 1 byte apart\n", text), 1u) << text;
}

TEST(ExtentsLists, AreThoseOfTheLastPartThatMeasured) {
  CheckPart faithful = CleanPartOf("shadow"), dilated = CleanPartOf("shadow", "dilated"),
            asan = CleanPartOf("asan", "dilated");
  faithful.report.extents.emplace();
  dilated.report.extents.emplace();
  dilated.report.operators = {{.index = 0, .name = "ADD", .kernel = "mine"},
                              {.index = 1, .name = "ADD", .kernel = "mine", .seen = true}};
  CheckResult result;
  result.parts = {faithful, dilated, asan};
  const std::string text = ExtentsText(result);
  EXPECT_TRUE(text.starts_with("bytes touched in invoke (dilated, shadow), ")) << text;
  EXPECT_EQ(Times("  not measured: 1 operator that shadow did not see\n", text), 1u) << text;
  result.parts = {asan};
  EXPECT_EQ(ExtentsText(result), "");
}

}  // namespace
}  // namespace arenaproof
