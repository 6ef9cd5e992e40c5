// One name for each refusal, and docs/json.md lists each.
#include "tools/text/refusal_code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/support/shared_files.h"

namespace arenaproof {
namespace {

std::multiset<std::string> StatusNames() {
  return {
#define ARENAPROOF_STATUS(code, meaning) RefusalCode(StatusCode::code),
#include "core/base/status_codes.inc"
#undef ARENAPROOF_STATUS
  };
}

std::map<std::string, std::string> ToolNames() {
  return {
#define ARENAPROOF_TOOL_REFUSAL(name, meaning) {RefusalCode(ToolRefusal::name), meaning},
#include "tools/text/tool_refusals.inc"
#undef ARENAPROOF_TOOL_REFUSAL
  };
}

constexpr int kToolRefusalCount = 0
#define ARENAPROOF_TOOL_REFUSAL(name, meaning) +1
#include "tools/text/tool_refusals.inc"
#undef ARENAPROOF_TOOL_REFUSAL
    ;

// The section "Codes".
std::string DocumentedCodes() {
  std::ifstream file(testing::SourceFolder() / "docs" / "json.md");
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) inside = line == "## Codes";
    if (inside) text += line + "\n";
  }
  return text;
}

TEST(RefusalCodes, AreOneUniqueNameForEachStatusAndEachRefusalOfTheCommands) {
  std::set<std::string> names;
  for (const std::string& name : StatusNames()) {
    EXPECT_TRUE(std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*"))) << name;
    EXPECT_TRUE(names.insert(name).second) << name << " stands for two statuses";
  }
  EXPECT_EQ(ToolNames().size(), static_cast<std::size_t>(kToolRefusalCount)) << "one stands for two refusals";
  for (const auto& [name, meaning] : ToolNames()) {
    EXPECT_TRUE(names.insert(name).second) << name << " is a status's, too";
  }
  EXPECT_EQ(RefusalCode(StatusCode::kArenaHeadDoesNotFit), "arena_head_does_not_fit");
  EXPECT_EQ(RefusalCode(ToolRefusal::kFileUnreadable), "file_unreadable");
  EXPECT_EQ(RefusalCode(static_cast<StatusCode>(65000)), "unknown");
}

TEST(RefusalCodes, AreAllDocumentedAndNoOthers) {
  std::set<std::string> expected = {"larger_arena"};  // the field that the section speaks of
  for (const std::string& name : StatusNames()) expected.insert(name);
  expected.erase("ok");
  for (const auto& [name, meaning] : ToolNames()) expected.insert(name);
  const std::string text = DocumentedCodes();
  std::set<std::string> found;
  const std::regex word("`([a-z0-9_]+)`");
  for (std::sregex_iterator match(text.begin(), text.end(), word), end; match != end; ++match) {
    found.insert((*match)[1]);
  }
  EXPECT_EQ(found, expected);
  for (const auto& [name, meaning] : ToolNames()) {
    EXPECT_NE(text.find("\n- `" + name + "`: " + meaning + "\n"), std::string::npos) << name << ": " << meaning;
  }
}

}  // namespace
}  // namespace arenaproof
