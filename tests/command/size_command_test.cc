// `arenaproof size` from end to end: the figures hold in a real run, every byte is accounted for, refusals say why.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

Json SizeReport(const std::string& words) {
  const CommandRun run = Arenaproof("size --json " + words);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
  return ParseJson(run.output);
}

std::string ReluChain() {
  ModelBuilder builder;
  AddReluChain(builder);
  return WriteModel(builder.Finish());
}

void ExpectPieces(const std::string& text, const std::vector<std::string>& pieces) {
  std::size_t place = 0;
  for (const std::string& piece : pieces) {
    const auto found = text.find(piece, place);
    ASSERT_NE(found, std::string::npos) << "'" << piece << "' does not follow in\n" << text;
    place = found;
  }
}

TEST(SizeCommand, TellsTheArenaThatARunNeedsToTheByte) {
  for (const std::string& model : {SeedModel(kFullyConnected), ReluChain()}) {
    const auto need = SizeReport(model).at("faithful").at("need_bytes").get<std::size_t>();
    EXPECT_EQ(Arenaproof("run " + model + " --arena-bytes=" + std::to_string(need)).exit_status, 0);
    const CommandRun less = Arenaproof("run " + model + " --arena-bytes=" + std::to_string(need - 1));
    EXPECT_EQ(less.exit_status, 2) << less.output;
    const Json described = ParseJson(Arenaproof("describe --json " + model).output);
    EXPECT_EQ(described.at("arena").at("need_bytes"), need);
  }
}

TEST(SizeCommand, BreaksTheBytesDownByTensorOperatorAndStep) {
  const std::string model = ReluChain();
  const Json report = SizeReport(model);
  EXPECT_EQ(report.at("command"), "size");
  EXPECT_EQ(report.at("model"), model);
  EXPECT_EQ(report.at("kernels"), "reference");
  EXPECT_EQ(report.at("target"), "host64");
  EXPECT_EQ(report.at("two_arenas"), false);
  EXPECT_EQ(report.at("trust_plan"), false);
  EXPECT_EQ(report.at("exit_status"), 0);
  EXPECT_FALSE(report.contains("refusal"));
  EXPECT_FALSE(report.contains("offline_plan"));
  const Json& faithful = report.at("faithful");
  EXPECT_FALSE(faithful.contains("persistent_need_bytes"));
  EXPECT_NE(faithful.at("limited_by"), "");
  // y takes the place of x.
  EXPECT_EQ(faithful.at("head_bytes"), 32);
  ASSERT_EQ(faithful.at("plan").size(), 3u);
  const char* const names[] = {"x", "middle", "y"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(faithful.at("plan")[i].at("name"), names[i]);
    EXPECT_EQ(faithful.at("plan")[i].at("bytes"), 16);
  }
  ASSERT_EQ(faithful.at("steps").size(), 3u);
  EXPECT_EQ(faithful.at("steps")[0], ParseJson(R"({"live_bytes": 16, "buffers": [0]})"));
  EXPECT_EQ(faithful.at("steps")[1], ParseJson(R"({"live_bytes": 32, "buffers": [0, 1]})"));
  EXPECT_EQ(faithful.at("steps")[2], ParseJson(R"({"live_bytes": 32, "buffers": [1, 2]})"));
  for (const char* layout : {"faithful", "dilated"}) {
    std::size_t tail_bytes = 0;
    for (const Json& category : report.at(layout).at("categories")) {
      tail_bytes += category.at("used_bytes").get<std::size_t>();
    }
    EXPECT_EQ(report.at(layout).at("tail_bytes"), tail_bytes) << layout;
    for (const Json& op : report.at(layout).at("operators")) EXPECT_EQ(op.at("name"), "RELU");
  }
  EXPECT_GT(report.at("dilated").at("need_bytes"), faithful.at("need_bytes"));
}

