// Where the program of each instrument is, and why one cannot be used: in folders of the test's own.
#include "tools/command/instruments.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tools/command/model_check.h"
#include "tools/command/worker_words.h"

namespace arenaproof {
namespace {

// The variable that names the folder of workers; as it was afterwards.
class InstrumentPrograms : public ::testing::Test {
 protected:
  InstrumentPrograms() {
    if (const char* value = std::getenv(kVariable)) before_ = value;
    std::filesystem::create_directories(root_);
    setenv(kVariable, root_.c_str(), 1);
  }
  ~InstrumentPrograms() override {
    before_.empty() ? unsetenv(kVariable) : setenv(kVariable, before_.c_str(), 1);
    std::filesystem::remove_all(root_);
  }

  void Program(const std::string& preset, bool runs) const {
    const auto path = root_ / preset / "tools/worker/arenaproof-worker";
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    std::filesystem::permissions(path, runs ? std::filesystem::perms::owner_all : std::filesystem::perms::owner_read);
  }

  static constexpr const char* kVariable = "ARENAPROOF_WORKER_DIR";
  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("instrument_programs_" + std::to_string(getpid()));

 private:
  std::string before_;
};

TEST_F(InstrumentPrograms, BelongToTheBuildThatTheyNeed) {
  const std::pair<const char*, const char*> kPresets[] = {
      {"shadow", "shadow"},   {"asan", "asan"},        {"guard", "release"}, {"canary", "release"},
      {"twofill", "release"}, {"valgrind", "release"}, {"none", "release"}};
  std::string names;
  for (const auto& [name, preset] : kPresets) {
    const Instrument* const instrument = FindInstrument(name);
    ASSERT_NE(instrument, nullptr) << name;
    EXPECT_EQ(WorkerPath(*instrument), root_ / preset / "tools/worker/arenaproof-worker");
    EXPECT_EQ(instrument->needs_hooks, name == instrument->preset) << name;
    EXPECT_EQ(instrument->by_name, instrument->name == "valgrind");
    EXPECT_EQ(instrument->limits_address_space, instrument->name != "asan" && instrument->name != "valgrind") << name;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  EXPECT_EQ(InstrumentNames(), names);
  EXPECT_EQ(FindInstrument("Shadow"), nullptr);
  EXPECT_EQ(FindInstrument(""), nullptr);
}

TEST_F(InstrumentPrograms, AreMissedWithTheBuildThatMakesThem) {
  const Instrument& canary = *FindInstrument("canary");
  EXPECT_TRUE(WhyNotAvailable(canary).starts_with("there is no program " + WorkerPath(canary).string() +
                                                  "; build the preset 'release'"))
      << WhyNotAvailable(canary);
  EXPECT_FALSE(LacksInstalledWorker(canary)) << "nothing is installed in the folder of a variable";
  Program("release", false);
  EXPECT_EQ(WhyNotAvailable(canary), "the program " + WorkerPath(canary).string() + " cannot be executed");
  Program("release", true);
  EXPECT_EQ(WhyNotAvailable(canary), "");
  EXPECT_NE(WhyNotAvailable(*FindInstrument("shadow")), "") << "it has a program of its own";
}

TEST_F(InstrumentPrograms, AreNotInAFolderWithoutAName) {
  setenv(kVariable, "", 1);
  EXPECT_NE(WorkerPath(*FindInstrument("canary")), "release/tools/worker/arenaproof-worker");
  EXPECT_TRUE(WorkerPath(*FindInstrument("canary")).is_absolute());
}

bool HasWord(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST_F(InstrumentPrograms, AreGivenWhatIsTheirsAlone) {
  CheckOptions options;
  options.model = "stdin";
  options.extents = true;
  for (const Instrument& instrument : AllInstruments()) {
    const std::vector<std::string> words = WorkerCommand(options, instrument, "dilated");
    EXPECT_EQ(words.at(0), WorkerPath(instrument));
    EXPECT_EQ(words.at(1), "check");
    EXPECT_TRUE(words.at(2).starts_with("--result-fd="));
    EXPECT_TRUE(HasWord(words, "--instrument=" + std::string(instrument.name)));
    EXPECT_TRUE(HasWord(words, instrument.name == "shadow" ? "--extents=1" : "--extents=0"));
    EXPECT_TRUE(HasWord(words, "--layout=dilated"));
    EXPECT_TRUE(HasWord(words, "--model=stdin"));
    for (const std::string& word : words) EXPECT_EQ(word.find("arena-bytes"), std::string::npos) << word;
  }
  options.file = "/proc/self/fd/9";
  options.persistent_arena_bytes = 0;
  options.inputs = {"0:a", "1:b"};
  const std::vector<std::string> words = WorkerCommand(options, *FindInstrument("canary"), "faithful");
  EXPECT_TRUE(HasWord(words, "--model=/proc/self/fd/9"));
  EXPECT_FALSE(HasWord(words, "--model=stdin"));
  EXPECT_TRUE(HasWord(words, "--persistent-arena-bytes=0"));
  EXPECT_TRUE(HasWord(words, "--input=0:a") && HasWord(words, "--input=1:b"));
}

TEST(StatusOfChecks, IsTheWorstAndNoneLessThanWhatCouldNotBeWritten) {
  const auto status_of = [](const std::vector<ExitStatus>& statuses, const std::string& not_written) {
    std::vector<ModelCheck> checks(statuses.size());
    for (std::size_t i = 0; i < statuses.size(); ++i) checks[i].result.status = statuses[i];
    return StatusOf(checks, not_written);
  };
  const ExitStatus clean = ExitStatus::kClean, violations = ExitStatus::kViolations, none = ExitStatus::kCouldNotRun,
                   error = ExitStatus::kInternalError;
  EXPECT_EQ(status_of({}, ""), clean);
  EXPECT_EQ(status_of({clean, violations, clean}, ""), violations);
  EXPECT_EQ(status_of({violations, none, violations}, ""), none);
  EXPECT_EQ(status_of({error, none}, ""), error);
  EXPECT_EQ(status_of({clean, violations}, "a.json"), none);
  EXPECT_EQ(status_of({error}, "a.json"), error);
}

}  // namespace
}  // namespace arenaproof
