// The planner by choice, in every command that sets a model up.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::CommandRun;
using testing::ParseJson;
using testing::SeedModel;
using Json = nlohmann::json;

constexpr const char* kSetUpCommands[] = {"run ", "describe ", "check -v --instrument=none ", "size ",
                                          "size --two-arenas "};

std::string WritePlan(const std::string& text) {
  const std::string path = testing::TemporaryFolder() + "/plan.c";
  std::ofstream(path) << text;
  return path;
}

std::string PlanOf(const Json& plan) {
  std::string numbers;
  for (const Json& buffer : plan) numbers += std::to_string(buffer.at("offset").get<long long>()) + ",\n";
  return "const int32_t p[" + std::to_string(plan.size()) + "] = {\n" + numbers + "};\n";
}

// x, middle and y of 16 bytes, one behind the other.
const std::string& Chain() {
  static const std::string path = testing::ReluChainWithPlan({-1, -1, -1});
  return path;
}

// x + c, with an offset for c, which is a constant.
std::string ConstantWithPlan() {
  ModelBuilder builder;
  const auto c = builder.AddBufferOf(std::vector<float>(4, 1.0f));
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.AddTensor({.name = "x", .shape = {{1, 4}}});
  graph.AddTensor({.name = "c", .shape = {{1, 4}}, .buffer = c});
  graph.AddTensor({.name = "y", .shape = {{1, 4}}});
  graph.AddOperator(
      {.code = builder.AddCode(BuiltinOperator::kAdd), .inputs = {0, 1}, .outputs = {2}, .options = AddOptions{}});
  graph.inputs = {0};
  graph.outputs = {2};
  return testing::WriteModelWithPlan(builder, {-1, 0, -1});
}

TEST(PlannerCommands, EachPlannerRunsInEveryCommand) {
  const std::string plan = WritePlan("const int32_t p[3] = {32, 0, 32};");
  for (const char* command : kSetUpCommands) {
    for (const std::string& planner :
         {std::string("greedy"), std::string("linear"), std::string("arena"), "precomputed:" + plan}) {
      const std::string words = std::string(command) + Chain() + " --planner=" + planner;
      const CommandRun run = Arenaproof(words + " --json");
      ASSERT_EQ(run.exit_status, 0) << words << run.errors << run.output;
      EXPECT_EQ(ParseJson(run.output).at("planner"), planner);
      const CommandRun text = Arenaproof(words);
      ASSERT_EQ(text.exit_status, 0) << words << text.errors;
      EXPECT_EQ(text.output.find("--planner=" + planner + "\n") != std::string::npos, planner != "greedy")
          << text.output;
    }
  }
  const auto offsets = [&](const std::string& planner) {
    std::string text;
    const Json report = ParseJson(Arenaproof("run --json " + Chain() + " --planner=" + planner).output);
    for (const Json& buffer : report.at("plan")) {
      text += std::to_string(buffer.at("offset").get<long long>()) + " ";
    }
    return text;
  };
  EXPECT_EQ(offsets("linear"), "0 16 32 ");
  EXPECT_EQ(offsets("arena"), "0 64 128 ");  // the input keeps its bytes, at multiples of 64
  EXPECT_EQ(offsets("precomputed:" + plan), "32 0 32 ");
}

TEST(PlannerCommands, AnUnknownPlannerIsRefusedWithTheWordsThatWouldDo) {
  for (const char* command : kSetUpCommands) {
    for (const std::string word : {"optimal", "", "precomputed", "precomputed:", "Greedy"}) {
      const CommandRun run = Arenaproof(command + Chain() + " --planner=" + word);
      EXPECT_EQ(run.exit_status, 2) << word;
      EXPECT_EQ(run.output, "");
    }
    const CommandRun run = Arenaproof(command + Chain() + " --planner=optimal");
    EXPECT_NE(run.errors.find("'optimal' is no planner; greedy, linear, arena or precomputed:FILE would be right"),
              std::string::npos)
        << run.errors;
  }
}

