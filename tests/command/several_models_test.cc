// `check` of several models, of folders and of what comes through a pipe.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/kept_reports_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kSineModel = "sine_regressor_int8";

// a.tflite is clean, b.tflite is read past its input, c.tflite is no model; d.txt is none of them.
std::string FolderOfModels() {
  const std::string folder = TemporaryFolder();
  fs::copy_file(SeedModel(kSineModel), folder + "/a.tflite");
  fs::copy_file(SeedModel(kFullyConnected), folder + "/b.tflite");
  std::ofstream(folder + "/c.tflite") << "no model";
  std::ofstream(folder + "/d.txt") << "no model either";
  return folder;
}

TEST(SeveralModels, GetATableAndTheWorstStatus) {
  const std::string folder = FolderOfModels(), words = "check --kernels=aligned-faulty --instrument=shadow ";
  const std::string a = folder + "/a.tflite", b = folder + "/b.tflite", c = folder + "/c.tflite";
  const auto both = Arenaproof("check --instrument=shadow " + b + " " + a);
  EXPECT_EQ(both.exit_status, 0) << both.errors;
  EXPECT_TRUE(both.output.starts_with("2 models: 2 clean\n")) << both.output;
  const auto faulty = Arenaproof(words + b + " " + b);
  EXPECT_EQ(faulty.exit_status, 1) << faulty.errors;
  const auto all = Arenaproof(words + b + " " + c + " --report=" + folder + "/all.json --report=" + folder +
                              "/all.sarif --report=" + folder + "/all.xml --report=" + folder + "/all.html");
  EXPECT_EQ(all.exit_status, 2) << all.errors;
  EXPECT_TRUE(all.output.starts_with("2 models: 1 with violations, 1 could not run\n")) << all.output;
  EXPECT_TRUE(HasText(all.output, "reads up to 12 bytes after input tensor 0 \"input\" (20 bytes); 1 more\n"))
      << all.output;
  EXPECT_EQ(LinesOf(all.output).size(), 4u) << all.output;
  EXPECT_EQ(LinesOf(all.errors).size(), 1u) << all.errors;
  EXPECT_TRUE(all.errors.starts_with("arenaproof check: '" + c + "': ")) << all.errors;
  const std::string json = ReadFileText(folder + "/all.json");
  KeepReport(json);
  EXPECT_EQ(ParseJson(json).at("exit_status"), 2);
  EXPECT_EQ(ParseJson(json).at("models").size(), 2u);
  EXPECT_EQ(ParseJson(json).at("models")[1].at("exit_status"), 2);
  const Json run = ParseJson(ReadFileText(folder + "/all.sarif")).at("runs").at(0);
  EXPECT_EQ(run.at("results").size(), 2u);
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), false);
  EXPECT_TRUE(HasText(ReadFileText(folder + "/all.xml"), "<testsuite name=\"" + c + "\""));
}

TEST(SeveralModels, AnInternalErrorOutweighsTheOthers) {
  const std::string folder = FolderWithShadowWorker("case \"$*\" in *sine*) kill -ABRT $$;; esac; exit 2");
  const auto run = Arenaproof("check --quiet --instrument=shadow /nowhere.tflite " + SeedModel(kSineModel),
                              "ARENAPROOF_WORKER_DIR=" + folder);
  EXPECT_EQ(run.exit_status, 3);
  EXPECT_EQ(run.output, "2 models: 1 could not run, 1 with an internal error\n");
}

TEST(SeveralModels, OfAFolderAreItsTfliteFilesByName) {
  const std::string folder = FolderOfModels();
  const auto run = Arenaproof("check --instrument=none --json " + folder);
  EXPECT_EQ(run.exit_status, 2);
  const Json models = ParseJson(run.output).at("models");
  ASSERT_EQ(models.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(models[i].at("model"), folder + "/" + std::string(1, static_cast<char>('a' + i)) + ".tflite");
  }
  const auto none = Arenaproof("check --json " + TemporaryFolder());
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_TRUE(HasText(none.errors, "holds no .tflite file")) << none.errors;
  EXPECT_EQ(ParseJson(none.output).at("exit_status"), 2);
}

TEST(SeveralModels, AreReportedWholeWithVerbose) {
  const auto run = Arenaproof("check -v --instrument=none " + SeedModel(kSineModel) + " " + SeedModel(kFullyConnected));
  EXPECT_TRUE(HasText(run.output, "\nno instrument: accesses were not checked\n")) << run.output;
  EXPECT_TRUE(HasText(run.output, "\n2 models: 2 not checked\n")) << run.output;
}

