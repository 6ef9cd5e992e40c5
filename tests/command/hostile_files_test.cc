// Every command on files that nobody should trust: a clear sentence and exit status 2, or a sound run and 0. Never a
// crash, never "violations" or an internal error, never half a report.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/command/instruments.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// The instrument whose worker is of the same build as these tests.
std::string InstrumentOfThisBuild() {
  const std::string preset = ARENAPROOF_PRESET_NAME;
  return preset == "asan" || preset == "shadow" ? preset : "none";
}

std::string Quoted(const std::string& path) { return "'" + path + "'"; }

// The commands, each as text and as JSON.
std::vector<std::string> EveryCommandOn(const std::string& path) {
  std::vector<std::string> lines;
  for (const char* format : {"", " --json"}) {
    lines.push_back("run " + Quoted(path) + format);
    lines.push_back("run --all-tensors " + Quoted(path) + format);
    lines.push_back("describe " + Quoted(path) + format);
    lines.push_back("size " + Quoted(path) + format);
    lines.push_back("check --instrument=" + InstrumentOfThisBuild() + " " + Quoted(path) + format);
  }
  return lines;
}

bool IsJson(const std::string& line) { return line.ends_with(" --json"); }

void ExpectOneSentence(const std::string& errors) {
  EXPECT_TRUE(errors.starts_with("arenaproof")) << errors;
  EXPECT_TRUE(errors.ends_with("\n")) << errors;
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
  EXPECT_LE(errors.size(), 2000u) << errors;
  EXPECT_TRUE(std::all_of(errors.begin(), errors.end(), [](char c) {
    return c == '\n' || !std::iscntrl(static_cast<unsigned char>(c));
  })) << errors;
}

void ExpectWholeReport(const std::string& line, const CommandRun& run) {
  if (IsJson(line)) {
    EXPECT_TRUE(Json::accept(run.output)) << run.output.substr(0, 400);
  } else if (!run.output.empty()) {
    EXPECT_TRUE(run.output.ends_with("\n"));
  }
}

void ExpectRefusal(const std::string& line) {
  SCOPED_TRACE(line);
  const CommandRun run = Arenaproof(line);
  EXPECT_EQ(run.exit_status, 2) << run.errors;
  ExpectOneSentence(run.errors);
  if (!IsJson(line)) {
    EXPECT_EQ(run.output, "");
  } else if (!run.output.empty()) {
    ExpectWholeReport(line, run);
  }
}

std::string WriteFile(const std::string& name, const std::string& bytes) {
  const std::string path = TemporaryFolder() + "/" + name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

std::string RandomBytes(std::size_t count) {
  std::mt19937 generator(1);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator());
  return bytes;
}

class HostileFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto builds = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
    const auto worker =
        builds / FindInstrument(InstrumentOfThisBuild())->preset / "tools" / "worker" / "arenaproof-worker";
    if (!std::filesystem::exists(worker)) GTEST_SKIP() << worker.string() << " is not built";
  }
};
class HostileWords : public HostileFiles {};
class FullDisk : public HostileFiles {};

TEST_F(HostileFiles, OfTheReferenceAreAnsweredByEveryCommand) {
  const auto folder = SharedFile("hostile");
  if (!folder) GTEST_SKIP() << SharedAbsent("hostile");
  std::size_t file_count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".tflite") continue;
    ++file_count;
    int first_status = -1;
    for (const std::string& line : EveryCommandOn(entry.path().string())) {
      SCOPED_TRACE(line);
      const CommandRun run = Arenaproof(line);
      ASSERT_TRUE(run.exit_status == 0 || run.exit_status == 2) << run.exit_status << "\n" << run.errors;
      ExpectWholeReport(line, run);
      if (run.exit_status == 0) {
        EXPECT_EQ(run.errors, "");
        EXPECT_NE(run.output, "");
      } else {
        ExpectOneSentence(run.errors);
      }
      // Whether a model is sound does not depend on the command.
      if (first_status == -1) first_status = run.exit_status;
      EXPECT_EQ(run.exit_status, first_status) << run.errors;
    }
  }
  EXPECT_GT(file_count, 0u);
}