TEST(PlannerCommands, APlanFileThatCannotBeReadIsNoPlan) {
  const std::string bad = WritePlan("const int32_t p[3] = {0,\n16};");
  for (const char* command : kSetUpCommands) {
    for (const auto& [file, sentence] :
         {std::pair(std::string("/nowhere.c"), std::string("/nowhere.c")),
          std::pair(bad, "'" + bad + "': line 1 counts '3' offsets, and the array has 2")}) {
      const std::string words = std::string(command) + Chain() + " --planner=precomputed:" + file;
      const CommandRun run = Arenaproof(words);
      EXPECT_EQ(run.exit_status, 2) << words;
      EXPECT_NE((run.errors + run.output).find(sentence), std::string::npos) << words << run.errors << run.output;
      EXPECT_NE(Arenaproof(words + " --json").output.find("\"planner_unusable\""), std::string::npos) << words;
    }
  }
}

TEST(PlannerCommands, APlanOfAnotherNumberOfBuffersIsNoPlan) {
  for (const std::string& file : {WritePlan("int32_t p[2] = {0, 16};"), WritePlan("int32_t p[4] = {0, 16, 0, 0};")}) {
    for (const char* command : kSetUpCommands) {
      const CommandRun run = Arenaproof(command + Chain() + " --json --planner=precomputed:" + file);
      EXPECT_EQ(run.exit_status, 2) << command << file;
      EXPECT_NE(run.output.find("\"planner_plan_count\""), std::string::npos) << run.output;
      EXPECT_NE(run.output.find("there are 3 buffers to place"), std::string::npos) << run.output;
      EXPECT_NE(run.output.find("the plan in '" + file + "': "), std::string::npos) << run.output;
    }
  }
}

TEST(PlannerCommands, APlanThatTheCertifierRefusesIsAViolation) {
  const std::string file = WritePlan("int32_t p[] = {0, 0, 16};");
  for (const char* command : kSetUpCommands) {
    const CommandRun run = Arenaproof(command + Chain() + " --json --planner=precomputed:" + file);
    EXPECT_EQ(run.exit_status, 1) << command << run.output;
    EXPECT_NE(run.output.find("\"plan_shared_bytes\""), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("the plan in '" + file + "': "), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("buffer 1 is tensor 1"), std::string::npos) << run.output;
  }
}

TEST(PlannerCommands, AnOffsetThatNoTensorMayHaveIsUnusableInput) {
  const std::string misaligned = WritePlan("int32_t p[] = {0, 24, 40};");
  const std::string far = WritePlan("int64_t p[] = {0, 4611686018427387904, 32};");
  std::vector<std::string> commands(std::begin(kSetUpCommands), std::end(kSetUpCommands));
  commands.emplace_back("plan ");
  for (const std::string& command : commands) {
    for (const std::string options : {"", " --no-sharing"}) {
      const CommandRun run = Arenaproof(command + Chain() + options + " --planner=precomputed:" + misaligned);
      EXPECT_EQ(run.exit_status, 2) << command << run.output;
      const std::string text = run.errors + run.output;
      EXPECT_NE(text.find("'" + misaligned + "': tensor 1 \"middle\" (16 bytes at offset 24"), std::string::npos)
          << text;
      EXPECT_NE(text.find("is misaligned: its offset has to be a multiple of 16"), std::string::npos) << text;
      EXPECT_EQ(text.find("violations found"), std::string::npos) << text;
      const CommandRun beyond = Arenaproof(command + Chain() + options + " --planner=precomputed:" + far);
      EXPECT_EQ(beyond.exit_status, 2) << command;
      EXPECT_FALSE((beyond.errors + beyond.output).empty()) << command;
    }
  }
}

TEST(PlannerCommands, APlannerWithoutFixedOffsetsRefusesAPlanOfTheModel) {
  const std::string model = testing::ReluChainWithPlan({0, 48, -1});
  const std::string plan = WritePlan("int32_t p[] = {0, 16, 0};");
  for (const char* command : kSetUpCommands) {
    for (const std::string& planner : {std::string("linear"), std::string("arena"), "precomputed:" + plan}) {
      const CommandRun run = Arenaproof(command + model + " --json --planner=" + planner);
      EXPECT_EQ(run.exit_status, 2) << command << planner;
      EXPECT_NE(run.output.find("rule V29"), std::string::npos) << run.output;
      EXPECT_NE(
          run.output.find("'" + planner.substr(0, planner.find(':')) + "' takes no fixed offsets; 'greedy' takes them"),
          std::string::npos)
          << run.output;
    }
  }
}

