#include "tools/planner/precomputed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace arenaproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PrecomputedSource ThreeBuffers() {
  return {"sine.tflite",
          "arena",
          192,
          {{0, 64, 0, 1, "subgraph 0, tensor 0 \"input\""},
           {128, 64, 2, 3, "subgraph 0, tensor 4 \"output\""},
           {64, 64, 2, 2, "subgraph 0, operator 1, scratch buffer 0"}}};
}

constexpr const char* kThreeBuffers =
    "// Where each buffer lies in the head of the arena of sine.tflite, planned by arena.\n"
    "// head bytes: 192\n"
    "#include <stdint.h>\n"
    "\n"
    "const int32_t arenaproof_plan[3] = {\n"
    "    0,    // subgraph 0, tensor 0 \"input\": 64 bytes, alive 0 to 1\n"
    "    128,  // subgraph 0, tensor 4 \"output\": 64 bytes, alive 2 to 3\n"
    "    64,   // subgraph 0, operator 1, scratch buffer 0: 64 bytes, alive 2 to 2\n"
    "};\n";

std::string RefusalOf(const std::string& text) {
  const PrecomputedPlan plan = ReadPrecomputedSource(text);
  EXPECT_THAT(plan.offsets, IsEmpty()) << text;
  return plan.refusal;
}

TEST(PrecomputedFile, IsACSourceWithALineForEachBuffer) {
  EXPECT_EQ(WritePrecomputedSource(ThreeBuffers()), kThreeBuffers);
  const PrecomputedPlan plan = ReadPrecomputedSource(kThreeBuffers);
  EXPECT_EQ(plan.refusal, "");
  EXPECT_THAT(plan.offsets, ElementsAre(0, 128, 64));
}

TEST(PrecomputedFile, OfNoBuffersIsReadBack) {
  const PrecomputedPlan plan = ReadPrecomputedSource(WritePrecomputedSource({"empty.tflite", "greedy", 0, {}}));
  EXPECT_EQ(plan.refusal, "");
  EXPECT_THAT(plan.offsets, IsEmpty());
}

TEST(PrecomputedFile, TakesAWiderTypeOnlyWhenAnOffsetNeedsIt) {
  PrecomputedSource source = ThreeBuffers();
  source.buffers[1].offset = 2147483647;
  EXPECT_THAT(WritePrecomputedSource(source), HasSubstr("const int32_t arenaproof_plan[3]"));
  source.buffers[1].offset = 2147483648;
  const std::string text = WritePrecomputedSource(source);
  EXPECT_THAT(text, HasSubstr("const int64_t arenaproof_plan[3]"));
  EXPECT_THAT(ReadPrecomputedSource(text).offsets, ElementsAre(0, 2147483648, 64));
}

TEST(PrecomputedFile, NamesCannotEndTheirComment) {
  PrecomputedSource source = ThreeBuffers();
  source.model = "a\nint b;\\\n";
  source.buffers[0].name = "x\r\n9999, // \xff\x1b \\";
  const std::string text = WritePrecomputedSource(source);
  EXPECT_EQ(text.find('\\'), std::string::npos) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos) << text;
  EXPECT_THAT(ReadPrecomputedSource(text).offsets, ElementsAre(0, 128, 64));
}

TEST(PrecomputedFile, ReadsWhatPeopleMakeOfIt) {
  for (const char* text : {
           "const int32_t p[2] = {0, 16};",
           "\xef\xbb\xbf// x\r\nstatic const std::int32_t p [ ] = { 0 ,\r\n/* 1, \n 2 */ 16 , } ;\r\n\r\n",
           "#pragma once\n  #define X {\nint64_t const p[2]={0,16,};// };",
       }) {
    const PrecomputedPlan plan = ReadPrecomputedSource(text);
    EXPECT_EQ(plan.refusal, "") << text;
    EXPECT_THAT(plan.offsets, ElementsAre(0, 16)) << text;
  }
}

