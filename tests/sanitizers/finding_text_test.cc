// A finding of the device's canary in words: who wrote, on which side of what, when.
#include "sanitizers/device/finding_text.h"

#include <gtest/gtest.h>

#include <string>

#include "sanitizers/device/report_words.h"

namespace arenaproof {
namespace {

TEST(FindingTexts, NameOperatorSideOperandAndPhase) {
  static std::byte input[64];
  CanaryFinding finding;
  finding.subgraph = 0;
  finding.operator_index = 3;
  finding.operator_name = "ADD";
  finding.kernel_name = "own";
  finding.operand = {input, 20, AccessRight::kRead, OperandKind::kInput, 7};
  finding.run = {.begin = 100, .end = 104, .side = ViolationSide::kBefore, .operand = 0, .distance_bytes = 12};
  const auto expect = [&](const char* words) { EXPECT_EQ(std::string(TextOf(finding).text()), words); };
  expect("ADD (operator 3), kernel own, writes up to 12 bytes before input tensor 7 (20 bytes) in invoke");
  finding.run.distance_bytes = 1;
  finding.operand.bytes = 1;
  finding.phase = OperatorPhase::kPrepare;
  expect("ADD (operator 3), kernel own, writes up to 1 byte before input tensor 7 (1 byte) in prepare");
  finding.run.side = ViolationSide::kAfter;
  finding.operand.kind = OperandKind::kScratch;
  finding.subgraph = 2;
  finding.phase = OperatorPhase::kInit;
  expect("ADD (operator 3 of subgraph 2), kernel own, writes up to 1 byte after scratch 7 (1 byte) in init");
  finding.run.side = ViolationSide::kInside;
  finding.operand.kind = OperandKind::kConstant;
  expect(
      "ADD (operator 3 of subgraph 2), kernel own, writes 4 bytes inside constant tensor 7 (1 byte), which it may only "
      "read in init");
  finding.run.end = 101;
  finding.operand.kind = OperandKind::kOptions;
  expect(
      "ADD (operator 3 of subgraph 2), kernel own, writes 1 byte inside options 7 (1 byte), which it may only read in "
      "init");
  finding.run.side = ViolationSide::kFar;
  finding.run.distance_bytes = 64;
  finding.operand.kind = OperandKind::kQuantization;
  expect(
      "ADD (operator 3 of subgraph 2), kernel own, writes 64 bytes away from quantization tensor 7 (1 byte) in init");
  finding.operand.data = nullptr;
  finding.subgraph = 1;
  expect("ADD (operator 3 of subgraph 1), kernel own, writes 64 bytes away from any operand in init");
}

TEST(ReportWords, NameSidesKindsAndPhases) {
  const char* const sides[] = {"before", "after", "inside", "far", "overwritten", "differs", "unwritten"};
  for (int i = 0; i < 7; ++i) EXPECT_STREQ(ViolationSideName(static_cast<ViolationSide>(i)), sides[i]);
  struct {
    OperandKind kind;
    const char* name;
    bool tensor;
  } const kinds[] = {{OperandKind::kInput, "input", true},
                     {OperandKind::kOutput, "output", true},
                     {OperandKind::kConstant, "constant", true},
                     {OperandKind::kVariable, "variable", true},
                     {OperandKind::kScratch, "scratch", false},
                     {OperandKind::kPersistent, "persistent", false},
                     {OperandKind::kTemporary, "temporary", false},
                     {OperandKind::kQuantization, "quantization", true},
                     {OperandKind::kOptions, "options", false},
                     {OperandKind::kWorkspace, "workspace", false},
                     {OperandKind::kRecord, "record", false},
                     {OperandKind::kSource, "source", false},
                     {OperandKind::kDestination, "destination", false}};
  for (const auto& [kind, name, tensor] : kinds) {
    EXPECT_STREQ(OperandKindName(kind), name);
    EXPECT_EQ(HasTensorIndex(kind), tensor) << name;
  }
  EXPECT_STREQ(OperatorPhaseName(OperatorPhase::kInit), "init");
  EXPECT_STREQ(OperatorPhaseName(OperatorPhase::kRuntime), "runtime");
}

}  // namespace
}  // namespace arenaproof
