// The worker as its parent sees it: events and exit statuses.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/sanitizers/checked_model.h"
#include "tests/support/shared_files.h"
#include "tools/worker/protocol.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using testing::ParseJson;

struct Said {
  std::vector<Json> events;
  int exit_status = -1;

  const Json* Find(const char* event) const {
    for (const Json& json : events) {
      if (json.at(protocol::kEvent) == event) return &json;
    }
    return nullptr;
  }
};

// `before`: words before the worker's command, such as a variable or a program that runs it.
Said Ask(const std::string& options, const std::string& before = {}) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  const auto worker = self.parent_path().parent_path() / "tools/worker/arenaproof-worker";
  const std::string command = before + " " + worker.string() + " check " + options + " 2>/dev/null";
  Said said;
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  const int status = pclose(pipe);
  said.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (Json event = ParseJson(line); event.is_object()) said.events.push_back(std::move(event));
  }
  return said;
}

std::string SmallModel() {
  return "--model=" + (SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite").string();
}

TEST(Worker, WithoutInstrumentTellsPlanOperatorsAndOutputs) {
  const Said said = Ask(SmallModel() + " --instrument=none --layout=faithful --runs=2");
  EXPECT_EQ(said.exit_status, protocol::kExitClean);
  ASSERT_FALSE(said.events.empty());
  EXPECT_EQ(said.events.front().at(protocol::kEvent), protocol::kStarted);
  EXPECT_EQ(said.events.back().at(protocol::kEvent), protocol::kFinished);
  EXPECT_EQ(said.Find(protocol::kSelfTest), nullptr);
  ASSERT_NE(said.Find(protocol::kPlan), nullptr);
  EXPECT_EQ(said.Find(protocol::kPlan)->at(protocol::kBuffers).size(), 3U);
  EXPECT_EQ(said.Find(protocol::kPlan)->at(protocol::kArenaAddressModulo64), 0);
  EXPECT_EQ(said.Find(protocol::kOperatorEvent)->at(protocol::kSeenByInstrument), false);
  std::vector<std::string> digests;
  for (const Json& event : said.events) {
    if (event.at(protocol::kEvent) == protocol::kOutput) digests.push_back(event.at(protocol::kSha256));
  }
  ASSERT_EQ(digests.size(), 2U);
  EXPECT_NE(digests[0], digests[1]);  // each run has its own inputs
}

TEST(Worker, ReportsTheUnderreadWithDistanceMapAndSentence) {
  const std::string instrument = OwnInstrument();
  if (instrument.empty()) GTEST_SKIP() << "no instrument is compiled into this build";
  const Said said = Ask(SmallModel() + " --kernels=aligned-faulty --layout=dilated --instrument=" + instrument);
  EXPECT_EQ(said.exit_status, protocol::kExitViolations);
  ASSERT_NE(said.Find(protocol::kSelfTest), nullptr);
  EXPECT_EQ(said.Find(protocol::kSelfTest)->at(protocol::kSees), true);
  EXPECT_EQ(said.Find(protocol::kBlindPairs)->at(protocol::kCount), 0);
  EXPECT_EQ(said.Find(protocol::kOperatorEvent)->at(protocol::kSeenByInstrument), true);
  bool before = false;
  for (const Json& event : said.events) {
    if (event.at(protocol::kEvent) != protocol::kViolation || event.at("side") != "before") continue;
    before = true;
    EXPECT_EQ(event.at(protocol::kDistanceBytes), 12);
    EXPECT_EQ(event.at("operand_name"), "input");
    // The operands' letters, and below them the marks of what was touched.
    EXPECT_THAT(event.at("map").at(0).get<std::string>(), HasSubstr("OO"));
    EXPECT_THAT(event.at("map").at(1).get<std::string>(), HasSubstr("!!"));
    EXPECT_THAT(event.at(protocol::kSentence).get<std::string>(), HasSubstr("12 bytes before input 0 'input'"));
  }
  EXPECT_TRUE(before);
  EXPECT_EQ(said.Find(protocol::kFinished)->at(protocol::kGroups), 2);
}

TEST(Worker, TellsWhatItFoundBeforeADeadlySignal) {
  const std::string instrument = OwnInstrument();
  if (instrument.empty()) GTEST_SKIP() << "no instrument is compiled into this build";
  // The signal may hit the worker itself at a moment when it cannot speak any more; a kernel never does that.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const Said said =
        Ask(SmallModel() + " --kernels=aligned-faulty --layout=dilated --runs=1000000 --instrument=" + instrument,
            "timeout --preserve-status --signal=SEGV 2");
    EXPECT_EQ(said.Find(protocol::kFinished), nullptr);
    if (said.exit_status != 128 + SIGSEGV || said.Find(protocol::kViolation) == nullptr) continue;
    EXPECT_EQ(said.Find(protocol::kViolation)->at(protocol::kDistanceBytes), 12);
    return;
  }
  FAIL() << "the worker died without a word";
}