TEST(PrecomputedFile, RefusesWithTheLine) {
  EXPECT_EQ(RefusalOf(""), "line 1 has the end of the file where 'const int32_t' or 'const int64_t' would be right");
  EXPECT_EQ(RefusalOf("// only this\n"),
            "line 2 has the end of the file where 'const int32_t' or 'const int64_t' would be right");
  EXPECT_EQ(RefusalOf("\nconst int16_t p[1] = {0};"),
            "line 2 has 'int16_t' where 'const int32_t' or 'const int64_t' would be right");
  EXPECT_EQ(RefusalOf("const int32_t 7[1] = {0};"), "line 1 has '7' where the name of the array would be right");
  EXPECT_EQ(RefusalOf("const int32_t p = 0;"),
            "line 1 has '=' where '[' would be right, before the count of the array");
  EXPECT_EQ(RefusalOf("const int32_t p[x] = {0};"),
            "line 1 has 'x' where the count of the array, in decimal, would be right");
  EXPECT_EQ(RefusalOf("const int32_t p[1 = {0};"),
            "line 1 has '=' where ']' would be right, behind the count of the array");
  EXPECT_EQ(RefusalOf("const int32_t p[1] =\n0};"), "line 2 has '0' where '{' would be right, before the numbers");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0"), "line 1 has the end of the file where ',' or '}' would be right");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0 16};"), "line 1 has '16' where ',' or '}' would be right");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {,};"),
            "line 1 has ',' where an offset, in decimal, or '}' would be right");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0}"),
            "line 1 has the end of the file where ';' would be right, behind the array");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0};\nint x;"),
            "line 2 has 'int' behind the array; a plan is one array and no more");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0};\n/* no end"),
            "line 2 begins a comment that does not end; '*/' would end it");
  EXPECT_EQ(RefusalOf("/* no end\nconst int32_t p[1] = {0};"),
            "line 1 begins a comment that does not end; '*/' would end it");
  EXPECT_EQ(RefusalOf("const int32_t p[] = {0,\n16 /* no end\n};"),
            "line 2 begins a comment that does not end; '*/' would end it");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {0 / 1};"), "line 1 has '/' where ',' or '}' would be right");
  EXPECT_EQ(RefusalOf({"const int32_t p[1] = {\0};", 25}),
            "line 1 has '\\x00' where an offset, in decimal, or '}' would be right");
  EXPECT_EQ(RefusalOf("const int32_t p[1] = {\xff};"),
            "line 1 has '\\xff' where an offset, in decimal, or '}' would be right");
}

TEST(PrecomputedFile, RefusesAWrongCount) {
  EXPECT_EQ(RefusalOf("\nconst int32_t p[3] = {0,\n16};"), "line 2 counts '3' offsets, and the array has 2");
  EXPECT_EQ(RefusalOf("const int32_t p[0] = {0};"), "line 1 counts '0' offsets, and the array has 1");
}

TEST(PrecomputedFile, RefusesNumbersBeyondTheirRange) {
  const std::string most = "which is no decimal number from 0 to 2147483647, as int32_t holds it";
  EXPECT_EQ(RefusalOf("const int32_t p[] = {\n2147483648};"), "line 2 has the offset '2147483648', " + most);
  EXPECT_EQ(RefusalOf("const int32_t p[] = {99999999999999999999};"),
            "line 1 has the offset '99999999999999999999', " + most);
  EXPECT_EQ(RefusalOf("const int32_t p[] = {016};"), "line 1 has the offset '016', " + most);
  EXPECT_EQ(RefusalOf("const int32_t p[] = {0x10};"), "line 1 has the offset '0x10', " + most);
  EXPECT_EQ(RefusalOf("const int32_t p[] = {0,\n\n-1};"), "line 3 has a negative number; an offset is 0 or more");
  EXPECT_EQ(RefusalOf("const int64_t p[] = {9223372036854775808};"),
            "line 1 has the offset '9223372036854775808', which is no decimal number from 0 to 9223372036854775807, as "
            "int64_t holds it");
  EXPECT_THAT(ReadPrecomputedSource("const int64_t p[] = {9223372036854775807};").offsets,
              ElementsAre(9223372036854775807));
}

TEST(PrecomputedFile, RefusesAFileThatIsTooLarge) {
  const std::string text = kThreeBuffers;
  EXPECT_TRUE(ReadPrecomputedSource(text, text.size()).ok());
  EXPECT_EQ(
      ReadPrecomputedSource(text, text.size() - 1).refusal,
      "line 1 begins a text of more than " + std::to_string(text.size() - 1) + " bytes, which is the most of a plan");
}

// Whatever is cut off or changed: an answer, and a refusal where the array is not whole.
TEST(PrecomputedFile, EveryCutIsAnswered) {
  const std::string text = kThreeBuffers;
  const std::size_t whole = text.find("};") + 2;
  for (std::size_t length = 0; length < whole; ++length) EXPECT_NE(RefusalOf(text.substr(0, length)), "") << length;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '\n', '/', '*', '}', '9', '\xff'}) {
      std::string changed = text;
      changed[i] = c;
      const PrecomputedPlan plan = ReadPrecomputedSource(changed);
      EXPECT_EQ(plan.ok(), plan.offsets.size() == 3) << changed;
    }
  }
}

}  // namespace
}  // namespace arenaproof