TEST(SizeCommand, NamesOperatorsWithTheirScratchAndPersistentBytes) {
  const Json faithful = SizeReport(SeedModel("person_detection_int8")).at("faithful");
  std::size_t scratch_bytes = 0, persistent_bytes = 0;
  for (const Json& op : faithful.at("operators")) {
    scratch_bytes += op.at("scratch_bytes").get<std::size_t>();
    persistent_bytes += op.at("persistent_bytes").get<std::size_t>();
    EXPECT_NE(op.at("name"), "");
  }
  std::size_t planned_scratch_bytes = 0;
  for (const Json& buffer : faithful.at("plan")) {
    if (buffer.at("tensor") == -1) planned_scratch_bytes += (buffer.at("bytes").get<std::size_t>() + 15) / 16 * 16;
  }
  EXPECT_EQ(scratch_bytes, planned_scratch_bytes);
  EXPECT_GT(persistent_bytes, 0u);
  EXPECT_LT(persistent_bytes, faithful.at("tail_bytes"));
}

TEST(SizeCommand, ShowsPeopleTheSameInFiveTables) {
  const std::string model = ReluChain();
  const CommandRun run = Arenaproof("size " + model);
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json faithful = SizeReport(model).at("faithful");
  const std::string need = std::to_string(faithful.at("need_bytes").get<std::size_t>());
  ExpectPieces(
      run.output,
      {"arenaproof size " + model + " --kernels=reference --target=host64\n",
       "arena needed on this 64-bit machine: " + need + " bytes\n", "15 bytes more are enough at any address",
       "one byte less, and there is no room for " + faithful.at("limited_by").get<std::string>(), "faithful", "dilated",
       "need", "where the tail goes\n", "allocator", "what operators take (bytes)\n",
       "tensors and scratch buffers in the head\n", "middle", "use over time", "32 bytes no plan can go below"});
}

TEST(SizeCommand, AnswersForA32BitDevice) {
  const std::string model = SeedModel(kFullyConnected);
  const Json host = SizeReport(model), device = SizeReport(model + " --target=arm32");
  EXPECT_EQ(device.at("target"), "arm32");
  EXPECT_FALSE(device.contains("dilated")) << "the checker's layout is for this machine";
  EXPECT_LT(device.at("faithful").at("need_bytes"), host.at("faithful").at("need_bytes"));
  EXPECT_EQ(device.at("faithful").at("plan"), host.at("faithful").at("plan"));
  ExpectPieces(Arenaproof("size --target=arm32 " + model).output,
               {"arena needed on a 32-bit ARM device: " +
                std::to_string(device.at("faithful").at("need_bytes").get<std::size_t>()) + " bytes\n"});
}

TEST(SizeCommand, AnswersForTwoArenas) {
  const std::string model = SeedModel(kFullyConnected);
  const Json one = SizeReport(model).at("faithful"), report = SizeReport(model + " --two-arenas");
  EXPECT_EQ(report.at("two_arenas"), true);
  for (const char* layout : {"faithful", "dilated"}) {
    EXPECT_NE(report.at(layout).at("persistent_limited_by"), "");
    EXPECT_GE(report.at(layout).at("persistent_need_bytes"), report.at(layout).at("tail_bytes"));
    EXPECT_GE(report.at(layout).at("need_bytes"), report.at(layout).at("head_bytes"));
  }
  const Json& two = report.at("faithful");
  EXPECT_EQ(two.at("head_bytes"), one.at("head_bytes"));
  EXPECT_LT(two.at("need_bytes"), one.at("need_bytes"));
  ExpectPieces(
      Arenaproof("size --two-arenas " + model).output,
      {"two arenas needed on this 64-bit machine: " + std::to_string(two.at("need_bytes").get<std::size_t>()) +
           " bytes for head and temporaries, " + std::to_string(two.at("persistent_need_bytes").get<std::size_t>()) +
           " bytes for what is persistent\n",
       "one byte less of the persistent one", "persistent need"});
}

