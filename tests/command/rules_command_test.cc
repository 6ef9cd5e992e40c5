// `arenaproof rules`, and the tables of the documents, which have to say the same.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/command/findings.h"
#include "tools/command/rules.h"

namespace arenaproof {
namespace {

using testing::Arenaproof;
using testing::ParseJson;

std::string TextOf(const std::filesystem::path& path) {
  std::ifstream file(testing::SourceFolder() / path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// "V3" -> "| V3 | concerns | consequence |", of all rows that begin with the letter.
std::map<std::string, std::string> RowsOf(const std::string& document, char letter) {
  std::map<std::string, std::string> rows;
  std::istringstream lines(TextOf(document));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(std::string("| ") + letter)) rows[line.substr(2, line.find(' ', 2) - 2)] = line;
  }
  return rows;
}

std::map<std::string, std::string> RowsOfRules(char letter) {
  std::map<std::string, std::string> rows;
  for (const ExplainedRule& rule : ExplainedRules()) {
    if (rule.name.front() != letter) continue;
    rows[rule.name] = "| " + rule.name + " | " + rule.concerns + " | " + rule.consequence + " |";
  }
  return rows;
}

TEST(Rules, AreThoseOfTheDocuments) {
  EXPECT_GT(RowsOfRules('V').size(), 20u);
  EXPECT_GT(RowsOfRules('I').size(), 15u);
  EXPECT_EQ(RowsOfRules('V'), RowsOf("docs/offline_plans.md", 'V'));
  EXPECT_EQ(RowsOfRules('I'), RowsOf("docs/promises.md", 'I'));
}

TEST(Rules, ExplainEveryInvariantThatIsAsserted) {
  std::set<std::string> explained;
  for (const auto& [name, row] : RowsOfRules('I')) explained.insert(name);
  const std::regex invariant("\\bI[0-9]+\\b");
  for (const char* source :
       {"core/arena/invariants.h", "engine/oracles/arena/arena_of_kind.h", "props/arena_machine/arena_system.cc"}) {
    const std::string text = TextOf(source);
    std::set<std::string> named;
    for (std::sregex_iterator found(text.begin(), text.end(), invariant), end; found != end; ++found) {
      named.insert(found->str());
      EXPECT_TRUE(explained.contains(found->str())) << found->str() << " of " << source;
    }
    EXPECT_FALSE(named.empty()) << source;
  }
}

TEST(RulesCommand, ExplainsWhatItIsAskedFor) {
  const auto run = Arenaproof("rules V17 read-after-operand");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(run.output,
            "V17  an offset that is no multiple of 16\n"
            "     refused\n"
            "read-after-operand  a kernel reads bytes behind an operand\n"
            "                    The operator's kernel reads up to 64 bytes after one of its operands.\n");
}

TEST(RulesCommand, PrintsAllOfThemAndTheKindsOfFindings) {
  const auto report = ParseJson(Arenaproof("rules --json").output);
  EXPECT_EQ(report["rules"].size(), ExplainedRules().size());
  std::set<std::string> names;
  for (const auto& rule : report["rules"]) {
    EXPECT_TRUE(names.insert(rule["name"].get<std::string>()).second) << rule["name"] << " stands there twice";
    EXPECT_NE(rule["concerns"], "");
    EXPECT_NE(rule["consequence"], "");
  }
  for (const FindingRule& rule : FindingRules()) EXPECT_TRUE(names.contains(rule.id)) << rule.id;
}

TEST(RulesCommand, RefusesARuleThatIsNotThere) {
  const auto run = Arenaproof("rules V20 V99");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors, "arenaproof: rules: there is no rule 'V99'; arenaproof rules lists those there are\n");
}

TEST(RulesCommand, SaysSoWhenTheReportIsNotTaken) {
  const auto run = testing::Bash("arenaproof rules > /dev/full", "/");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_EQ(run.errors, "arenaproof: standard output did not take the whole report\n");
}

}  // namespace
}  // namespace arenaproof