TEST(Worker, CountsTheBlindPairsOfTheFaithfulLayout) {
  const Said said = Ask(SmallModel() + " --instrument=none --layout=faithful");
  ASSERT_NE(said.Find(protocol::kBlindPairs), nullptr);
  EXPECT_GT(said.Find(protocol::kBlindPairs)->at(protocol::kCount), 0);
}

TEST(Worker, CouldNotRunWhenTheInstrumentIsBlind) {
  if (OwnInstrument() != "asan") GTEST_SKIP() << "AddressSanitizer is not compiled into this build";
  const Said said = Ask(SmallModel() + " --instrument=asan", "ASAN_OPTIONS=allow_user_poisoning=0");
  EXPECT_EQ(said.exit_status, protocol::kExitCouldNotRun);
  ASSERT_NE(said.Find(protocol::kRefused), nullptr);
  EXPECT_EQ(said.Find(protocol::kRefused)->at(protocol::kCode), "instrument_blind");
  EXPECT_EQ(said.Find(protocol::kSelfTest)->at(protocol::kSees), false);
  EXPECT_EQ(said.Find(protocol::kFinished), nullptr);
}

TEST(Worker, CouldNotRunWithoutTheInstrumentsBuild) {
  for (const char* name : {"shadow", "asan"}) {
    if (MakeInstrument(name)->Available().ok()) continue;
    const Said said = Ask(SmallModel() + " --instrument=" + name);
    EXPECT_EQ(said.exit_status, protocol::kExitCouldNotRun);
    ASSERT_NE(said.Find(protocol::kRefused), nullptr);
    EXPECT_EQ(said.Find(protocol::kRefused)->at(protocol::kCode), "instrument_unavailable");
  }
}

TEST(Worker, RefusesWhatItCannotRunWithASentence) {
  const std::pair<std::string, std::string> cases[] = {
      {"--model=/nowhere.tflite", "nowhere"},
      {SmallModel() + " --kernels=unheard-of", "unheard-of"},
      {SmallModel() + " --layout=sideways", "sideways"},
      {SmallModel() + " --runs=0", "runs"},
      {SmallModel() + " --instrument=microscope", "microscope"},
      {SmallModel() + " --arena-bytes=64", "arena"},
  };
  for (const auto& [options, word] : cases) {
    const Said said = Ask(options);
    EXPECT_EQ(said.exit_status, protocol::kExitCouldNotRun) << options;
    ASSERT_FALSE(said.events.empty()) << options;
    EXPECT_EQ(said.events.back().at(protocol::kEvent), protocol::kRefused) << options;
    EXPECT_THAT(said.events.back().at(protocol::kSentence).get<std::string>(), HasSubstr(word)) << options;
  }
}

TEST(Worker, SaysWhichConstantsItCannotCheckToTheByte) {
  if (OwnInstrument() != "asan") GTEST_SKIP() << "AddressSanitizer is not compiled into this build";
  const auto path = SharedFile("models/person_detect.tflite");
  if (!path) GTEST_SKIP() << SharedAbsent("models/person_detect.tflite");
  const Said said = Ask("--model=" + path->string() + " --instrument=asan --layout=dilated");
  EXPECT_EQ(said.exit_status, protocol::kExitClean);
  ASSERT_NE(said.Find(protocol::kNotExact), nullptr);
  for (const Json& operand : said.Find(protocol::kNotExact)->at(protocol::kOperands)) {
    EXPECT_EQ(operand.at(protocol::kBlindBeforeBytes), operand.at(protocol::kStartModulo8));
    EXPECT_NE(operand.at(protocol::kStartModulo8), 0);
  }
}

}  // namespace
}  // namespace arenaproof::testing