// More than the last arena but one that is tried. An arena for it is not touched, so it costs nothing.
TEST(SizeCommand, KnowsArenasUpToTwoGibibytes) {
  const std::string model = ReluChainWithPlan({0x50000000, -1, -1});
  const Json described = ParseJson(Arenaproof("describe --json " + model).output);
  EXPECT_EQ(SizeReport(model).at("faithful").at("need_bytes"), described.at("arena").at("need_bytes"));
  for (const std::string words : {" --two-arenas", " --target=arm32", " --target=arm32 --two-arenas"}) {
    EXPECT_GE(SizeReport(model + words).at("faithful").at("need_bytes"), 0x50000010) << words;
  }
}

// Beyond them the room that a refusal names is that of the largest arena.
TEST(SizeCommand, RefusesWhatNoArenaHoldsWithTheRoomOfTheLargest) {
  const std::string model = ReluChainWithPlan({0x7FFFFF80, -1, -1});
  const CommandRun run = Arenaproof("size " + model);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors, Arenaproof("describe " + model).errors);
  const std::string leaves = "for which the arena leaves ";
  const auto place = run.errors.find(leaves);
  ASSERT_NE(place, std::string::npos) << run.errors;
  EXPECT_GT(std::stoull(run.errors.substr(place + leaves.size())), 2'147'000'000u) << run.errors;
}

TEST(SizeCommand, RefusalsSayWhyInTextAndJson) {
  const std::string model = ReluChainWithPlan({0, 40, -1});
  for (const std::string words : {"", " --target=arm32", " --two-arenas"}) {
    const CommandRun run = Arenaproof("size " + model + words);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors.find("rule V17 of docs/offline_plans.md: tensor 1 of subgraph 0 has offset 40"),
              std::string::npos)
        << run.errors;
    const CommandRun json = Arenaproof("size --json " + model + words);
    EXPECT_EQ(json.exit_status, 2);
    const Json report = ParseJson(json.output);
    EXPECT_EQ(report.at("exit_status"), 2);
    EXPECT_NE(report.at("refusal").get<std::string>().find("rule V17 of docs/offline_plans.md"), std::string::npos);
    EXPECT_FALSE(report.contains("faithful"));
  }
}

// A sentence about two tensors is longer than what a name may take, and is given whole.
TEST(SizeCommand, ARefusalForSharedBytesIsTheWholeSentenceOfTheOtherCommands) {
  const std::string model = OverlappingModel();
  const CommandRun run = Arenaproof("size " + model);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_EQ(run.errors, Arenaproof("describe " + model).errors);
  EXPECT_NE(run.errors.find("--trust-plan accepts that, lists such pairs and counts them\n"), std::string::npos)
      << run.errors;
}

TEST(SizeCommand, TrustedPlansAreSizedAndTheirOverlapsListed) {
  const std::string model = OverlappingModel();
  const CommandRun run = Arenaproof("size --trust-plan " + model);
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  ExpectPieces(run.output, {" --trust-plan\n", "offline plan in metadata entry 0: fixes 3 of 3 tensors",
                            "trusted: 1 overlap of tensors that are alive together", "\"x\" (16 bytes at offset 0",
                            "arena needed"});
  for (const std::string words : {"", " --two-arenas", " --target=arm32"}) {
    const Json report = SizeReport("--trust-plan " + model + words);
    EXPECT_EQ(report.at("trust_plan"), true);
    EXPECT_EQ(report.at("faithful").at("head_bytes"), 32);
    EXPECT_EQ(report.at("offline_plan").at("trusted_overlaps").size(), 1u);
  }
}

TEST(SizeCommand, WarnsOfAPlanAsTheOthersDo) {
  const CommandRun run = Arenaproof("size " + ReluChainWithPlan({0, 16, 0}));
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_NE(run.output.find("  warning: the offline plan in metadata entry 0, by rule V26 of docs/offline_plans.md"),
            std::string::npos);
}

}  // namespace
}  // namespace arenaproof::testing