// Constants' offsets are warned about, and refused by the strict mode.
TEST(PlannerCommands, TheStrictModeRefusesOffsetsOfConstants) {
  const std::string model = ConstantWithPlan();
  for (const std::string command : {"run ", "describe ", "check --instrument=none ", "size ", "plan ", "verify "}) {
    const CommandRun loose = Arenaproof(command + model + " --json");
    ASSERT_EQ(loose.exit_status, 0) << loose.errors << loose.output;
    EXPECT_EQ(ParseJson(loose.output).at("strict_plan"), false);
    EXPECT_NE(loose.output.find("V22"), std::string::npos) << loose.output;
    const CommandRun strict = Arenaproof(command + model + " --strict-plan --json");
    EXPECT_EQ(strict.exit_status, 2) << strict.output;
    if (command != "plan " && command != "verify ") {
      EXPECT_EQ(ParseJson(strict.output).at("strict_plan"), true);
    }
    EXPECT_NE(strict.output.find("\"offline_plan_constant_tensor\""), std::string::npos) << strict.output;
  }
}

TEST(PlannerCommands, TheStrictModeOfAPlanThatIsNotUsedIsRefused) {
  const std::string model = ConstantWithPlan();
  const std::string plan = WritePlan("int32_t p[] = {0, 16};");
  for (const std::string& words :
       {"run --all-tensors " + model, "plan --ignore-plan " + model, "verify " + model + " " + plan,
        "plan --strip --embed=" + testing::TemporaryFolder() + "/out.tflite " + model}) {
    EXPECT_EQ(Arenaproof(words).exit_status, 0) << words;
    const CommandRun run = Arenaproof(words + " --strict-plan");
    EXPECT_EQ(run.exit_status, 2) << words << run.output;
    EXPECT_EQ(run.errors.find("arenaproof: --strict-plan is about the model's own plan, and "), 0u) << run.errors;
  }
  for (const std::string command : {"plan ", "verify "}) {
    const std::string csv = testing::WriteText("id,lower,upper,size,offset\na,0,4,16,0\n", "problem.csv");
    EXPECT_EQ(Arenaproof(command + csv).exit_status, 0);
    const CommandRun run = Arenaproof(command + csv + " --strict-plan");
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_NE(run.errors.find("is a CSV file"), std::string::npos) << run.errors;
  }
}

TEST(PlannerCommands, KeepingAllTensorsIsTheLinearPlannersAndNobodyElses) {
  for (const std::string words : {"", " --two-arenas"}) {
    const CommandRun all = Arenaproof("run --json --all-tensors " + Chain() + words);
    EXPECT_EQ(ParseJson(all.output).at("planner"), "linear");
  }
  const CommandRun run = Arenaproof("run --all-tensors --planner=arena " + Chain());
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_NE(run.errors.find("--all-tensors"), std::string::npos) << run.errors;
}

