// Whatever the words: one sentence, exit status 2, nothing on standard output.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/command/command_support.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::SeedModel;

class BadWordList : public ::testing::TestWithParam<const char*> {};

TEST_P(BadWordList, GetsOneSentence) {
  std::string arguments = GetParam();
  if (const auto place = arguments.find("MODEL"); place != std::string::npos) {
    arguments.replace(place, 5, SeedModel("fully_connected_20_to_64_int8"));
  }
  const auto run = Arenaproof(arguments);
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  EXPECT_TRUE(run.errors.starts_with("arenaproof")) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Command, BadWordList,
    ::testing::Values(
        "", "conjure", "check", "check /nowhere.tflite", "check /", "check /dev/zero", "check MODEL --colour=red",
        "check MODEL --layout=flat", "check MODEL --instrument=ear", "check MODEL --kernels=unheard-of",
        "check MODEL --seed=0", "check MODEL --seed=-1", "check MODEL --runs=0", "check MODEL --runs=x",
        "check MODEL --arena-bytes=-1", "check MODEL --arena-bytes=99999999999999999999", "check MODEL --arena-bytes=K",
        "check MODEL --arena-bytes=1T", "check MODEL --arena-bytes=01K", "check MODEL --arena-bytes=-1K",
        "check MODEL --arena-bytes=3G", "check MODEL --arena-bytes=18014398509481984K",
        "check MODEL --reserve-front=65K", "check MODEL --quiet -v", "check MODEL --quiet --json",
        "check MODEL --report=", "check MODEL --report=a.pdf", "check MODEL --report=/nowhere/a.json", "check -",
        "check MODEL --baseline=", "check MODEL --baseline=/nowhere", "check MODEL --baseline=MODEL",
        "check MODEL --baseline=/dev/zero", "check MODEL --write-baseline=/nowhere/a", "run", "run /nowhere.tflite",
        "run MODEL --input=0", "run MODEL --input=9:/dev/null", "run MODEL --input=0:/dev/zero",
        "run MODEL --input=x:y", "run MODEL --kernels=unheard-of", "run MODEL --arena-bytes=64",
        "run MODEL --output-dir=/proc/nowhere", "describe", "describe /etc/passwd", "describe MODEL --seed=1",
        "check MODEL --reserve-front=-1", "check MODEL --reserve-front=x",
        "check MODEL --reserve-front=", "check MODEL --reserve-front=0x10", "check MODEL --reserve-front=010",
        "check MODEL --reserve-front=65537", "check MODEL --reserve-front=4294967296",
        "check MODEL --reserve-front=18446744073709551616", "run MODEL --reserve-front=16", "size",
        "size /nowhere.tflite", "size /etc/passwd", "size MODEL --kernels=unheard-of", "size MODEL --target=host32",
        "size MODEL --target=", "size MODEL --two-arenas=1", "size MODEL --trust-plan=yes", "size MODEL --seed=1",
        "size MODEL --arena-bytes=64", "size MODEL MODEL2", "operators MODEL", "operators --json --markdown",
        "operators --json=1", "operators --markdown=docs", "operators --kernels=reference", "check --kernels= MODEL",
        "check --layout= --seed=3 MODEL", "run --output-dir= --seed=3 MODEL", "run --input= MODEL",
        "run MODEL --output-dir ''", "plan", "plan /nowhere.tflite", "plan /nowhere.csv", "plan /etc/passwd",
        "plan /dev/zero", "plan MODEL --planner=lucky", "plan MODEL --planner=", "plan MODEL --format=png",
        "plan MODEL --time-limit=0", "plan MODEL --time-limit=-1", "plan MODEL --work-limit=x",
        "plan MODEL --work-limit=99999999999999999999", "plan MODEL --threads=0", "plan MODEL --threads=257",
        "plan MODEL --kernels=unheard-of", "plan MODEL --scratch=x", "plan MODEL --scratch=", "plan MODEL --embed=",
        "plan MODEL --embed ''", "plan MODEL --strip", "plan MODEL --strip=out", "plan MODEL --ignore-plan=yes",
        "plan MODEL MODEL2", "verify", "verify /nowhere.tflite", "verify MODEL", "verify MODEL /nowhere.csv",
        "verify MODEL --json=1", "verify MODEL --kernels=unheard-of", "verify MODEL --scratch=0",
        "run --in-this-process MODEL", "run --in-this-process", "flags", "flags --shadow --asan", "flags --plain=1",
        "flags --none", "flags MODEL", "rules V2", "rules V20 MODEL", "rules --json=1", "rules ''",
        "check MODEL --kernels=./nowhere.so", "check MODEL --kernels=shadow:", "check MODEL --fallback=aligned",
        "check MODEL --fallback=reference", "run MODEL --kernels=/dev/null", "run MODEL --kernels=/etc/passwd",
        "size MODEL --kernels=plain:/nowhere", "run MODEL --kernels=MODEL", "describe MODEL --kernels=/",
        "describe MODEL --kernels=asan:/etc/passwd", "plan MODEL --kernels=./libmine.so"));

