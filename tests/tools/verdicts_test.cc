// The verdict's one line beside what it has to keep back: caps, instruments that saw nothing, reads that are allowed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/check_report_text.h"

namespace arenaproof {
namespace {

CheckPart SeenPart(const char* instrument, const std::string& layout = "faithful") {
  CheckPart part = MadeUpPart(instrument, layout, ExitStatus::kClean);
  part.report.finished = true;
  part.report.operators.push_back({.name = "ADD", .kernel = "mine", .seen = true, .invokes = 1, .invokes_seen = 1});
  return part;
}

CheckResult ResultWith(ExitStatus status, const std::vector<CheckPart>& parts) {
  CheckResult result;
  result.status = status;
  result.parts = parts;
  return result;
}

const std::string kClean = "clean: no access outside the running operator's operands";

TEST(Verdict, NamesEachPartThatWasCappedAndEachInstrumentThatSawNothingOnce) {
  std::vector<CheckPart> parts = {SeenPart("shadow"), SeenPart("shadow", "dilated"), SeenPart("asan"),
                                  SeenPart("asan", "dilated")};
  for (CheckPart& part : parts) part.report.capped = true;
  for (const std::size_t unseen : {2U, 3U}) parts[unseen].could_not_see = true;
  EXPECT_EQ(VerdictText({}, ResultWith(ExitStatus::kViolations, parts)),
            "violations found; faithful, shadow was capped: not all later accesses are listed; dilated, shadow was "
            "capped: not all later accesses are listed; faithful, asan was capped: later accesses were not checked; "
            "dilated, asan was capped: later accesses were not checked; asan saw nothing of the kernels from outside");
}

TEST(Verdict, SaysThatAnInstrumentSawNothingOfOneOperator) {
  std::vector<CheckPart> parts = {SeenPart("shadow"), SeenPart("asan")};
  parts[1].report.operators.push_back({.index = 1, .name = "MUL", .kernel = "mine", .without_hooks = true});
  EXPECT_TRUE(VerdictText({}, ResultWith(ExitStatus::kClean, parts))
                  .ends_with("; asan saw nothing of the kernels from outside"));
}

TEST(Verdict, CountsDeclaredReadsOfThePartThatHasMost) {
  std::vector<CheckPart> parts = {SeenPart("shadow"), SeenPart("guard"), SeenPart("shadow", "dilated")};
  parts[0].report.read_allowances.resize(2);
  parts[1].report.read_allowances.resize(1);
  const std::string allowed = "; kernels may read beside 2 operands, as they declare";
  const std::string unasked = ", and nobody looked whether a result depends on what lies there";
  EXPECT_EQ(VerdictText({}, ResultWith(ExitStatus::kClean, parts)), kClean + allowed);
  parts[1].report.finished = false;
  EXPECT_EQ(VerdictText({}, ResultWith(ExitStatus::kClean, parts)), kClean + allowed + unasked)
      << "guard came to no end";
  parts[1] = SeenPart("twofill");
  EXPECT_EQ(VerdictText({}, ResultWith(ExitStatus::kClean, parts)), kClean + allowed);
  CheckOptions dilated;
  dilated.layout = "dilated";
  EXPECT_EQ(VerdictText(dilated, ResultWith(ExitStatus::kClean, parts)),
            kClean + allowed + ", where nobody looked for room");
}

TEST(Verdict, OfNoInstrumentSaysSoWhateverWasFound) {
  CheckOptions options;
  options.instrument = "none";
  const std::string unchecked = "no instrument: accesses were not checked";
  EXPECT_EQ(VerdictText(options, ResultWith(ExitStatus::kClean, {SeenPart("none")})), unchecked);
  EXPECT_EQ(VerdictText(options, ResultWith(ExitStatus::kViolations, {SeenPart("none")})),
            "violations found; " + unchecked);
  EXPECT_EQ(VerdictText(options, ResultWith(ExitStatus::kCouldNotRun, {SeenPart("none")})), "could not run");
  CheckResult known = ResultWith(ExitStatus::kClean, {SeenPart("none")});
  known.baseline.emplace().known = {"1", "2"};
  EXPECT_EQ(VerdictText(options, known), "nothing new: 2 known findings, accepted by the baseline; " + unchecked);
}

// Missing hooks are the reason only where nothing else kept the check from an answer.
TEST(Verdict, IsNotSeenWhereNothingElseWentWrong) {
  CheckPart unseen = MadeUpPart("shadow", "faithful", ExitStatus::kCouldNotRun);
  unseen.could_not_see = true;
  unseen.report.operators.push_back({.name = "ADD", .kernel = "mine", .invokes = 1, .without_hooks = true});
  CheckResult result = ResultWith(ExitStatus::kCouldNotRun, {unseen});
  EXPECT_EQ(VerdictText({}, result), "not seen: no instrument saw 1 operator with kernels from outside");
  result.parts.push_back(MadeUpPart("guard", "faithful", ExitStatus::kCouldNotRun));
  EXPECT_EQ(VerdictText({}, result), "could not run");
  result.parts.back() = MadeUpPart("guard", "faithful", ExitStatus::kClean);
  EXPECT_EQ(VerdictText({}, result), "not seen: no instrument saw 1 operator with kernels from outside");
  result.status = ExitStatus::kInternalError;
  EXPECT_EQ(VerdictText({}, result), "internal error");
}

TEST(Verdict, CountsWhatIsNewAndWhatIsKnown) {
  CheckResult result = ResultWith(ExitStatus::kViolations, {SeenPart("shadow")});
  result.baseline.emplace().known = {"1", "2"};
  result.baseline->fresh = {"3"};
  EXPECT_EQ(VerdictText({}, result), "violations found: 1 new, 2 known and accepted by the baseline");
  result.status = ExitStatus::kClean;
  result.absent_instruments = {"asan"};
  result.parts[0].report.prepare_blind_pair_count = 1;
  EXPECT_EQ(VerdictText({}, result),
            "nothing new: 2 known findings, accepted by the baseline; in prepare as far as seen: 1 blind pair; asan is "
            "not available");
  result.parts[0].report.blind_pair_count = 1;
  EXPECT_TRUE(VerdictText({}, result)
                  .starts_with("nothing new: 2 known findings, accepted by the baseline; as far as seen: 1 blind pair "
                               "in the faithful layout"));
}

TEST(VerdictColour, IsGreenOnlyWhereAccessesWereChecked) {
  EXPECT_EQ(ColourOf(ExitStatus::kClean, false), Colour::kGreen);
  EXPECT_EQ(ColourOf(ExitStatus::kClean, true), Colour::kYellow);
  EXPECT_EQ(ColourOf(ExitStatus::kViolations, true), Colour::kRed);
  EXPECT_EQ(ColourOf(ExitStatus::kCouldNotRun, false), Colour::kYellow);
  EXPECT_EQ(ColourOf(ExitStatus::kInternalError, false), Colour::kYellow);
}

}  // namespace
}  // namespace arenaproof
