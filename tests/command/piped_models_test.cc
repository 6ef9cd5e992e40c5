// What is said of models that come through standard input or another pipe, and which names lead to one.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/text.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

const std::string kPipedFile = SeedModel(kFullyConnected);

// The first line of a report in text that is a command.
std::string CommandIn(const std::string& report) {
  for (const std::string& line : LinesOf(report)) {
    if (const auto at = line.find("arenaproof "); at != std::string::npos) return line.substr(at);
  }
  return {};
}

TEST(PipedModels, AreReadFromStandardInputByTheCommandThatDoesItAgain) {
  const std::string check = "check --instrument=shadow --kernels=aligned-faulty -v ";
  for (const std::string& command : {check, std::string("run "), std::string("size "), std::string("describe "),
                                     std::string("plan --planner=greedy "), std::string("verify ")}) {
    const std::string file = command == "verify " ? WrongPlanCsv() : kPipedFile;
    const auto expected = Bash("arenaproof " + command + "'" + file + "'", "/");
    for (const std::string& model : {"- <'" + file + "'", "<(cat '" + file + "')", "/dev/stdin <'" + file + "'"}) {
      SCOPED_TRACE(command + model);
      const auto run = Bash("arenaproof " + command + model, "/");
      EXPECT_EQ(run.exit_status, expected.exit_status) << run.errors;
      const std::string line = CommandIn(run.output);
      EXPECT_TRUE(line.starts_with("arenaproof " + command.substr(0, command.find(' ')) + " - ") ||
                  line.starts_with("arenaproof verify - <FILE"))
          << run.output;
      EXPECT_TRUE(line.ends_with(" <FILE")) << line;
      const auto again = Bash("ln -s '" + file + "' FILE; " + line, TemporaryFolder());
      EXPECT_EQ(again.exit_status, expected.exit_status) << again.errors;
    }
  }
  // A file of that name is one.
  const auto file = Bash("cp '" + kPipedFile + "' ./-; arenaproof run ./-", TemporaryFolder());
  EXPECT_TRUE(file.output.starts_with("arenaproof run ./- --kernels=")) << file.output << file.errors;
}

TEST(PipedModels, HaveACommandBesideAPlanOfAPipe) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,32\nb,2,9,16\n", "p.csv");
  const std::string plan = WriteText(Arenaproof("plan --format=csv " + problem).output, "plan.csv");
  for (const auto& [words, command] :
       {std::pair<std::string, std::string>{"'" + problem + "' - <'" + plan + "'", problem + " - <PLAN"},
        {"- '" + plan + "' <'" + problem + "'", "- " + plan + " <FILE"},
        {"<(cat '" + problem + "') - <'" + plan + "'", "- PLAN <FILE"}}) {
    const auto run = Bash("arenaproof verify " + words, "/");
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("arenaproof verify " + command + "\n")) << run.output;
  }
}

// Children have other descriptors than the command.
TEST(PipedModels, MayBeDescriptorsThatLeadToAFile) {
  const std::string to = " <'" + kPipedFile + "'", three = " 3<'" + kPipedFile + "'";
  for (const std::string& words : {"/dev/stdin" + to, "/dev/fd/0" + to, "/proc/self/fd/0" + to, "/dev/fd/3" + three,
                                   "/proc/self/fd/3" + three, "/proc/thread-self/fd/3" + three, "link" + to}) {
    for (const std::string command : {"check --instrument=none --json ", "run --json ", "describe --json ",
                                      "size --json ", "plan --planner=greedy --json "}) {
      const auto run = Bash("ln -s /dev/stdin link; arenaproof " + command + words, TemporaryFolder());
      EXPECT_EQ(run.exit_status, 0) << command << words << run.errors;
      EXPECT_EQ(ParseJson(run.output).at("model"), words.substr(0, words.find(' ')));
    }
  }
  // From where it stands, and as often as it is asked for.
  const auto twice = Bash("arenaproof check --instrument=none --quiet /dev/stdin /dev/stdin" + to, "/");
  EXPECT_EQ(twice.output, "2 models: 2 not checked\n") << twice.errors;
  const auto none = Bash("echo no model >none; arenaproof check /dev/stdin <none", TemporaryFolder());
  EXPECT_EQ(none.exit_status, 2);
  EXPECT_TRUE(none.errors.starts_with("arenaproof check: '/dev/stdin': ")) << none.errors;
  EXPECT_FALSE(HasText(none.errors, "/proc/")) << none.errors;
}

TEST(PipedModels, HaveOneNameInFiles) {
  for (const std::string& model :
       {"- <'" + kPipedFile + "'", "<(cat '" + kPipedFile + "')", "/dev/stdin <'" + kPipedFile + "'"}) {
    SCOPED_TRACE(model);
    const std::string folder = TemporaryFolder();
    const auto run = Bash(
        "arenaproof check --instrument=shadow --kernels=aligned-faulty --report=a.sarif --report=a.xml "
        "--report=a.html --report=a.json --write-baseline=b.json " +
            model,
        folder);
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    for (const auto& [file, text] : {std::pair{"a.sarif", "\"uri\": \"stdin\""},
                                     {"a.xml", "<testsuite name=\"stdin\""},
                                     {"a.html", "<h2>stdin</h2>"},
                                     {"b.json", "\"model\": \"stdin\""}}) {
      EXPECT_TRUE(HasText(ReadFileText(folder + "/" + file), text)) << file;
    }
    for (const char* file : {"a.sarif", "a.xml", "a.html", "a.json"}) {
      const std::string text = ReadFileText(folder + "/" + file);
      EXPECT_TRUE(HasText(text, "arenaproof check - ")) << file;
      EXPECT_FALSE(HasText(text, "./-")) << file;
    }
    // A shell makes the name of <(...).
    const std::string named = ParseJson(ReadFileText(folder + "/a.json")).at("model");
    EXPECT_TRUE(model[0] == '<' ? named.starts_with("/dev/fd/") : named == model.substr(0, model.find(' '))) << named;
    // Another pipe may have another name.
    const auto vanished = Bash("arenaproof check --instrument=shadow --json --baseline=b.json '" +
                                   SeedModel("sine_regressor_int8") + "' - <'" + kPipedFile + "'",
                               folder);
    const Json models = ParseJson(vanished.output).at("models");
    EXPECT_EQ(models[0].at("baseline").at("vanished").size(), 0u);
    EXPECT_EQ(models[1].at("baseline").at("vanished").size(), 2u);
    const auto plan = Bash("arenaproof plan --planner=greedy --format=html " + model, "/");
    EXPECT_TRUE(HasText(plan.output, ">stdin<")) << plan.output.substr(0, 400);
  }
}

}  // namespace
}  // namespace arenaproof::testing