TEST(PipedModels, AreCheckedAsFilesAre) {
  const std::string words = "arenaproof check --instrument=shadow --kernels=aligned-faulty --json ";
  const Json expected = ParseJson(Bash(words + SeedModel(kFullyConnected), "/").output);
  for (const std::string& line :
       {words + "- <'" + SeedModel(kFullyConnected) + "'", "cat '" + SeedModel(kFullyConnected) + "' | " + words + "-",
        words + "<(cat '" + SeedModel(kFullyConnected) + "')"}) {
    const auto run = Bash(line, "/");
    EXPECT_EQ(run.exit_status, 1) << line << run.errors;
    const Json report = ParseJson(run.output);
    for (std::size_t i = 0; i < 2; ++i) {
      const Json &found = report.at("parts").at(i), &whole = expected.at("parts").at(i);
      EXPECT_EQ(found.at("outputs"), whole.at("outputs"));
      EXPECT_EQ(found.at("violations").at(0).at("id"), whole.at("violations").at(0).at("id"));
    }
  }
}

TEST(PipedModels, AreRunAndMeasuredAsFilesAre) {
  const std::string model = SeedModel(kFullyConnected);
  for (const std::string command : {"run", "size", "describe"}) {
    Json expected = ParseJson(Arenaproof(command + " --json " + model).output);
    for (const std::string& line : {"arenaproof " + command + " --json - <'" + model + "'",
                                    "arenaproof " + command + " --json <(cat '" + model + "')"}) {
      const auto run = Bash(line, "/");
      EXPECT_EQ(run.exit_status, 0) << line << run.errors;
      Json found = ParseJson(run.output);
      for (Json* const report : {&found, &expected}) report->erase("model");
      EXPECT_EQ(found, expected) << line;
    }
    const auto none = Bash("echo no model | arenaproof " + command + " -", "/");
    EXPECT_EQ(none.exit_status, 2);
    EXPECT_TRUE(HasText(none.errors, "'-'")) << none.errors;
    EXPECT_FALSE(HasText(none.errors, "/proc/")) << none.errors;
  }
}

TEST(PipedModels, HaveANameInReportsWhateverTheirPipeIsCalled) {
  const std::string report = TemporaryFolder() + "/piped.sarif", cases = TemporaryFolder() + "/piped.xml";
  for (const std::string& model :
       {"- <'" + SeedModel(kFullyConnected) + "'", "<(cat '" + SeedModel(kFullyConnected) + "')"}) {
    const auto run = Bash("arenaproof check --instrument=shadow --kernels=aligned-faulty --report='" + report +
                              "' --report='" + cases + "' " + model,
                          "/");
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    std::ifstream file(report);
    const Json result = Json::parse(file).at("runs").at(0).at("results").at(0);
    EXPECT_EQ(result.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"), "stdin");
    std::ifstream xml(cases);
    const std::string text{std::istreambuf_iterator<char>(xml), {}};
    EXPECT_TRUE(HasText(text, "<testsuite name=\"stdin\"")) << text;
  }
}

TEST(PipedModels, ThatAreNoneAreRefusedByTheNameThatWasGiven) {
  for (const std::string& line : {"echo no model | arenaproof check -", "arenaproof check - </dev/null"}) {
    const auto run = Bash(line, "/");
    EXPECT_EQ(run.exit_status, 2) << line;
    EXPECT_EQ(LinesOf(run.errors).size(), 1u) << run.errors;
    EXPECT_TRUE(HasText(run.errors, "'-'")) << run.errors;
    EXPECT_FALSE(HasText(run.errors, "/proc/")) << run.errors;
  }
  const auto endless = Bash("arenaproof check --time-limit=1 - < <(sleep 20)", "/");
  EXPECT_EQ(endless.exit_status, 2);
  EXPECT_TRUE(HasText(endless.errors, "standard input came to no end in 1 second")) << endless.errors;
}

TEST(Sizes, MayEndInAUnit) {
  const std::string model = " --json --instrument=none --layout=faithful " + SeedModel(kSineModel);
  for (const auto& [word, bytes] : {std::pair{"64K", 65536}, {"1M", 1048576}, {"4096", 4096}}) {
    const auto run = Arenaproof("check --arena-bytes=" + std::string(word) + model);
    EXPECT_EQ(ParseJson(run.output).at("arena_bytes"), bytes) << run.errors;
  }
  const auto two =
      Arenaproof("run --json --two-arenas --arena-bytes=64K --persistent-arena-bytes=64K " + SeedModel(kSineModel));
  EXPECT_EQ(two.exit_status, 0) << two.errors;
  // The largest is one of them.
  const auto largest = Arenaproof("check --json --instrument=none --reserve-front=64K " + SeedModel(kSineModel));
  EXPECT_EQ(ParseJson(largest.output).at("reserve_front_bytes"), 65536) << largest.errors;
  for (const std::string word : {"5G", "64KB", "1.5M", "-1K", "K", "64k", "'64 K'"}) {
    const auto none = Arenaproof("check --arena-bytes=" + word + " " + SeedModel(kSineModel));
    EXPECT_EQ(none.exit_status, 2) << word;
    EXPECT_EQ(LinesOf(none.errors).size(), 1u) << none.errors;
    EXPECT_TRUE(HasText(none.errors, "is no size from 0 to 2147483648 bytes, such as 4096, 64K or 1M")) << none.errors;
  }
}

}  // namespace
}  // namespace arenaproof::testing
