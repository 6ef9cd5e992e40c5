// What `plan`, `verify` and `describe` take: pipes, operators that nobody knows, problems that contradict themselves.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kTwoBuffers = "id,lower,upper,size\na,0,4,30\nb,2,9,20\n";
// b and c are fixed, alive together in [2, 4), and share bytes.
constexpr const char* kOverlapping = "id,lower,upper,size,offset,alignment\na,0,4,3,,2\nb,0,4,8,0,4\nc,2,9,8,4,4\n";

// RELU by another code, between tensors of 16 bytes.
std::string ModelOfCode(std::int32_t code) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "y"}) graph.AddTensor({.name = name, .type = TensorType::kInt8, .shape = {{16}}});
  graph.AddOperator({.code = builder.AddCode(static_cast<BuiltinOperator>(code)), .inputs = {0}, .outputs = {1}});
  graph.inputs = {0};
  graph.outputs = {1};
  return WriteModel(builder.Finish());
}

TEST(PlanInput, OperatorsWhoseCodeNobodyKnowsArePlanned) {
  for (const std::int32_t code : {127, 210, 300, 1 << 20}) {
    const std::string model = ModelOfCode(code);
    const std::string name = code == 127 ? "PLACEHOLDER_FOR_GREATER_OP_CODES" : "operator code " + std::to_string(code);
    for (const char* command : {"describe ", "plan "}) {
      const CommandRun run = Arenaproof(command + model);
      EXPECT_EQ(run.exit_status, 0) << run.errors;
      EXPECT_TRUE(HasText(run.output, "operator 0 " + name + " (--scratch=0:BYTES): no kernel in the set 'reference'"))
          << run.output;
    }
    const Json stated = ParseJson(Arenaproof("plan --json --scratch=0:32 " + model).output);
    EXPECT_EQ(stated.at("peak_bytes"), 64);
    EXPECT_EQ(stated.at("missing_kernels").at(0).at("operator_name"), name);
    const std::string planned = TemporaryFolder() + "/planned.tflite";
    EXPECT_EQ(Arenaproof("plan --scratch=0:32 " + model + " --embed=" + planned).exit_status, 0);
    EXPECT_EQ(Arenaproof("verify " + planned).exit_status, 0);
    for (const char* command : {"run ", "check ", "size "}) {
      const CommandRun run = Arenaproof(command + model);
      EXPECT_EQ(run.exit_status, 2) << command;
      EXPECT_TRUE(HasText(run.errors, "needs what is not supported: " + name)) << run.errors;
    }
  }
}

TEST(PlanInput, ACustomOperatorWithoutANameHasAnIndex) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "y"}) graph.AddTensor({.name = name, .type = TensorType::kInt8, .shape = {{16}}});
  graph.AddOperator({.code = builder.AddCustomCode(""), .inputs = {0}, .outputs = {1}});
  graph.inputs = {0};
  graph.outputs = {1};
  const std::string model = WriteModel(builder.Finish());
  EXPECT_TRUE(
      HasText(Arenaproof("plan " + model).output, "operator 0 custom operator '' (--scratch=0:BYTES): no kernel"));
  EXPECT_EQ(ParseJson(Arenaproof("plan --json --scratch=0:32 " + model).output).at("peak_bytes"), 64);
}

TEST(PlanInput, ComesThroughPipesToo) {
  const std::string model = "'" + SeedModel(kFullyConnected) + "'",
                    problem = "'" + WriteText(kTwoBuffers, "p.csv") + "'";
  const std::string source = "'" + WriteText(Arenaproof("plan --format=c " + problem).output, "plan.c") + "'";
  const std::string json = "'" + WriteText(Arenaproof("plan --json " + problem).output, "plan.json") + "'";
  for (const std::string& line : {
           "arenaproof plan - <" + model,
           "cat " + model + " | arenaproof describe -",
           "arenaproof describe <(cat " + model + ")",
           "arenaproof plan - <" + problem,
           "arenaproof plan --format=csv " + problem + " | arenaproof verify -",
           "arenaproof plan --format=csv " + model + " | arenaproof verify " + model + " -",
           "arenaproof verify <(cat " + problem + ") - <" + json,
           "arenaproof verify - <(cat " + source + ") <" + problem,
       }) {
    const CommandRun run = Bash(line, "/");
    EXPECT_EQ(run.exit_status, 0) << line << run.errors;
    EXPECT_FALSE(HasText(run.output, "/proc/")) << line << run.output;
  }
  EXPECT_EQ(ParseJson(Bash("arenaproof plan --json - <" + problem, "/").output).at("model"), "-");
  const std::pair<std::string, const char*> kRefused[] = {
      {"echo no problem | arenaproof plan -", "arenaproof: '-': Line 1 names a column that is not known"},
      {"echo no plan | arenaproof verify " + problem + " -", "arenaproof: '-': Line 1 names a column"},
      {"arenaproof describe - </dev/null", "'-'"},
      {"arenaproof verify - - <" + problem, "both files are '-', and standard input is one"},
      {"head -c 300000000 /dev/zero | arenaproof verify " + problem + " -",
       "standard input has more than 268435456 bytes, which is the most that is read"},
      {"head -c 300000000 /dev/zero | arenaproof plan -", "'-': files of at most 268435456 bytes are read"},
  };
  for (const auto& [line, sentence] : kRefused) {
    const CommandRun run = Bash(line, "/");
    EXPECT_EQ(run.exit_status, 2) << line;
    EXPECT_TRUE(HasText(run.errors, sentence)) << line << run.errors;
    EXPECT_FALSE(HasText(run.errors, "/proc/")) << run.errors;
    EXPECT_EQ(CountOf("\n", run.errors), 1u) << run.errors;
  }
}

