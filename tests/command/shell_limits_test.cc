// The commands under what a shell imposes on them: limits (ulimit) and options of sanitizers. A limit under which the
// program starts at all ends with a sentence, never with a signal.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/started_command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

const std::string kSineRegressor = "sine_regressor_int8";

// `limit`: a letter of ulimit and its value.
CommandRun Under(const std::string& limit, const std::string& arguments) {
  return Arenaproof(arguments + ")", "(ulimit -" + limit + " && exec");
}

bool IsOneSentence(const std::string& errors) {
  return errors.starts_with("arenaproof") && std::count(errors.begin(), errors.end(), '\n') == 1 &&
         errors.ends_with("\n");
}

std::vector<std::vector<std::string>> EveryCommand() {
  const std::string model = SeedModel(kSineRegressor);
  return {{"run", model},
          {"describe", model},
          {"size", model},
          {"check", "--instrument=none", "--layout=faithful", model},
          {"check", "--instrument=shadow", "--layout=faithful", model}};
}

class ShellLimits : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(ARENAPROOF_ASAN)
    GTEST_SKIP() << "the command of this build reserves terabytes itself";
#endif
    for (const char* preset : {"shadow", "asan"}) {
      ASSERT_TRUE(std::filesystem::exists(WorkerOf(preset))) << "build the presets shadow and asan beside this one";
    }
  }
};

TEST_F(ShellLimits, OnAddressesMakeAsanNotAvailable) {
  const std::string model = SeedModel(kSineRegressor);
  for (const char* limit : {"v 500000", "d 500000", "v 15000000000"}) {
    SCOPED_TRACE(limit);
    const auto named = Under(limit, "check --instrument=asan " + model);
    EXPECT_EQ(named.exit_status, 2) << named.output;
    EXPECT_TRUE(IsOneSentence(named.errors)) << named.errors;
    EXPECT_TRUE(HasText(named.errors, "the instrument 'asan' is not available: the limit on ")) << named.errors;
    EXPECT_TRUE(HasText(named.errors, " is " + std::string(limit + 2) + " KiB (ulimit -" + limit[0] + "); "))
        << named.errors;
    EXPECT_TRUE(HasText(named.errors, " KiB or 'unlimited' would be right")) << named.errors;

    const auto all = Under(limit, "check -v " + model);
    EXPECT_EQ(all.exit_status, 0) << all.errors;
    EXPECT_EQ(all.errors, "");
    EXPECT_TRUE(HasText(all.output, "\nnot used: the instrument 'asan' is not available: the limit on ")) << all.output;
    EXPECT_TRUE(std::regex_search(
        all.output,
        std::regex(
            "\nclean by shadow alone(; in prepare as far as seen: [0-9]+ blind pairs)?; asan is not available\n$")))
        << all.output;

    const Json report = ParseJson(Under(limit, "check --json " + model).output);
    EXPECT_EQ(report.at("exit_status"), 0);
    EXPECT_EQ(report.at("not_available").size(), 1u);
    ASSERT_EQ(report.at("parts").size(), 2u);
    for (const Json& part : report.at("parts")) EXPECT_EQ(part.at("instrument"), "shadow");
  }
}

TEST_F(ShellLimits, LeaveTheViolationsThatOtherInstrumentsFind) {
  const auto run = Under("v 500000", "check -v --kernels=aligned-faulty " + SeedModel("fully_connected_20_to_64_int8"));
  EXPECT_EQ(run.exit_status, 1) << run.errors;
  EXPECT_TRUE(HasText(run.output, "\nviolations found; asan is not available")) << run.output;
}

// From what no program starts under to what is plenty.
TEST_F(ShellLimits, OfEverySizeEndWithAReportOrASentence) {
  constexpr rlim_t kKibibyte = 1024;
  std::vector<std::pair<int, rlim_t>> limits;
  for (rlim_t size = 6600; size < 8400; size += 150) limits.emplace_back(RLIMIT_AS, size * kKibibyte);
  for (const rlim_t more : {9000ul, 20000ul, 60000ul}) limits.emplace_back(RLIMIT_AS, more * kKibibyte);
  for (rlim_t size = 200; size < 1600; size += 120) limits.emplace_back(RLIMIT_DATA, size * kKibibyte);
  for (const rlim_t more : {3000ul, 10000ul}) limits.emplace_back(RLIMIT_DATA, more * kKibibyte);
  // Under 16 KiB /bin/true dies as well, in some of a hundred starts: of the environment and where the kernel begins.
  for (rlim_t size = 32; size <= 4096; size *= 2) limits.emplace_back(RLIMIT_STACK, size * kKibibyte);
  for (rlim_t files = 4; files < 20; files += 3) limits.emplace_back(RLIMIT_NOFILE, files);
  for (const int other : {RLIMIT_FSIZE, RLIMIT_NPROC, RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE,
                          RLIMIT_LOCKS, RLIMIT_RSS, RLIMIT_NICE, RLIMIT_RTPRIO}) {
    limits.emplace_back(other, 0);
  }
  std::size_t ran = 0, refused = 0;
  for (const auto& [resource, value] : limits) {
    for (const std::vector<std::string>& words : EveryCommand()) {
      StartedCommand command(words, {.limits = {{resource, {value, value}}}});
      const CommandEnd end = command.AwaitEnd();
      SCOPED_TRACE("limit " + std::to_string(resource) + " of " + std::to_string(value) + ": " + words.front() + "\n" +
                   end.errors + end.output.substr(0, 200));
      if (end.exit_status == 127) continue;  // the dynamic linker's: nothing of ours ran
      ASSERT_TRUE(end.exit_status == 0 || end.exit_status == 2) << end.exit_status << " " << end.signal;
      if (end.exit_status == 0) {
        ++ran;
        EXPECT_EQ(end.errors, "");
      } else {
        ++refused;
        EXPECT_TRUE(IsOneSentence(end.errors)) << end.errors;
        EXPECT_TRUE(
            std::regex_search(end.errors, std::regex("the limit on [a-z ]+ is [0-9]+ KiB \\(ulimit -[vds]\\); .*"
                                                     "would be right|the limit on [a-z ]+ is [0-9]+ \\(ulimit")))
            << end.errors;
      }
    }
  }
  EXPECT_GT(ran, 50u);
  EXPECT_GT(refused, 20u);
}

