// What run, describe and check say about a model's own memory plan, and how they end.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/model/offline_plan.h"
#include "tests/command/command_support.h"
#include "tools/model_builder.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::CommandRun;
using Json = nlohmann::json;

std::string WriteModelWithPlan(ModelBuilder& builder, const std::vector<std::int32_t>& offsets) {
  std::vector<std::byte> plan(OfflinePlanBytes(offsets.size()));
  EncodeOfflinePlan({.version = 0, .subgraph_count = 1}, offsets, plan);
  builder.AddMetadata(std::string(kOfflinePlanName), plan);
  return testing::WriteModel(builder.Finish());
}

// x -> RELU -> middle -> RELU -> y, floats of 16 bytes each, and a plan for the three.
std::string ModelWithPlan(const std::vector<std::int32_t>& offsets) {
  ModelBuilder builder;
  testing::AddReluChain(builder);
  return WriteModelWithPlan(builder, offsets);
}

// x and middle are alive together in the first operator.
std::string OverlappingModel() { return ModelWithPlan({0, 0, 16}); }

constexpr const char* kCommands[] = {
    "run ", "describe ", "check --instrument=none ", "size ", "size --target=arm32 ", "size --two-arenas "};

constexpr const char* kPair =
    "check V20: tensor 0 of subgraph 0 \"x\" (16 bytes at offset 0, alive [0, 1]) and tensor 1 of subgraph 0 "
    "\"middle\" "
    "(16 bytes at offset 0, alive [1, 2]) share bytes from offset 0 on";

TEST(OfflinePlanCommands, ASoundPlanIsFollowedAndTold) {
  const std::string model = ModelWithPlan({0, 48, -1});
  const CommandRun run = Arenaproof("run " + model + " --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = Json::parse(run.output);
  EXPECT_EQ(report.at("plan").at(1).at("offset"), 48);
  EXPECT_EQ(report.at("offline_plan").at("summary"), "offline plan in metadata entry 0: fixes 2 of 3 tensors");
  EXPECT_EQ(report.at("offline_plan").at("warnings"), Json::array());
  const CommandRun described = Arenaproof("describe " + model);
  EXPECT_EQ(described.exit_status, 0) << described.errors;
  EXPECT_NE(described.output.find("offline plan in metadata entry 0: fixes 2 of 3 tensors"), std::string::npos);
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
    EXPECT_EQ(Json::parse(json.output).at("exit_status"), 1) << command;
    EXPECT_NE(Json::parse(json.output).dump().find(Json(kPair).dump().substr(1, 80)), std::string::npos) << command;
  }
}

TEST(OfflinePlanCommands, OtherRefusalsAreUnusableInput) {
  for (const auto& [model, check] : {std::pair{ModelWithPlan({0, 40, -1}), "check V17"},
                                     {ModelWithPlan({0, -2, -1}), "check V16"},
                                     {ModelWithPlan({0, 48}), "check V12"},
                                     {ModelWithPlan({0, 0x7FFFFFF0, -1}), "check V18"}}) {
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
    const Json report = Json::parse(Arenaproof(command + " --trust-plan --json " + model).output);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlaps").size(), 1u);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlap_count"), 1);
  }
}

// A thousand inputs at offset 0, all alive before the first operator.
TEST(OfflinePlanCommands, AHundredTrustedOverlapsAreListedAndAllOfThemCounted) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 1001; ++i) {
    graph.AddTensor({.type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{4}});
    if (i < 1000) graph.inputs.push_back(i);
  }
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {0}, .outputs = {1000}});
  graph.outputs = {1000};
  std::vector<std::int32_t> offsets(1001, 0);
  offsets.back() = 16;
  const std::string model = WriteModelWithPlan(builder, offsets);
  for (const std::string command : {"describe ", "size "}) {
    const CommandRun run = Arenaproof(command + model + " --trust-plan");
    ASSERT_EQ(run.exit_status, 0) << command << run.errors.substr(0, 2000);
    EXPECT_NE(run.output.find("trusted: 499500 overlaps of tensors that are alive together"), std::string::npos);
    EXPECT_NE(run.output.find("    and 499400 more, which are not listed\n"), std::string::npos);
    std::size_t listed = 0;
    for (auto place = run.output.find("share bytes from offset"); place != std::string::npos;
         place = run.output.find("share bytes from offset", place + 1)) {
      ++listed;
    }
    EXPECT_EQ(listed, 100u);
    const Json report = Json::parse(Arenaproof(command + model + " --trust-plan --json").output);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlaps").size(), 100u);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlap_count"), 499500);
  }
}

TEST(OfflinePlanCommands, WarningsAreReported) {
  const CommandRun run = Arenaproof("run " + ModelWithPlan({0, 16, 0}));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_NE(run.output.find("warning: the offline plan in metadata entry 0, check V26"), std::string::npos)
      << run.output;
}

// Tensors that share bytes on purpose move together: inside their group operands stay neighbours in both layouts.
TEST(OfflinePlanCommands, TrustedTensorsAreCheckedInBothLayoutsAndTheirBlindPairsCounted) {
  const CommandRun run = Arenaproof("check --trust-plan --json " + OverlappingModel());
  ASSERT_EQ(run.exit_status, 0) << run.errors << run.output;
  const Json report = Json::parse(run.output);
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
