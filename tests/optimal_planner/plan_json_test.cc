// Plans in JSON: what is taken and refused, and that time grows with the text.
#include "tools/planner/plan_json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arenaproof {
namespace {

std::string ListOf(std::size_t count) {
  std::string text = R"({"buffers":[)";
  for (std::size_t i = 0; i < count; ++i) {
    text += (i == 0 ? R"({"id":")" : R"(,{"id":")") + std::to_string(i) + R"(","offset":0})";
  }
  return text + "]}";
}

TEST(PlanJson, TakesWhatReportsSay) {
  const ProblemCsv plan = ReadPlanJson(
      R"({"x":{"buffers":[7]},"buffers":[{"id":"a","offset":4,"bytes":3,"lower":-1,"upper":5,"alignment":2,"group":"b",)"
      R"("gaps":[{"lower":1,"upper":2}],"more":[{"id":1}]},{"id":"b","bytes":3,"lower":0,"upper":5,"alignment":2}],"y":[]})");
  ASSERT_EQ(plan.refusal, "");
  EXPECT_EQ(plan.ids, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(plan.offsets, (std::vector<std::optional<std::int64_t>>{4, std::nullopt}));
  EXPECT_EQ(plan.groups, (std::vector<std::string>{"b", ""}));
  ASSERT_EQ(plan.buffers[0].gaps.size(), 1u);
  EXPECT_EQ(plan.buffers[0].gaps[0].upper, 2);
  EXPECT_EQ(plan.buffers[0].lifetime.lower, -1);
  EXPECT_FALSE(plan.has_problem);
  EXPECT_TRUE(ReadPlanJson("\xef\xbb\xbf"
                           R"({"buffers":[]})")
                  .ok());
}

TEST(PlanJson, RefusesEachBadTextWithOneSentence) {
  const std::string buffer = "The buffer at index 0 of the list 'buffers' ";
  std::string deep = R"({"buffers":[],"x":)";
  for (int i = 0; i < 30; ++i) deep += R"({"x":)";
  deep += R"({"a":1,"a":2})" + std::string(31, '}');
  const std::pair<std::string, std::string> kTexts[] = {
      {"", "The file is no JSON from line 1, column 1 on."},
      {"{\"buffers\":[\n{\"id\":\"a\",}]}", "The file is no JSON from line 2, column 11 on."},
      {R"({"buffers":[{"id":"a"},{"id":"a"},)", "The file is no JSON from line 1, column 35 on."},
      {R"({"buffers":[1e999]})", "The file has a number that no machine holds."},
      {R"([{"buffers":[]}])", "The file is no report of a plan: it has no list 'buffers'."},
      {R"({"buffers":{}})", "The file is no report of a plan: it has no list 'buffers'."},
      {R"({"a":{"buffers":[]}})", "The file is no report of a plan: it has no list 'buffers'."},
      {R"({"buffers":[7],"buffers":[]})", "The file has the key \"buffers\" twice in one object."},
      {R"({"x":[{"a\n":1,"b":{"a\n":1},"a\n":2}],"buffers":[7]})",
       "The file has the key \"a\\n\" twice in one object."},
      {R"({"buffers":[{"id":"a","gaps":[{"lower":1,"lower":2}]}]})",
       "The file has the key \"lower\" twice in one object."},
      {R"({"buffers":[7]})", buffer + "is no object."},
      {R"({"buffers":[[]]})", buffer + "is no object."},
      {R"({"buffers":[{}]})", buffer + "has no id."},
      {R"({"buffers":[{"id":1}]})", buffer + "has no id."},
      {R"({"buffers":[{"id":"a"},{"id":"a"}]})",
       "The buffer at index 1 of the list 'buffers' has the id of one before it."},
      {R"({"buffers":[{"id":"a","offset":1.5}]})",
       buffer + "has as its offset 1.5, which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"a","bytes":[1,{"x":null}]}]})",
       buffer + "has as its bytes [1,{\"x\":null}], which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"a","upper":9223372036854775808}]})",
       buffer + "has as its upper 9223372036854775808, which is no whole number of 64 bits."},
      {R"({"buffers":[{"id":"a","gaps":[[1,2]]}]})", buffer + "has gaps that are no list of lower and upper."},
      {R"({"buffers":[{"id":"a","bytes":1},{"id":"b"}]})",
       "The buffer at index 1 of the list 'buffers' has other fields than the first one."},
      {R"({"buffers":[{"id":"a","group":1}]})", buffer + "has a group that is no text."},
      {deep, ""},
  };
  for (const auto& [text, sentence] : kTexts) EXPECT_EQ(ReadPlanJson(text).refusal, sentence) << text;
}

TEST(PlanJson, HasAsManyBuffersAsCsvMayHave) {
  EXPECT_TRUE(ReadPlanJson(ListOf(3), 3).ok());
  EXPECT_EQ(ReadPlanJson(ListOf(4), 3).refusal, "The file has more than 3 buffers.");
  EXPECT_EQ(ReadPlanJson(ListOf(kMostCsvBuffers + 1)).refusal, "The file has more than 1000000 buffers.");
}

// Where each entry looks at all before it, this takes minutes.
TEST(PlanJson, IsReadInTimeThatGrowsWithTheText) {
  const std::string text = ListOf(200'000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(ReadPlanJson(text).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace arenaproof
