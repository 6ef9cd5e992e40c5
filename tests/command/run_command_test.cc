#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/input_generator.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::SeedModel;
using Json = nlohmann::json;

TEST(RunCommand, ReadsInputsAndWritesOutputsAsRawBytes) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8"), folder = testing::TemporaryFolder();
  std::vector<std::byte> input(20);
  ASSERT_TRUE(InputGenerator(7).Fill(TensorType::kInt8, input));
  std::ofstream(folder + "/input.bin", std::ios::binary).write(reinterpret_cast<const char*>(input.data()), 20);
  const auto from_file =
      Arenaproof("run " + model + " --json --input=0:" + folder + "/input.bin --output-dir=" + folder + "/out");
  ASSERT_EQ(from_file.exit_status, 0) << from_file.errors;
  const auto generated = Arenaproof("run " + model + " --json --seed=7");
  const Json first = Json::parse(from_file.output), second = Json::parse(generated.output);
  EXPECT_EQ(first.at("outputs"), second.at("outputs"));
  const auto bytes = testing::ReadFileBytes(folder + "/out/output_0.bin");
  ASSERT_EQ(bytes.size(), 4u);
  EXPECT_EQ(static_cast<double>(static_cast<std::int8_t>(bytes[0])), first.at("outputs")[0].at("first")[0]);
}

TEST(RunCommand, WritesNothingWhenItRefuses) {
  const std::string folder = testing::TemporaryFolder() + "/out";
  const auto run = Arenaproof("run " + SeedModel("fully_connected_20_to_64_int8") +
                              " --input=0:/etc/hostname --output-dir=" + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RunCommand, NeedsTheArenaItSaysAndNotOneByteLess) {
  const std::string model = SeedModel("keyword_spotting_int8");
  const auto run = Arenaproof("run " + model + " --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = Json::parse(run.output);
  const auto need = report.at("arena").at("need_bytes").get<std::size_t>();
  const auto exact = Arenaproof("run " + model + " --json --arena-bytes=" + std::to_string(need));
  EXPECT_EQ(exact.exit_status, 0);
  EXPECT_EQ(Json::parse(exact.output).at("outputs"), report.at("outputs"));
  const auto less = Arenaproof("run " + model + " --arena-bytes=" + std::to_string(need - 1));
  EXPECT_EQ(less.exit_status, 2);
  EXPECT_NE(less.errors.find("the arena is too small"), std::string::npos) << less.errors;
}

TEST(RunCommand, KeepsEveryTensorApart) {
  const auto run = Arenaproof("run " + SeedModel("residual_int8") + " --all-tensors --json");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = Json::parse(run.output);
  EXPECT_GT(report.at("tensors").size(), 10u);
  std::size_t end = 0;
  for (const Json& buffer : report.at("plan")) {
    EXPECT_GE(buffer.at("offset").get<std::size_t>(), end);
    end = buffer.at("offset").get<std::size_t>() + buffer.at("bytes").get<std::size_t>();
  }
}

TEST(DescribeCommand, ShowsPlanPictureAndNeed) {
  const auto describe = Arenaproof("describe " + SeedModel("fully_connected_20_to_64_int8"));
  EXPECT_EQ(describe.exit_status, 0);
  for (const char* piece : {"FULLY_CONNECTED", "1x20", "memory plan", "first_used=0", "which is the least"}) {
    EXPECT_NE(describe.output.find(piece), std::string::npos) << piece;
  }
}

TEST(DescribeCommand, ShowsWhatItCanOfAModelThatIsNotSupported) {
  const auto model = testing::SharedFile("models/control_while.tflite");
  if (!model) GTEST_SKIP() << testing::SharedAbsent("models/control_while.tflite");
  const auto describe = Arenaproof("describe " + model->string());
  EXPECT_NE(describe.output.find("subgraph 2: operators"), std::string::npos);
}

TEST(EveryCommand, SurvivesHostileModels) {
  const auto folder = testing::SharedFile("hostile");
  if (!folder) GTEST_SKIP() << testing::SharedAbsent("hostile");
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".tflite") continue;
    for (const char* command : {"run ", "describe "}) {
      const auto run = Arenaproof(command + entry.path().string());
      EXPECT_TRUE(run.exit_status == 0 || run.exit_status == 2) << command << entry.path() << "\n" << run.errors;
      if (run.exit_status == 2) {
        EXPECT_FALSE(run.errors.empty());
      }
    }
  }
}

TEST(EveryCommand, SurvivesEveryTruncationOfAModel) {
  const auto bytes = testing::ReadFileBytes(SeedModel("fully_connected_20_to_64_int8"));
  const std::string path = testing::TemporaryFolder() + "/cut.tflite";
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(length));
    EXPECT_EQ(Arenaproof("describe " + path).exit_status, 2) << length << " bytes";
  }
}

}  // namespace
}  // namespace arenaproof
