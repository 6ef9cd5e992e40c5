// What run, describe and check say about a model's own memory plan, and how they end.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::CommandRun;
using testing::CountOf;
using testing::OverlappingModel;
using testing::ParseJson;
using testing::ReluChainWithPlan;
using testing::WriteModelWithPlan;
using Json = nlohmann::json;

constexpr const char* kCommands[] = {
    "run ", "describe ", "check -v --instrument=none ", "size ", "size --target=arm32 ", "size --two-arenas "};

constexpr const char* kPair =
    "rule V20 of docs/offline_plans.md: tensor 0 of subgraph 0 \"x\" (16 bytes at offset 0, alive in steps 0 to 1) and "
    "tensor 1 of subgraph 0 "
    "\"middle\" "
    "(16 bytes at offset 0, alive in steps 1 to 2) share bytes from offset 0 on";

TEST(OfflinePlanCommands, ASoundPlanIsFollowedAndReported) {
  const std::string model = ReluChainWithPlan({0, 48, -1});
  const CommandRun run = Arenaproof("run " + model + " --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  EXPECT_EQ(report.at("plan").at(1).at("offset"), 48);
  EXPECT_EQ(report.at("offline_plan").at("summary"), "offline plan in metadata entry 0: fixes 2 of 3 tensors");
  EXPECT_EQ(report.at("offline_plan").at("warnings"), Json::array());
  const CommandRun described = Arenaproof("describe " + model);
  EXPECT_EQ(described.exit_status, 0) << described.errors;
  EXPECT_NE(described.output.find("offline plan in metadata entry 0: fixes 2 of 3 tensors"), std::string::npos);
}

// Every tensor is kept apart: the model's plan has no say, even one that is refused elsewhere, and that is reported.
TEST(OfflinePlanCommands, KeepingAllTensorsApartUsesNoPlanOfTheModel) {
  const std::string unused = "offline plan in metadata entry 0: not used, --all-tensors keeps every tensor apart";
  for (const std::string& model :
       {ReluChainWithPlan({0, 48, -1}), OverlappingModel(), ReluChainWithPlan({0, 40, -1})}) {
    for (const std::string words : {"", " --trust-plan", " --two-arenas", " --record", " --arena-bytes=65536"}) {
      const CommandRun run = Arenaproof("run --all-tensors --json " + model + words);
      ASSERT_EQ(run.exit_status, 0) << words << run.errors;
      const Json report = ParseJson(run.output);
      EXPECT_EQ(report.at("offline_plan").at("summary"), unused);
      ASSERT_EQ(report.at("tensors").size(), 3u);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(report.at("plan").at(i).at("offset"), 16 * i);
    }
    EXPECT_NE(Arenaproof("run --all-tensors " + model).output.find("\n" + unused + "\n"), std::string::npos);
  }
  const CommandRun without = Arenaproof("run --all-tensors --json " + testing::SeedModel("sine_regressor_int8"));
  EXPECT_FALSE(ParseJson(without.output).contains("offline_plan")) << without.errors;
}

// The values are those of the plan, where tensors that are alive together share nothing.
TEST(OfflinePlanCommands, KeepingAllTensorsApartChangesNoOutput) {
  const std::string model = testing::SeedModel("fixed_plan_float");
  const Json planned = ParseJson(Arenaproof("run --json " + model).output);
  const Json apart = ParseJson(Arenaproof("run --json --all-tensors " + model).output);
  EXPECT_EQ(apart.at("outputs"), planned.at("outputs"));
}

TEST(OfflinePlanCommands, TensorsThatShareBytesAreAViolationInEveryCommand) {
  const std::string model = OverlappingModel();
  for (const std::string command : kCommands) {
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 1) << command << run.errors;
    EXPECT_NE(run.errors.find("'" + model + "': "), std::string::npos) << command << run.errors;
    EXPECT_NE(run.errors.find(kPair), std::string::npos) << command << run.errors << run.output;
    const CommandRun json = Arenaproof(command + model + " --json");
    EXPECT_EQ(json.exit_status, 1) << command;
    EXPECT_EQ(ParseJson(json.output).at("exit_status"), 1) << command;
    EXPECT_NE(ParseJson(json.output).dump().find(Json(kPair).dump().substr(1, 80)), std::string::npos) << command;
  }
}

TEST(OfflinePlanCommands, OtherRefusalsAreUnusableInput) {
  for (const auto& [model, check] : {std::pair{ReluChainWithPlan({0, 40, -1}), "rule V17 of docs/offline_plans.md"},
                                     {ReluChainWithPlan({0, -2, -1}), "rule V16 of docs/offline_plans.md"},
                                     {ReluChainWithPlan({0, 48}), "rule V12 of docs/offline_plans.md"},
                                     {ReluChainWithPlan({0, 0x7FFFFFF0, -1}), "rule V18 of docs/offline_plans.md"}}) {
    for (const std::string command : kCommands) {
      const CommandRun run = Arenaproof(command + model);
      EXPECT_EQ(run.exit_status, 2) << command << check;
      EXPECT_NE(run.errors.find(check), std::string::npos) << command << run.errors;
    }
  }
}

TEST(OfflinePlanCommands, TrustIsAskedForByNameAndEachOverlapIsListed) {
  const std::string model = OverlappingModel();
  for (const std::string command : kCommands) {
    const CommandRun run = Arenaproof(command + model + " --trust-plan");
    EXPECT_EQ(run.exit_status, 0) << command << run.errors;
    EXPECT_NE(run.output.find("trusted: 1 overlap of tensors that are alive together"), std::string::npos)
        << command << run.output;
    EXPECT_NE(run.output.find("\"middle\" (16 bytes at offset 0"), std::string::npos) << command;
  }
  for (const std::string command : {"run", "size"}) {
    const Json report = ParseJson(Arenaproof(command + " --trust-plan --json " + model).output);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlaps").size(), 1u);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlap_count"), 1);
  }
}