TEST(PlannerCommands, SharingIsListedAndCanBeSwitchedOff) {
  const std::string model = SeedModel("residual_int8");
  const CommandRun with = Arenaproof("run --json --planner=arena " + model);
  const CommandRun without = Arenaproof("run --json --planner=arena --no-sharing " + model);
  ASSERT_EQ(with.exit_status, 0) << with.errors;
  ASSERT_EQ(without.exit_status, 0) << without.errors;
  const Json shared = ParseJson(with.output), apart = ParseJson(without.output);
  EXPECT_EQ(shared.at("no_sharing"), false);
  EXPECT_EQ(apart.at("no_sharing"), true);
  EXPECT_FALSE(apart.contains("sharing"));
  ASSERT_TRUE(shared.contains("sharing"));
  EXPECT_EQ(shared.at("outputs"), apart.at("outputs"));
  const Json& plan = shared.at("plan");
  for (const Json& alias : shared.at("sharing")) {
    const Json& buffer = plan.at(alias.at("buffer").get<std::size_t>());
    const Json& source = plan.at(alias.at("source").get<std::size_t>());
    EXPECT_EQ(buffer.at("offset"), source.at("offset"));
    EXPECT_EQ(buffer.at("bytes"), source.at("bytes"));
  }
  const std::string check = "check --instrument=none --planner=arena --json " + model;
  const Json checked = ParseJson(Arenaproof(check).output);
  ASSERT_FALSE(checked.at("parts").empty());
  for (const Json& part : checked.at("parts")) {
    EXPECT_EQ(part.at("plan").at("sharing"), shared.at("sharing"));
  }
  const Json unshared = ParseJson(Arenaproof(check + " --no-sharing").output);
  ASSERT_FALSE(unshared.at("parts").empty());
  for (const Json& part : unshared.at("parts")) {
    EXPECT_FALSE(part.at("plan").contains("sharing"));
  }
  for (const std::string command : {"run ", "describe ", "check -v --instrument=none ", "size "}) {
    EXPECT_NE(Arenaproof(command + "--planner=arena " + model).output.find(" lies in the bytes of tensor "),
              std::string::npos);
  }
  EXPECT_NE(Arenaproof("run --planner=arena --no-sharing " + model).output.find(" --planner=arena --no-sharing\n"),
            std::string::npos);
  const std::string described = Arenaproof("describe --planner=arena " + model).output;
  const std::size_t picture = described.find("its picture:");
  ASSERT_NE(picture, std::string::npos);
  EXPECT_EQ(described.find('!', picture), std::string::npos) << "a group is no collision";
  // The same plan from a file; without sharing it lets live tensors share bytes.
  const std::string file = WritePlan(PlanOf(plan));
  const CommandRun given = Arenaproof("run --json --planner=precomputed:" + file + " " + model);
  ASSERT_EQ(given.exit_status, 0) << given.errors;
  EXPECT_EQ(ParseJson(given.output).at("sharing"), shared.at("sharing"));
  const CommandRun refused = Arenaproof("run --json --no-sharing --planner=precomputed:" + file + " " + model);
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_NE(refused.output.find("\"plan_shared_bytes\""), std::string::npos) << refused.output;
}

// NEG x -> a, RESHAPE a -> b in the bytes of a, ADD a, b -> c, NEG c -> y.
std::string TwoNamesOfOneInput() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "a", "b", "c", "y"}) graph.AddTensor({.name = name, .shape = {{8}}});
  const auto add = [&](BuiltinOperator code, std::vector<std::int32_t> inputs, std::int32_t output,
                       OperatorOptions options = {}) {
    graph.AddOperator(
        {.code = builder.AddCode(code), .inputs = std::move(inputs), .outputs = {output}, .options = options});
  };
  add(BuiltinOperator::kNeg, {0}, 1);
  add(BuiltinOperator::kReshape, {1}, 2, ReshapeOptions{});
  add(BuiltinOperator::kAdd, {1, 2}, 3, AddOptions{});
  add(BuiltinOperator::kNeg, {3}, 4);
  graph.inputs = {0};
  graph.outputs = {4};
  return testing::WriteModel(builder.Finish());
}

TEST(PlannerCommands, AnOperatorMayReadTwoNamesOfTheSameBytes) {
  const std::string model = TwoNamesOfOneInput();
  for (const std::string instrument : {"all-available", "guard", "canary", "twofill", "none"}) {
    const CommandRun run = Arenaproof("check --json --planner=arena --instrument=" + instrument + " " + model);
    ASSERT_EQ(run.exit_status, 0) << instrument << run.output;
    const Json report = ParseJson(run.output);
    ASSERT_FALSE(report.at("parts").empty());
    for (const Json& part : report.at("parts")) EXPECT_EQ(part.at("plan").at("sharing").size(), 1u);
  }
}

TEST(PlannerCommands, AReportOfViolationsSaysThePlannerAgain) {
  const CommandRun run = Arenaproof("check -v --kernels=aligned-faulty --layout=dilated --planner=arena --no-sharing " +
                                    SeedModel(testing::kFullyConnected));
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_NE(run.output.find("--seed=1 --planner=arena --no-sharing\n"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace arenaproof