TEST_F(ShellLimits, OnTheStackAndOnOpenFilesAreNamed) {
  const std::string model = SeedModel(kSineRegressor);
  const auto stack = Under("s 64", "run " + model);
  EXPECT_EQ(stack.exit_status, 2);
  EXPECT_EQ(stack.errors,
            "arenaproof: the limit on the stack is 64 KiB (ulimit -s); 512 KiB or 'unlimited' would be right\n");
  const auto files = Under("n 8", "run " + model);
  EXPECT_EQ(files.exit_status, 2);
  EXPECT_TRUE(HasText(files.errors, "Too many open files; the limit on open files is 8 (ulimit -n)")) << files.errors;
}

TEST_F(ShellLimits, OnMemoryAreNamedWhereTheyAreMet) {
  for (const char* words : {"run ", "size ", "describe "}) {
    const auto run = Under("d 300", words + SeedModel(kSineRegressor));
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(IsOneSentence(run.errors)) << run.errors;
    EXPECT_TRUE(
        HasText(run.errors, ": the limit on data is 300 KiB (ulimit -d); more, or 'unlimited', would be right\n"))
        << run.errors;
  }
  const std::string model = SeedModel(kSineRegressor) + " --arena-bytes=800000000";
  for (const char* words : {"run ", "check --layout=faithful --instrument=shadow "}) {
    const auto run = Under("v 500000", words + model);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(IsOneSentence(run.errors)) << run.errors;
  }
  const auto run = Under("v 500000", "check --layout=faithful --instrument=shadow " + model);
  EXPECT_TRUE(HasText(run.errors, "the child had no memory left: the limit on address space is 500000 KiB (ulimit -v)"))
      << run.errors;
}

TEST_F(ShellLimits, OnCpuTimeEndLoopsWithASentence) {
  const std::string model = EndlessModel();
  // The system ends a process by one signal at the soft limit and by another at the hard one.
  for (const rlim_t hard : {rlim_t{1}, RLIM_INFINITY}) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", model}, {"check", "--instrument=none", "--layout=faithful", model}}) {
      const CommandEnd end = StartedCommand(words, {.limits = {{RLIMIT_CPU, {1, hard}}}}).AwaitEnd();
      EXPECT_EQ(end.exit_status, 2) << end.signal;
      EXPECT_TRUE(IsOneSentence(end.errors)) << end.errors;
      EXPECT_TRUE(HasText(end.errors,
                          "was ended by the system: the limit on CPU time is 1 second (ulimit -t) while "
                          "WHILE (operator "))
          << end.errors;
    }
  }
}

class SanitizerOptions : public ShellLimits {};

TEST_F(SanitizerOptions, OfTheUserReachNoWorker) {
  const std::string model = SeedModel(kSineRegressor), folder = TemporaryFolder();
  const std::vector<std::string> hostile = {"ASAN_OPTIONS=suppressions=missing",
                                            "ASAN_OPTIONS=garbage",
                                            "ASAN_OPTIONS=include=/nonexistent",
                                            "ASAN_OPTIONS=allow_user_poisoning=0",
                                            "ASAN_OPTIONS=exitcode=0",
                                            "ASAN_OPTIONS=abort_on_error=1:halt_on_error=1",
                                            "ASAN_OPTIONS=log_path=" + folder + "/log:help=1",
                                            "UBSAN_OPTIONS=suppressions=missing",
                                            "UBSAN_OPTIONS=include=/nonexistent",
                                            "LSAN_OPTIONS=garbage"};
  for (const std::string& options : hostile) {
    const auto run = Arenaproof("check --layout=faithful --instrument=asan " + model, options);
    EXPECT_EQ(run.exit_status, 0) << options << "\n" << run.errors << run.output;
    EXPECT_EQ(run.errors, "");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

// A library that is missing, or a wrapper that finds nothing to run.
TEST_F(ShellLimits, AreNotTheOnlyReasonsWhyAWorkerCannotStart) {
  const std::string folder =
      FolderWithShadowWorker("echo 'worker: error while loading shared libraries: libmissing.so' >&2; exit 127");
  const auto run =
      Arenaproof("check --instrument=shadow " + SeedModel(kSineRegressor), "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(
      run.errors,
      "arenaproof check: the instrument 'shadow' is not available: its program ended with status 127: worker: error "
      "while loading shared libraries: libmissing.so\n");
  EXPECT_EQ(run.output, "");
  const auto all = Arenaproof("check -v " + SeedModel(kSineRegressor), "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(all.exit_status, 2);
  EXPECT_TRUE(HasText(all.errors, "no instrument is available: ")) << all.errors;
}

}  // namespace
}  // namespace arenaproof::testing
