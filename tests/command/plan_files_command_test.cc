// Problems and plans as people write them: marks, quotes, gaps, names that are no text, words that contradict.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

TEST(PlanFiles, GapsAreInEveryFormatAndReadBack) {
  const std::string problem = WriteText("id,lower,upper,size,gaps\na,0,9,8,2-4 5-6\nb,2,4,8,\n", "gaps.csv");
  const CommandRun json = Arenaproof("plan --json " + problem);
  const Json report = ParseJson(json.output);
  EXPECT_EQ(report.at("buffers").at(0).at("gaps").size(), 2u);
  EXPECT_EQ(report.at("buffers").at(0).at("gaps").at(0), (Json{{"lower", 2}, {"upper", 4}}));
  EXPECT_FALSE(report.at("buffers").at(1).contains("gaps"));
  EXPECT_EQ(Arenaproof("verify " + problem + " " + WriteText(json.output, "plan.json")).exit_status, 0);
  Json other = report;
  other["buffers"][0]["gaps"][0]["upper"] = 3;
  const CommandRun wrong = Arenaproof("verify " + problem + " " + WriteText(other.dump(), "other.json"));
  EXPECT_TRUE(HasText(wrong.errors, "the buffer 'a' has other gaps there than here")) << wrong.errors;
  const CommandRun text = Arenaproof("plan " + problem);
  EXPECT_TRUE(HasText(text.output, "but not in") && HasText(text.output, "2-4 5-6")) << text.output;
}

TEST(PlanFiles, APlanInJsonMayHaveAByteOrderMark) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,9,8\n", "a.csv");
  const std::string json = Arenaproof("plan --json " + problem).output;
  EXPECT_EQ(Arenaproof("verify " + problem + " " + WriteText("\xef\xbb\xbf" + json, "plan.json")).exit_status, 0);
}

TEST(PlanFiles, NamesThatAreNoTextAreReadBackFromTheirOwnReport) {
  const std::string problem = WriteText("id,lower,upper,size\n\xff\xfe,0,9,8\nb,1,9,8\n", "bytes.csv");
  const std::string json = Arenaproof("plan --json " + problem).output;
  const CommandRun run = Arenaproof("verify " + problem + " " + WriteText(json, "plan.json"));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
}

TEST(PlanFiles, QuotesAreThoseOfAnyOtherCsv) {
  const std::string problem = WriteText(
      "\"id\",\"lower\",upper, \"size\" \n\"a,1\",0,\"9\",8\n\"say \"\"x\"\"\",1,9,8\n in \"it,3,9,8\n", "quoted.csv");
  const CommandRun csv = Arenaproof("plan --format=csv " + problem);
  EXPECT_EQ(csv.exit_status, 0) << csv.errors;
  for (const char* line : {"\n\"a,1\",0,9,8,", "\n\"say \"\"x\"\"\",1,9,8,", "\n\"in \"\"it\",3,9,8,"}) {
    EXPECT_TRUE(HasText(csv.output, line)) << csv.output;
  }
  EXPECT_EQ(Arenaproof("verify " + problem + " " + WriteText(csv.output, "plan.csv")).exit_status, 0);
  const std::pair<const char*, const char*> kWrong[] = {
      {"id,lower,upper,size\n\"a,0,9,8\n", "Line 2 has a quote that is not closed before the line ends"},
      {"id,lower,upper,size\n\"a\"b,0,9,8\n", "Line 2 has something between a closing quote and the comma: 'b'"},
  };
  for (const auto& [text, sentence] : kWrong) {
    const CommandRun run = Arenaproof("plan " + WriteText(text, "wrong.csv"));
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
}

TEST(PlanFiles, WordsThatChangeNothingAreRefused) {
  const std::string model = SeedModel(kFullyConnected), folder = TemporaryFolder();
  const std::pair<std::string, const char*> kWords[] = {
      {"plan --planner=greedy --time-limit=3 " + model, "is about the search of --planner=optimal"},
      {"plan --planner=linear --threads=2 " + model, "is about the search of --planner=optimal"},
      {"plan --planner=arena --work-limit=3 " + model, "is about the search of --planner=optimal"},
      {"plan --planner=greedy --strip --embed=" + folder + "/a " + model, "with --strip nothing is embedded"},
      {"plan --threads=2 --strip --embed=" + folder + "/a " + model, "with --strip nothing is planned"},
      {"plan --embed=- " + model, "a model is written to a file"},
      {"verify " + model + " ''", "'' names no file"},
  };
  for (const auto& [words, sentence] : kWords) {
    const CommandRun run = Arenaproof(words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
}

TEST(PlanFiles, AdviceFitsTheFile) {
  const std::string csv = WriteText("id,lower,upper,size,offset\na,0,9,8,4\n", "fixed.csv");
  const CommandRun linear = Arenaproof("plan --planner=linear " + csv);
  EXPECT_EQ(linear.exit_status, 2);
  EXPECT_FALSE(HasText(linear.errors, "--ignore-plan")) << linear.errors;
  const CommandRun broken =
      Arenaproof("plan " + ReluChainWithPlan({0, 40, -1}) + " --embed=" + TemporaryFolder() + "/a");
  EXPECT_EQ(broken.exit_status, 2);
  EXPECT_TRUE(HasText(broken.errors, "V17") && HasText(broken.errors, "; --ignore-plan plans anew\n")) << broken.errors;
}

TEST(PlanFiles, ThePeakIsThePlansAndTheBusiestMomentAnother) {
  const std::string csv = WriteText("id,lower,upper,size,offset\na,0,4,8,32\nb,2,9,8,-1\n", "fixed.csv");
  EXPECT_TRUE(HasText(Arenaproof("plan " + csv).output, "\nbusiest moment at time 2: buffers 'a' and 'b', 16 bytes\n"));
  const std::string described = Arenaproof("describe " + SeedModel("person_detection_int8")).output;
  EXPECT_TRUE(HasText(described, "\npeak after operator 2 CONV_2D: tensors ")) << described;
  EXPECT_TRUE(HasText(described, "first_used=0 last_used=1  tensor ")) << described;
}

}  // namespace
}  // namespace arenaproof::testing