TEST_F(HostileFiles, ThatAreNoModelsAreRefused) {
  const std::string model = SeedModel("fully_connected_20_to_64_int8");
  const auto bytes = ReadFileBytes(model);
  const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string named = RandomBytes(4096);
  named.replace(4, 4, "TFL3");
  for (const std::string& path :
       {WriteFile("empty.tflite", ""), WriteFile("half.tflite", whole.substr(0, whole.size() / 2)),
        WriteFile("one_byte_short.tflite", whole.substr(0, 7)), WriteFile("random.tflite", RandomBytes(100'000)),
        WriteFile("random_with_identifier.tflite", named), WriteFile("text.tflite", "no model at all\n"),
        TemporaryFolder() + "/absent.tflite", std::string("/dev/null")}) {
    for (const std::string& line : EveryCommandOn(path)) ExpectRefusal(line);
  }
}

TEST_F(HostileFiles, WithControlCharactersInTheirNamesAreRefusedInOneLine) {
  for (const std::string& line : EveryCommandOn(WriteFile("two\nlines\033[31m.tflite", "x"))) ExpectRefusal(line);
}

TEST_F(HostileFiles, ThatAreLargeAreRefusedAtOnce) {
  const std::string zeros = WriteFile("zeros.tflite", "");
  std::filesystem::resize_file(zeros, 100'000'000);
  const std::string beyond = WriteFile("beyond.tflite", "");
  std::filesystem::resize_file(beyond, (std::uintmax_t{1} << 30) + 1);
  for (const std::string& path : {zeros, beyond}) {
    for (const std::string& line : EveryCommandOn(path)) ExpectRefusal(line);
  }
}

TEST_F(HostileFiles, ThatMayNotBeReadAreRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read every file";
  const std::string path = WriteFile("closed.tflite", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  for (const std::string& line : EveryCommandOn(path)) ExpectRefusal(line);
}

TEST_F(HostileWords, SuchAsHugeAndSillyNumbersAreRefused) {
  const std::string model = Quoted(SeedModel("fully_connected_20_to_64_int8"));
  for (const char* number : {"18446744073709551615", "18446744073709551616", "1e9", "-1", "0x", "twelve", "", " ",
                             "1 2", "99999999999999999999999999999999"}) {
    const std::string word = "'" + std::string(number) + "'";
    ExpectRefusal("run " + model + " --seed=" + word);
    ExpectRefusal("run " + model + " --arena-bytes=" + word);
    for (const char* option :
         {"--seed=", "--runs=", "--arena-bytes=", "--reserve-front=", "--time-limit=", "--memory-limit="}) {
      ExpectRefusal("check " + model + " " + option + word);
    }
  }
}

TEST_F(HostileWords, SuchAsArenasThatNoMachineHasAreRefused) {
  const std::string model = Quoted(SeedModel("fully_connected_20_to_64_int8"));
  ExpectRefusal("run " + model + " --arena-bytes=1");
  ExpectRefusal("run " + model + " --arena-bytes=2147483649");
  for (const char* bytes : {"1", "2147483649", "1099511627776"}) {
    ExpectRefusal("check --instrument=" + InstrumentOfThisBuild() + " " + model + " --arena-bytes=" + bytes);
  }
}

TEST_F(HostileWords, SuchAsUnknownKernelsAreRefusedByEveryCommand) {
  for (const std::string& line : EveryCommandOn(SeedModel("fully_connected_20_to_64_int8"))) {
    ExpectRefusal(line.substr(0, line.find(' ')) + " --kernels=conjured" + line.substr(line.find(' ')));
  }
}

// An output that takes nothing: not clean, and the command says so.
TEST_F(FullDisk, IsSaidByEveryCommand) {
  const auto command =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "tools" / "arenaproof";
  const std::string errors = TemporaryFolder() + "/errors";
  for (const std::string& line : EveryCommandOn(SeedModel("fully_connected_20_to_64_int8"))) {
    SCOPED_TRACE(line);
    const int status = std::system(
        (Quoted(command.string()) + " " + line + " >/dev/full 2>" + Quoted(errors) + " </dev/null").c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2);
    std::ifstream file(errors);
    ExpectOneSentence({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  }
}

TEST_F(FullDisk, OrNoFolderLeavesNoOutputs) {
  const std::string model = Quoted(SeedModel("fully_connected_20_to_64_int8"));
  const std::string file = WriteFile("a_file", "x");
  ExpectRefusal("run " + model + " --output-dir=" + Quoted(file));
  ExpectRefusal("run " + model + " --output-dir=" + Quoted(file + "/below"));
  EXPECT_EQ(std::filesystem::file_size(file), 1u);
}

}  // namespace
}  // namespace arenaproof::testing