TEST(PlanInput, OfCsvIsWrittenAsSourceAndReadBack) {
  const std::string problem = WriteText("id,lower,upper,size\na*/b,0,9000000000,3000000000\nb,2,9,20\n", "p.csv");
  const CommandRun run = Arenaproof("plan --format=c " + problem);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(HasText(run.output, "of p.csv, planned by optimal.\n") &&
              HasText(run.output, "int64_t arenaproof_plan[2]"))
      << run.output;
  EXPECT_TRUE(HasText(run.output, "// buffer 'b': 20 bytes, alive 2 to 8\n")) << run.output;
  EXPECT_TRUE(HasText(run.output, ": 3000000000 bytes, alive 0 to 8999999999\n")) << run.output;
  const std::string source = WriteText(run.output, "p.c");
  EXPECT_EQ(Arenaproof("verify " + problem + " " + source).exit_status, 0);
  EXPECT_EQ(Arenaproof("plan --planner=precomputed:" + source + " " + problem).exit_status, 0);
}

TEST(PlanInput, WhoseFixedOffsetsOverlapIsRefusedAndShown) {
  const std::string same = "id,lower,upper,size,offset\na,0,4,3,\nb,0,4,8,0\nc,2,9,8,4\n";
  for (const std::string& text : {same, std::string(kOverlapping)}) {
    const std::string problem = WriteText(text, "p.csv");
    const std::pair<const char*, const char*> kFormats[] = {
        {"text", "the fixed offsets, which are refused: peak "},
        {"json", "\"plan_refused\""},
        {"csv", "\nc,2,9,8,4"},
        {"svg", "<svg "},
        {"html", "<!DOCTYPE html>"},
    };
    for (const auto& [format, shown] : kFormats) {
      const CommandRun run = Arenaproof("plan --format=" + std::string(format) + " " + problem);
      EXPECT_EQ(run.exit_status, 1) << run.errors;
      EXPECT_TRUE(HasText(run.output, shown)) << format << run.output;
      EXPECT_TRUE(HasText(run.errors,
                          "p.csv': buffer 'b' (8 bytes at offset 0, alive in [0, 4)) and buffer 'c' (8 bytes at "
                          "offset 4, alive in [2, 9)) share bytes from offset 4 on while both are alive"))
          << run.errors;
    }
    EXPECT_EQ(Arenaproof("verify " + WriteText(Arenaproof("plan --format=csv " + problem).output, "q.csv")).exit_status,
              1);
    EXPECT_EQ(Arenaproof("verify " + problem + " " + problem).exit_status, 2) << "no plan of it can be certified";
    EXPECT_EQ(Arenaproof("plan --embed=/nowhere/a " + problem).exit_status, 2);
  }
  const CommandRun trusted = Arenaproof("plan --trust-plan " + WriteText(same, "p.csv"));
  EXPECT_EQ(trusted.exit_status, 2);
  EXPECT_TRUE(HasText(trusted.errors, "--trust-plan is about a model's own plan, and '")) << trusted.errors;
}

TEST(PlanInput, RefusedPlansOfModelsAreWrittenAsCsv) {
  const std::string model = OverlappingModel();
  const CommandRun csv = Arenaproof("plan --format=csv " + model);
  EXPECT_EQ(csv.exit_status, 1);
  EXPECT_TRUE(csv.output.starts_with("id,lower,upper,size,offset,alignment\n")) << csv.output;
  EXPECT_EQ(Arenaproof("verify " + model + " " + WriteText(csv.output, "plan.csv")).exit_status, 1);
  const CommandRun source = Arenaproof("plan --format=c " + model);
  EXPECT_EQ(source.exit_status, 1);
  EXPECT_EQ(source.output, "");
  EXPECT_TRUE(HasText(source.errors, "no C source is written of a plan that is refused")) << source.errors;
}

TEST(PlanInput, ThePeakIsThatOfAnOperatorWhereOneHasIt) {
  const std::string model = ModelWithCustomOperator({0, -1, -1, 0, 0, 0});
  const std::string peak = "after operator 0 custom operator 'ethos-u': tensors ";
  for (const char* words : {"plan --trust-plan ", "verify --trust-plan ", "verify ", "describe --trust-plan "}) {
    const CommandRun run = Arenaproof(words + model);
    EXPECT_TRUE(HasText(run.output, peak)) << words << run.output;
    EXPECT_FALSE(HasText(run.output, "at step -1")) << run.output;
  }
}

}  // namespace
}  // namespace arenaproof::testing
