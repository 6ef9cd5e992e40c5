// Every command that README.md and the pages of docs/ show: in a block of code a line that begins with "$ ". Those of a
// page run one after the other in one folder. Each ends with the status behind "# exit status", 0 where nothing is
// said, and prints the lines below it in this order; "..." stands for any others.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

namespace fs = std::filesystem;

struct ShownCommand {
  std::size_t line = 0;
  std::string words;
  int exit_status = 0;
  std::vector<std::string> output;
};

std::vector<fs::path> Pages() {
  std::vector<fs::path> pages = {SourceFolder() / "README.md"};
  for (const auto& entry : fs::directory_iterator(SourceFolder() / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  return pages;
}

// The lines of a page: those of code without their indent, nothing for others. An empty line is code too.
std::vector<std::optional<std::string>> CodeOf(const std::string& page) {
  std::vector<std::optional<std::string>> code;
  std::istringstream lines(page);
  bool fenced = false;
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```"), indented = line.starts_with("    ");
    if (fence) fenced = !fenced;
    code.emplace_back();
    if (!fence && (fenced || indented || line.empty())) code.back() = line.substr(indented ? 4 : 0);
  }
  return code;
}

std::vector<ShownCommand> CommandsOf(const std::string& page) {
  std::vector<ShownCommand> commands;
  std::size_t number = 0;
  bool in_output = false;
  for (const std::optional<std::string>& line : CodeOf(page)) {
    ++number;
    if (line && line->starts_with("$ ")) {
      const std::regex status("# exit status ([0-9])");
      std::smatch found;
      ShownCommand& command = commands.emplace_back(number, line->substr(2));
      if (std::regex_search(*line, found, status)) command.exit_status = std::stoi(found[1]);
      in_output = true;
    } else if (!line) {
      in_output = false;
    } else if (in_output && line->find_first_not_of(" .") != std::string::npos) {
      commands.back().output.push_back(*line);
    }
  }
  return commands;
}

// Whether a shown line is that one; "..." in it stands for anything.
bool IsShownBy(const std::string& shown, const std::string& line) {
  std::size_t at = 0, begin = 0;
  while (true) {
    const std::size_t gap = shown.find("...", begin);
    const std::string piece = shown.substr(begin, gap - begin);
    const std::size_t found =
        gap == std::string::npos && begin > 0 && line.size() >= piece.size() ? line.rfind(piece) : line.find(piece, at);
    if (found == std::string::npos || found < at || (begin == 0 && found != 0)) return false;
    at = found + piece.size();
    if (gap == std::string::npos) return at == line.size();
    begin = gap + 3;
  }
}

// The first of the shown lines that is not printed behind those before it; nothing: all are.
std::optional<std::string> NotPrinted(const std::vector<std::string>& shown, const std::string& output) {
  std::istringstream lines(output);
  for (const std::string& wanted : shown) {
    std::string line;
    bool found = false;
    while (!found && std::getline(lines, line)) found = IsShownBy(wanted, line);
    if (!found) return wanted;
  }
  return std::nullopt;
}

// What a reader has at hand: a model, and the tree.
std::string ReadersFolder() {
  std::string folder = TemporaryFolder();
  fs::copy_file(SeedModel(kFullyConnected), folder + "/model.tflite");
  for (const char* name : {"corpus", "kernels"}) fs::create_symlink(SourceFolder() / name, folder + "/" + name);
  return folder;
}

class Page : public ::testing::TestWithParam<fs::path> {};

TEST_P(Page, ShowsCommandsAsTheyAre) {
  const std::string folder = ReadersFolder(), page = ReadFileText(GetParam());
  if (HasText(page, "-lXNNPACK") && !HasXnnpack()) GTEST_SKIP() << kNoXnnpack;
  for (const ShownCommand& command : CommandsOf(page)) {
    SCOPED_TRACE(GetParam().string() + ":" + std::to_string(command.line) + ": " + command.words);
    const auto run = Bash("{ " + command.words + "\n} 2>&1", folder);
    EXPECT_EQ(run.exit_status, command.exit_status) << run.output;
    EXPECT_EQ(NotPrinted(command.output, run.output), std::nullopt) << run.output;
  }
}

// A command that is not marked would not be run.
TEST_P(Page, MarksItsCommands) {
  for (const std::optional<std::string>& line : CodeOf(ReadFileText(GetParam()))) {
    if (line) EXPECT_FALSE(std::regex_search(*line, std::regex("^[^ $]*arenaproof [a-z]"))) << *line;
  }
}

INSTANTIATE_TEST_SUITE_P(Documented, Page, ::testing::ValuesIn(Pages()), [](const auto& page) {
  return std::regex_replace(page.param.stem().string(), std::regex("[^A-Za-z0-9]"), "_");
});

TEST(DocumentedCommands, AreFound) {
  const auto commands = CommandsOf(
      "text\n    $ one\n    out\n      ...\n\n    two\ntext\n    no output\n"
      "```\n$ three # exit status 2\n```\n$ four\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].words, "one");
  EXPECT_EQ(commands[0].line, 2u);
  EXPECT_EQ(commands[0].exit_status, 0);
  EXPECT_EQ(commands[0].output, (std::vector<std::string>{"out", "two"}));
  EXPECT_EQ(commands[1].exit_status, 2);
  EXPECT_EQ(commands[1].output, std::vector<std::string>());
  std::size_t count = 0;
  for (const fs::path& page : Pages()) count += CommandsOf(ReadFileText(page)).size();
  EXPECT_GE(count, 40u);
}

TEST(DocumentedCommands, AreHeldToWhatTheyShow) {
  EXPECT_EQ(NotPrinted({"one", "three"}, "one\ntwo\nthree\n"), std::nullopt);
  EXPECT_EQ(NotPrinted({"three", "one"}, "one\ntwo\nthree\n"), "one");
  EXPECT_EQ(NotPrinted({"on"}, "one\n"), "on");
  EXPECT_EQ(NotPrinted({"ne"}, "one\n"), "ne");
  EXPECT_EQ(NotPrinted({"took (... s)"}, "took (0.5 s)\n"), std::nullopt);
  EXPECT_EQ(NotPrinted({"took (... s)"}, "took (0.5 s) more\n"), "took (... s)");
  EXPECT_EQ(NotPrinted({"a...a"}, "a\n"), "a...a");
}

}  // namespace
}  // namespace arenaproof::testing
