// Parts of checks run side by side, and one worker takes many models: neither shows in what is reported.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/started_command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

const std::string kSine = "sine_regressor_int8";

std::string TextModel() { return WriteText("no model", "text.tflite"); }

// Without what differs from run to run.
Json WithoutTimes(Json report) {
  if (!report.contains("parts")) return report;
  for (Json& part : report.at("parts")) part.erase("seconds");
  return report;
}

TEST(Jobs, DecideHowLongACheckTakesAndNothingElse) {
  const std::string words = "check -v --kernels=aligned-faulty " + SeedModel(kFullyConnected) + " " + TextModel() +
                            " " + SeedModel(kFullyConnected) + " --jobs=";
  const auto one = Arenaproof(words + "1");
  EXPECT_EQ(one.exit_status, 2);
  for (const char* jobs : {"0", "2", "3", "40"}) {
    const auto many = Arenaproof(words + jobs);
    EXPECT_EQ(many.exit_status, one.exit_status) << jobs;
    EXPECT_EQ(many.output, one.output) << jobs;
    EXPECT_EQ(many.errors, one.errors) << jobs;
  }
}

// What a model comes to does not depend on which models its workers had before.
TEST(Jobs, OfManyModelsAreReportedAsThoseOfEach) {
  const std::string words = "check --json --kernels=aligned-faulty --instrument=";
  const std::vector<std::string> models = {SeedModel(kFullyConnected), TextModel(),
                                           SeedModel(kFullyConnected), SeedModel("keyword_spotting_int8"),
                                           "/nowhere.tflite",          SeedModel(kFullyConnected)};
  for (const char* instrument : {"shadow", "asan", "guard", "canary", "twofill", "valgrind", "none"}) {
    std::string all = words + instrument;
    for (const std::string& model : models) all += " " + model;
    const Json together = ParseJson(Arenaproof(all).output).at("models");
    ASSERT_EQ(together.size(), models.size());
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Json alone = ParseJson(Arenaproof(words + instrument + " " + models[i]).output);
      Json one = together[i];
      // They stand once for all models, or for each.
      for (const auto& [key, value] : alone.items()) {
        if (!one.contains(key)) one[key] = value;
      }
      EXPECT_EQ(WithoutTimes(one), WithoutTimes(alone)) << instrument << " " << models[i];
    }
  }
}

TEST(Jobs, OfAModelWhoseKernelsDieAreItsOwn) {
  const std::string relu = ReluChain(), other = SeedModel("sine_regressor_float");
  for (const char* jobs : {"1", "3"}) {
    const auto run =
        Arenaproof("check --json --instrument=canary --fallback=reference --kernels=" + FaultyLibrary() +
                       " --jobs=" + jobs + " " + other + " " + relu + " " + other + " " + relu + " " + other,
                   "ARENAPROOF_FAULT=invoke_crash");
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    const Json models = ParseJson(run.output).at("models");
    ASSERT_EQ(models.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(models[i].at("exit_status"), i % 2) << i << models[i];
      for (const Json& part : models[i].at("parts")) {
        EXPECT_EQ(HasText(part.value("problem", ""), "signal 11"), i % 2 == 1) << part;
      }
    }
  }
}

TEST(Jobs, OfAModelWithoutAnEndLeaveTheOthersTheirTime) {
  const std::string endless = EndlessModel(), sine = SeedModel(kSine);
  for (const char* jobs : {"1", "2"}) {
    const auto run = Arenaproof("check --json --instrument=canary --time-limit=1 --jobs=" + std::string(jobs) + " " +
                                sine + " " + endless + " " + sine);
    EXPECT_EQ(run.exit_status, 2);
    const Json models = ParseJson(run.output).at("models");
    EXPECT_EQ(models.at(0).at("exit_status"), 0);
    EXPECT_EQ(models.at(1).at("exit_status"), 2);
    EXPECT_EQ(models.at(2).at("exit_status"), 0);
  }
}

// A self-test that ends the program shows whether there was one.
TEST(Jobs, OfAModelThatIsRefusedMakeNoSelfTest) {
  const std::string folder =
      FolderWithWorker("asan", "ASAN_OPTIONS=halt_on_error=1 exec '" + WorkerOf("asan") + "' \"$@\"");
  const std::string variable = "ARENAPROOF_WORKER_DIR=" + folder, text = TextModel();
  const auto tested = Arenaproof("check --instrument=asan " + SeedModel(kSine), variable);
  EXPECT_EQ(tested.exit_status, 2);
  EXPECT_TRUE(HasText(tested.errors, "ended the program during its self-test")) << tested.errors;
  const auto refused = Arenaproof("check --instrument=asan " + text, variable);
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_TRUE(HasText(refused.errors, "'" + text + "': ")) << refused.errors;
  EXPECT_FALSE(HasText(refused.errors, "self-test")) << refused.errors;
}

TEST(Jobs, LeaveNoProcessWhenASignalEndsThem) {
  for (const int signal : {SIGTERM, SIGINT}) {
    StartedCommand command({"check", "--instrument=canary", "--jobs=3", EndlessModel(), EndlessModel()});
    ASSERT_GT(command.AwaitChild(), 0);
    std::vector<pid_t> children;
    // The worker, and a process for each of three parts.
    for (int i = 0; i < 1000 && children.size() < 4; ++i) {
      children = command.Children();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(children.size(), 4u);
    kill(command.process(), signal);
    const CommandEnd end = command.AwaitEnd();
    EXPECT_EQ(end.signal, signal);
    EXPECT_EQ(end.errors + end.output, "");
    for (const pid_t child : children) EXPECT_TRUE(IsGoneSoon(child));  // the worker's own die with it
  }
}

TEST(Jobs, MayBeMoreThanTheLimitOnOpenFilesAllows) {
  const rlimit few = {40, 40};
  const CommandEnd end = StartedCommand({"check", "--quiet", "--instrument=canary", "--jobs=256", SeedModel(kSine),
                                         SeedModel(kSine), SeedModel(kSine)},
                                        {.limits = {{RLIMIT_NOFILE, few}}})
                             .AwaitEnd();
  EXPECT_EQ(end.exit_status, 0) << end.errors;
}

}  // namespace
}  // namespace arenaproof::testing
