// Names that were made to be misread, of files and of tensors: reports show them by one rule, and a shell that is given
// a line of a report runs the command that the report is of.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/text/names.h"
#include "tools/text/text.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::Bash;
using testing::CommandRun;
using testing::ParseJson;
using Json = nlohmann::json;

const std::vector<std::string> kFileNames = {"plain",
                                             "two words",
                                             "it's",
                                             "\"double\"",
                                             "$(touch x)",
                                             "`touch x`",
                                             "a\nb",
                                             "-x",
                                             "--help",
                                             "--",
                                             "\xff\xfe",
                                             "\x1b[2Jgone",
                                             "gr\xc3\xb6\xc3\x9f"
                                             "e",
                                             "\u202Etac",
                                             "back\\slash",
                                             "run",
                                             "check",
                                             "a=b",
                                             "*",
                                             "~",
                                             "#",
                                             "[a,b]",
                                             "{a}",
                                             "@file",
                                             " "};

std::string InQuotes(const std::string& word) {
  std::string quoted = "'";
  for (const char character : word) quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return quoted + "'";
}

// A folder with the seed model under this name.
std::string FolderWithModel(const std::string& name) {
  const std::string folder = testing::TemporaryFolder();
  std::filesystem::copy_file(testing::SeedModel(testing::kFullyConnected), std::filesystem::path(folder) / name);
  return folder;
}

// Nothing of a name but what can be read, and a name breaks no line.
void ExpectPrintable(const CommandRun& run) {
  for (const std::string& text : {run.output, run.errors}) {
    for (const std::string& line : LinesOf(text)) EXPECT_EQ(PrintableSentence(line), line);
  }
}

TEST(FileNames, AreQuotedSoThatTheLineReproducesTheReport) {
  for (const std::string& name : kFileNames) {
    SCOPED_TRACE(PrintableSentence(name));
    const std::string folder = FolderWithModel(name);
    const CommandRun run =
        Bash("arenaproof check -v --kernels=aligned-faulty --instrument=shadow --layout=dilated -- " + InQuotes(name),
             folder);
    ASSERT_EQ(run.exit_status, 1) << run.errors << run.output;
    ExpectPrintable(run);
    const auto place = run.output.find("reproduce: ") + 11;
    const std::string line = run.output.substr(place, run.output.find('\n', place) - place);
    const CommandRun again = Bash(line + " -v", folder);
    EXPECT_EQ(again.exit_status, 1) << line << "\n" << again.errors;
    EXPECT_EQ(again.output, run.output) << line;
    const CommandRun json = Bash(line + " --json", folder);
    const Json report = ParseJson(json.output);
    EXPECT_EQ(report.at("parts").at(0).at("violations").at(0).at("reproduce"), line);
    EXPECT_NE(report.at("model").get<std::string>().find(PrintableSentence(name)), std::string::npos);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "a shell ran a part of the name";
  }
}

TEST(FileNames, AreQuotedInTheFirstLineOfEveryReport) {
  for (const std::string& name : kFileNames) {
    SCOPED_TRACE(PrintableSentence(name));
    const std::string folder = FolderWithModel(name);
    for (const std::string command : {"run", "describe", "size"}) {
      const CommandRun run = Bash("arenaproof " + command + " -- " + InQuotes(name), folder);
      ASSERT_EQ(run.exit_status, 0) << run.errors;
      ExpectPrintable(run);
      const CommandRun again = Bash(run.output.substr(0, run.output.find('\n')), folder);
      EXPECT_EQ(again.output, run.output) << again.errors;
    }
  }
}

TEST(FileNames, AreReadableInRefusals) {
  for (const std::string& name : kFileNames) {
    SCOPED_TRACE(PrintableSentence(name));
    const std::string folder = testing::TemporaryFolder();
    std::ofstream(std::filesystem::path(folder) / name) << "no model at all";
    for (const std::string command : {"run", "describe", "size", "check --instrument=none"}) {
      const CommandRun run = Bash("arenaproof " + command + " --json -- " + InQuotes(name), folder);
      EXPECT_EQ(run.exit_status, 2) << command;
      ExpectPrintable(run);
      EXPECT_NE(run.errors.find("'" + PrintableSentence(name) + "'"), std::string::npos) << run.errors;
      EXPECT_TRUE(ParseJson(run.output).is_object());
    }
  }
}

// The seed model, whose input gets another name of as many bytes.
std::string ModelWithInputNamed(const std::string& name) {
  const std::string before = std::string("\x05\0\0\0input", 9), after = std::string("\x05\0\0\0", 4) + name;
  EXPECT_EQ(before.size(), after.size());
  const std::vector<std::byte> bytes = testing::ReadFileBytes(testing::SeedModel(testing::kFullyConnected));
  std::string file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto place = file.find(before);
  EXPECT_NE(place, std::string::npos);
  file.replace(place, before.size(), after);
  const std::string path = testing::TemporaryFolder() + "/model.tflite";
  std::ofstream(path, std::ios::binary) << file;
  return path;
}

TEST(TensorNames, AreShownByOneRuleInEveryReport) {
  for (const std::string name :
       {"gr\xc3\xb6\xc3", "\x1b[2J\xff", "\xc3\xbc\xe2\x80\xae", "a\nb\tc", "\xd0\xb6\xd0\xbe_"}) {
    const std::string printed = PrintableSentence(name), path = ModelWithInputNamed(name);
    SCOPED_TRACE(printed);
    for (const std::string command :
         {"run", "run --all-tensors", "describe", "size", "check --kernels=aligned-faulty --instrument=shadow"}) {
      for (const std::string words : {"", " --json"}) {
        const CommandRun run = Arenaproof(command + words + " " + path);
        EXPECT_LE(run.exit_status, 1) << command << run.errors;
        ExpectPrintable(run);
        const std::string shown = words.empty() ? printed : Json(printed).dump(-1, ' ', false);
        EXPECT_NE(run.output.find(words.empty() ? printed : shown.substr(1, shown.size() - 2)), std::string::npos)
            << command << words << "\n"
            << run.output;
        if (!words.empty()) EXPECT_TRUE(ParseJson(run.output).is_object());
      }
    }
  }
}

}  // namespace
}  // namespace arenaproof