// What is wrong, and what would be right.
TEST(BadWords, AreNamedWithWhatWouldBeRight) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  const std::pair<std::string, std::string> kSentences[] = {
      {"", "no command is given"},
      {"--verbose", "'--verbose' is not expected before a command"},
      {"check", "MODEL is required"},
      {"check " + model + " --seed=", "--seed is given no value; it has to be a decimal number from 1 to 4294967295"},
      {"check " + model + " --layout", "--layout is given no value; it has to be one of faithful, dilated, both"},
      {"check " + model + " --layout=Both", "--layout: 'Both' is none of faithful, dilated, both"},
      {"size " + model + " --target=arm64", "--target: 'arm64' is none of host64, arm32"},
      {"run " + model + " --input", "--input is given no value"},
      {"run --output-dir= --seed=3 " + model, "--output-dir is given no value"},
      {"check --layout= --seed=3 " + model, "--layout is given no value; it has to be one of faithful, dilated, both"},
      {"run --output-dir= --help", "--output-dir is given no value"},
      {"run --output-dir '' " + model, "--output-dir: '' names no folder; '.' is the one that the command runs in"},
      {"run --in-this-process " + model, "not expected: --in-this-process"},
      {"run " + model + " --seed=1 --seed=1", "--seed is given 2 times; once is right"},
      {"run " + model + " extra", "not expected: extra"},
      {"operators ADD", "not expected: ADD"},
      {"operators --json --markdown", "--json excludes --markdown"},
      {"run " + model + " --input=0:/proc/self/maps", "is of no known size; it has to hold the 20 bytes of input 0"},
      {"run " + model + " --help=3", "--help takes no value"},
      {"run " + model + " --arena-bytes=64", "; the arena has 64 bytes, and "},
      {"run " + model + " --output-dir=/dev/null/x", "'/dev/null' is there and is not a folder"},
  };
  for (const auto& [words, sentence] : kSentences) {
    const auto run = Arenaproof(words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_NE(run.errors.find(sentence), std::string::npos) << words << "\n" << run.errors;
  }
}

// A long path leaves room for what the sentence is about.
TEST(BadWords, GetTheirWholeSentenceWhateverTheLengthOfThePath) {
  const std::string path = testing::TemporaryFolder() + "/" + std::string(200, 'd') + "/model.tflite";
  for (const std::string command : {"describe ", "size ", "run ", "check "}) {
    const auto run = Arenaproof(command + path);
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_TRUE(run.errors.ends_with("; MODEL is the path of a .tflite file\n")) << run.errors;
  }
}

// They are refused before anything is built or installed.
TEST(DevVerbs, RefuseBadWordsInOneSentence) {
  const std::pair<std::string, std::string> kSentences[] = {
      {"conjure", "there is no verb 'conjure'"},
      {"run --colour=red", "'run' has no option '--colour=red'"},
      {"run --fuzz-seconds=9999999", "--fuzz-seconds=9999999 is no number of seconds from 1 to 999999"},
      {"test fast", "'test' has no option 'fast'"},
      {"fuzz fuzz_nothing", "there is no fuzz target 'fuzz_nothing'"},
      {"fuzz --seconds=0", "--seconds=0 is no number of seconds from 1 to 9999999"},
      {"prove --half", "'prove' has no option '--half'"},
      {"bench --min-seconds=x", "--min-seconds=x is no number of seconds above 0"},
      {"bench --min-seconds=0.0", "--min-seconds=0.0 is no number of seconds above 0"},
      {"kernels --fast", "'kernels' has no option '--fast'"},
      {"kernels --op=", "--op is given no name"},
      {"kernels --cases=0", "--cases=0 is no number of cases from 1 to 999999"},
      {"kernels --seed=x", "--seed=x is no number of a case from 1 to 999999999999"},
      {"format --all", "'format' has no option '--all'"},
      {"setup now", "'setup' has no option 'now'"},
      {"faults --check-patches no_such_fault", "there is no fault 'no_such_fault'"},
  };
  for (const auto& [words, sentence] : kSentences) {
    const auto run = testing::Dev(words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_EQ(run.output, "") << words;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << words << "\n" << run.errors;
    EXPECT_NE(run.errors.find(sentence), std::string::npos) << words << "\n" << run.errors;
  }
}

TEST(DevVerbs, ExplainThemselvesWithEveryExitStatus) {
  for (const char* verb : {"setup", "run", "test", "fuzz", "prove", "faults", "bench", "kernels", "format"}) {
    const auto run = testing::Dev(std::string(verb) + " --help");
    EXPECT_EQ(run.exit_status, 0) << verb << run.errors;
    EXPECT_NE(run.output.find(std::string("./dev ") + verb), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("Exit status: 0 "), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("; 2 "), std::string::npos) << run.output;
  }
}

TEST(Help, IsThereForEveryCommandWithExamples) {
  EXPECT_EQ(Arenaproof("--help").exit_status, 0);
  for (const char* command : {"check", "run", "describe", "size", "operators"}) {
    const auto run = Arenaproof(std::string(command) + " --help");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_NE(run.output.find("Example"), std::string::npos);
    EXPECT_NE(run.output.find("Exit status"), std::string::npos);
  }
}

}  // namespace
}  // namespace arenaproof