// `count` inputs at offset 0, all alive before the first operator: each pair of them shares its bytes.
std::string ModelOfInputsAtOnePlace(int input_count, std::size_t name_bytes = 0) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i <= input_count; ++i) {
    graph.AddTensor(
        {.name = std::string(name_bytes, 'n'), .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{4}});
    if (i < input_count) graph.inputs.push_back(i);
  }
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {input_count}});
  graph.outputs = {input_count};
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(input_count) + 1, 0);
  offsets.back() = 16;
  return WriteModelWithPlan(builder, offsets);
}

TEST(OfflinePlanCommands, EachTrustedOverlapIsListedAndTextShowsAHundred) {
  const std::string model = ModelOfInputsAtOnePlace(40);
  for (const std::string command : {"describe ", "size ", "run ", "check -v --instrument=asan "}) {
    const CommandRun run = Arenaproof(command + model + " --trust-plan");
    ASSERT_EQ(run.exit_status, 0) << command << run.errors.substr(0, 2000);
    EXPECT_NE(run.output.find("trusted: 780 overlaps of tensors that are alive together"), std::string::npos);
    EXPECT_NE(run.output.find("    and 680 more; --json lists all of them\n"), std::string::npos) << command;
    EXPECT_EQ(CountOf("share bytes from offset", run.output), 100u) << command;
    const Json report = ParseJson(Arenaproof(command + model + " --trust-plan --json").output);
    const Json& plan =
        report.contains("parts") ? report.at("parts").at(0).at("offline_plan") : report.at("offline_plan");
    const std::vector<std::string> overlaps = plan.at("trusted_overlaps");
    EXPECT_EQ(std::set<std::string>(overlaps.begin(), overlaps.end()).size(), 780u) << command;
    EXPECT_EQ(plan.at("trusted_overlap_count"), 780) << command;
    EXPECT_EQ(plan.at("trusted_overlaps_not_listed"), 0) << command;
  }
}

// A list that would take all memory has an end, and says so.
TEST(OfflinePlanCommands, OfHalfAMillionTrustedOverlapsAHundredThousandAreListedAndAllCounted) {
  const std::string model = ModelOfInputsAtOnePlace(1000);
  const CommandRun run = Arenaproof("size " + model + " --trust-plan");
  ASSERT_EQ(run.exit_status, 0) << run.errors.substr(0, 2000);
  EXPECT_NE(run.output.find("trusted: 499500 overlaps of tensors that are alive together"), std::string::npos);
  EXPECT_NE(run.output.find("    and 499400 more; --json lists the first 100000 of all\n"), std::string::npos);
  for (const std::string command : {"size ", "check --instrument=asan --layout=faithful "}) {
    const Json report = ParseJson(Arenaproof(command + model + " --trust-plan --json").output);
    const Json& plan =
        report.contains("parts") ? report.at("parts").at(0).at("offline_plan") : report.at("offline_plan");
    EXPECT_EQ(plan.at("trusted_overlaps").size(), 100000u) << command;
    EXPECT_EQ(plan.at("trusted_overlap_count"), 499500) << command;
    EXPECT_EQ(plan.at("trusted_overlaps_not_listed"), 399500) << command;
  }
}

// Each name is cut where it is printed, and the list ends when its sentences together are too long.
TEST(OfflinePlanCommands, SentencesAboutTensorsWithEndlessNamesAreBoundedTogether) {
  const std::string model = ModelOfInputsAtOnePlace(450, 1000);
  const CommandRun run = Arenaproof("size " + model + " --trust-plan --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors.substr(0, 2000);
  EXPECT_LT(run.output.size(), std::size_t{32} << 20);
  const Json plan = ParseJson(run.output).at("offline_plan");
  const std::size_t listed = plan.at("trusted_overlaps").size();
  EXPECT_GT(listed, 10000u);
  EXPECT_LT(listed, 100000u);
  EXPECT_EQ(plan.at("trusted_overlap_count"), 450 * 449 / 2);
  EXPECT_EQ(plan.at("trusted_overlaps_not_listed"), 450 * 449 / 2 - listed);
}

TEST(OfflinePlanCommands, WarningsAreReported) {
  const CommandRun run = Arenaproof("run " + ReluChainWithPlan({0, 16, 0}));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_NE(run.output.find("warning: the offline plan in metadata entry 0, by rule V26 of docs/offline_plans.md"),
            std::string::npos)
      << run.output;
}

// Tensors that share bytes on purpose move together: inside their group operands stay neighbours in both layouts.
TEST(OfflinePlanCommands, TrustedTensorsAreCheckedInBothLayoutsAndTheirBlindPairsCounted) {
  const CommandRun run = Arenaproof("check --trust-plan --json " + OverlappingModel());
  ASSERT_EQ(run.exit_status, 0) << run.errors << run.output;
  const Json report = ParseJson(run.output);
  ASSERT_EQ(report.at("parts").size(), 4u) << "build the presets shadow and asan beside this one";
  for (const Json& part : report.at("parts")) {
    EXPECT_EQ(part.at("offline_plan").at("trusted_overlaps").size(), 1u);
    EXPECT_GE(part.at("blind_pairs").at("count"), 1);
    if (part.at("layout") == "dilated") EXPECT_EQ(part.at("blind_pairs").at("count"), 1);
    const Json& buffers = part.at("plan").at("buffers");
    EXPECT_EQ(buffers.at(0).at("offset"), buffers.at(1).at("offset"));
  }
}

}  // namespace
}  // namespace arenaproof
