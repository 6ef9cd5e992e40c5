// Whatever the words: one sentence, exit status 2, nothing on standard output.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/command/command_support.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::SeedModel;

class BadWords : public ::testing::TestWithParam<const char*> {};

TEST_P(BadWords, GetOneSentence) {
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
    Command, BadWords,
    ::testing::Values(
        "", "conjure", "check", "check /nowhere.tflite", "check /", "check /dev/zero", "check MODEL --colour=red",
        "check MODEL --layout=flat", "check MODEL --instrument=ear", "check MODEL --kernels=unheard-of",
        "check MODEL --seed=0", "check MODEL --seed=-1", "check MODEL --runs=0", "check MODEL --runs=x",
        "check MODEL --arena-bytes=-1", "check MODEL --arena-bytes=99999999999999999999", "check MODEL MODEL2", "run",
        "run /nowhere.tflite", "run MODEL --input=0", "run MODEL --input=9:/dev/null", "run MODEL --input=0:/dev/zero",
        "run MODEL --input=x:y", "run MODEL --kernels=unheard-of", "run MODEL --arena-bytes=64",
        "run MODEL --output-dir=/proc/nowhere", "describe", "describe /etc/passwd", "describe MODEL --seed=1",
        "check MODEL --reserve-front=-1", "check MODEL --reserve-front=x",
        "check MODEL --reserve-front=", "check MODEL --reserve-front=0x10", "check MODEL --reserve-front=010",
        "check MODEL --reserve-front=65537", "check MODEL --reserve-front=4294967296",
        "check MODEL --reserve-front=18446744073709551616", "run MODEL --reserve-front=16", "size",
        "size /nowhere.tflite", "size /etc/passwd", "size MODEL --kernels=unheard-of", "size MODEL --target=host32",
        "size MODEL --target=", "size MODEL --two-arenas=1", "size MODEL --trust-plan=yes", "size MODEL --seed=1",
        "size MODEL --arena-bytes=64", "size MODEL MODEL2"));

TEST(Help, IsThereForEveryCommandWithExamples) {
  EXPECT_EQ(Arenaproof("--help").exit_status, 0);
  for (const char* command : {"check", "run", "describe", "size"}) {
    const auto run = Arenaproof(std::string(command) + " --help");
    EXPECT_EQ(run.exit_status, 0);
    EXPECT_NE(run.output.find("Example"), std::string::npos);
    EXPECT_NE(run.output.find("Exit status"), std::string::npos);
  }
}

}  // namespace
}  // namespace arenaproof
