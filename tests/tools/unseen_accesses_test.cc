// What stayed unseen is what no part saw, kind by kind: parts that saw an operator, layouts that took a pair apart.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/made_up_parts.h"
#include "tools/command/check_report_text.h"
#include "tools/command/check_unseen.h"

namespace arenaproof {
namespace {

// A clean part that saw these operators, and was asked for as many.
CheckPart PartThatSaw(const char* instrument, const std::vector<std::int64_t>& seen, std::int64_t operator_count = 2,
                      const std::string& layout = "dilated") {
  CheckPart part = MadeUpPart(instrument, layout, ExitStatus::kClean);
  for (std::int64_t i = 0; i < operator_count; ++i) {
    const bool one = std::find(seen.begin(), seen.end(), i) != seen.end();
    part.report.operators.push_back(
        {.index = i, .name = "ADD", .kernel = "mine", .seen = one, .invokes = 1, .invokes_seen = one});
  }
  part.report.finished = true;
  return part;
}

std::string UnseenBy(const std::vector<CheckPart>& parts) {
  CheckResult result;
  result.parts = parts;
  return WhatStayedUnseen(result);
}

const std::string kOutside = " in init and prepare and around persistent blocks";

TEST(UnseenKinds, AreThoseThatNoPartSeesOfAnOperator) {
  const auto of = [](const std::vector<const char*>& instruments) {
    std::vector<CheckPart> parts;
    for (const char* one : instruments) parts.push_back(PartThatSaw(one, {0, 1}));
    return UnseenBy(parts);
  };
  EXPECT_EQ(of({"shadow"}), "");
  EXPECT_EQ(of({"valgrind"}), "");
  EXPECT_EQ(of({"guard"}), "accesses" + kOutside + ", which guard does not see");
  EXPECT_EQ(of({"canary"}), "reads, which canary does not see");
  EXPECT_EQ(of({"twofill"}), "reads that influence no result, which twofill does not see");
  EXPECT_EQ(of({"guard", "canary"}), "reads" + kOutside + ", which none of guard and canary sees");
  EXPECT_EQ(of({"canary", "twofill"}), "reads that influence no result, which none of canary and twofill sees");
  EXPECT_EQ(of({"canary", "guard", "shadow"}), "");
}

// What one instrument saw of one operator is nothing that it saw of another.
TEST(UnseenKinds, AreCountedOperatorByOperator) {
  EXPECT_EQ(UnseenBy({PartThatSaw("shadow", {0}), PartThatSaw("guard", {0, 1})}),
            "accesses" + kOutside + " (1 operator), which none of shadow and guard sees");
  EXPECT_EQ(UnseenBy({PartThatSaw("canary", {0}, 3), PartThatSaw("guard", {1, 2}, 3)}),
            "reads (1 operator); accesses" + kOutside + " (2 operators), which none of canary and guard sees");
  // Who saw nothing is not named, and what nobody saw is another matter.
  EXPECT_EQ(UnseenBy({PartThatSaw("shadow", {}), PartThatSaw("canary", {0})}),
            "reads, which canary does not see; 1 operator not seen");
}

TEST(UnseenOperators, AreThoseOfNoPart) {
  CheckResult result;
  result.parts = {PartThatSaw("shadow", {0}), PartThatSaw("asan", {1}, 3)};
  EXPECT_EQ(UnseenOperators(result), 1);
  EXPECT_EQ(InstrumentsUsed(result), "shadow and asan");
  // The same index in another subgraph is another operator.
  result.parts[0].report.operators.push_back({.index = 0, .subgraph = 1, .name = "ADD", .kernel = "mine"});
  EXPECT_EQ(UnseenOperators(result), 2);
  result.parts = {PartThatSaw("shadow", {}), PartThatSaw("asan", {}), PartThatSaw("guard", {}),
                  PartThatSaw("shadow", {0}, 2, "faithful")};
  EXPECT_EQ(InstrumentsUsed(result), "shadow, asan and guard");
  EXPECT_EQ(InstrumentsThatSaw(result), "shadow");
}

CheckPart Inexact(CheckPart part, const std::vector<NotExactOperand>& operands) {
  part.report.not_exact = operands;
  return part;
}

NotExactOperand OperandOf(std::int64_t op, const char* kind, std::int64_t index) {
  NotExactOperand operand;
  operand.operator_index = op;
  operand.kind = kind;
  operand.index = index;
  return operand;
}

TEST(InexactOperands, AreThoseThatNoPartDecidedWhichSawTheOperator) {
  const std::vector<NotExactOperand> three = {OperandOf(0, "input", 1), OperandOf(0, "constant", 1),
                                              OperandOf(1, "input", 1)};
  const auto around = [](const std::string& count, const std::string& who) {
    return count + " around which " + who + " cannot decide to the byte";
  };
  const CheckPart asan = Inexact(PartThatSaw("asan", {0, 1}), three);
  EXPECT_EQ(UnseenBy({asan}), around("3 operands", "asan"));
  EXPECT_EQ(UnseenBy({asan, PartThatSaw("shadow", {0, 1})}), "");
  EXPECT_EQ(UnseenBy({asan, PartThatSaw("shadow", {0})}), around("1 operand", "asan and shadow"));
  EXPECT_EQ(UnseenBy({asan, Inexact(PartThatSaw("valgrind", {0, 1}), {three[1]})}),
            around("1 operand", "asan and valgrind"));
  // Instruments that see no reads decide nothing about them.
  EXPECT_EQ(UnseenBy({asan, PartThatSaw("canary", {0, 1})}), around("3 operands", "asan"));
  // Of an operator that it did not see an instrument's word does not count.
  EXPECT_EQ(UnseenBy({Inexact(PartThatSaw("asan", {0}, 1), three)}), around("2 operands", "asan"));
}

TEST(InexactOperands, AreThoseOfTheLayoutThatLeavesFewest) {
  const std::vector<NotExactOperand> two = {OperandOf(0, "input", 1), OperandOf(1, "input", 1)};
  const CheckPart dilated = Inexact(PartThatSaw("asan", {0, 1}), two);
  CheckPart faithful = Inexact(PartThatSaw("asan", {0, 1}, 2, "faithful"), {two[0]});
  EXPECT_EQ(UnseenBy({dilated, faithful}), "1 operand around which asan cannot decide to the byte");
  faithful.report.not_exact.clear();
  EXPECT_EQ(UnseenBy({dilated, faithful}), "");
}

TEST(BlindPairsLeft, AreTheMostOfALayoutAndTheLeastOfAll) {
  const auto with = [](const std::string& layout, std::int64_t pairs, std::int64_t in_prepare) {
    CheckPart part = PartThatSaw("shadow", {0, 1}, 2, layout);
    part.report.blind_pair_count = pairs;
    part.report.prepare_blind_pair_count = in_prepare;
    return part;
  };
  CheckResult result;
  result.parts = {with("faithful", 9, 1), with("faithful", 2, 7), with("dilated", 3, 8), with("dilated", 4, 2)};
  EXPECT_EQ(WhatStayedUnseen(result), "4 blind pairs in the dilated layout");
  EXPECT_EQ(BlindPairsLeftInPrepare(result), 7);
  result.parts[0].report.blind_pair_count = 3;
  EXPECT_EQ(WhatStayedUnseen(result), "3 blind pairs in the faithful layout, which --layout=dilated takes apart");
}

TEST(CodeScansLeft, NameTheFileAndWhoLooked) {
  CheckResult result;
  result.parts = {PartThatSaw("shadow", {0, 1})};
  result.code_scans = {{"a.so", "shadow", "", {{"f", "is"}, {"g", "is"}}, {"strcpy"}}, {"b.so", "asan", "why", {}, {}}};
  EXPECT_EQ(WhatStayedUnseen(result),
            "2 functions of 'a.so' that shadow sees in part only; 1 function that 'a.so' calls and shadow does not "
            "watch; the code of 'b.so', which was not scanned");
}

}  // namespace
}  // namespace arenaproof
