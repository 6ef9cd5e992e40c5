// Code without hooks in a library that has them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// "NAME WHY" of each function.
std::string PartlyUnseen(const Json& scan) {
  std::string text;
  for (const Json& one : scan.at("partly_unseen")) {
    text += one.at("function").get<std::string>() + " " + one.at("why").get<std::string>() + "\n";
  }
  return text;
}

// A library with hooks may have code without them: the scan names its functions, and the verdict is one with a
// reservation.
TEST(CodeScan, NamesFunctionsThatAnInstrumentSeesInPart) {
  for (const std::string build : {"shadow", "asan"}) {
    const std::string library = Below("tests/command/partly_hooked_library/libpartly-hooked-" + build + ".so");
    const std::string words = "check " + ReluChain() + " --instrument=" + build + " --kernels=" + library;
    const auto run = Arenaproof(words + " --json");
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_TRUE(HasText(report.at("verdict"), "clean as far as seen: ")) << report.at("verdict");
    EXPECT_TRUE(HasText(report.at("verdict"), "3 functions of '" + library + "' that " + build + " sees in part only"));
    ASSERT_EQ(report.at("code_scans").size(), 1u);
    EXPECT_EQ(PartlyUnseen(report.at("code_scans")[0]),
              "CopyWithoutHooks is compiled without hooks\n"
              "GatherEight has the instruction vpgatherdd, which the compiler may not have hooked\n"
              "MoveByAssembly is compiled without hooks\n");
    const auto text = Arenaproof(words + " -v");
    EXPECT_TRUE(HasText(text.output, "'" + library + "' is partly unseen by " + build +
                                         ": function 'CopyWithoutHooks' is compiled without hooks"))
        << text.output;
  }
}

// Hooks are in a library's own code: what it calls of others is named, but for what the instrument sees all the same.
TEST(CodeScan, NamesFunctionsOfOthersThatAnInstrumentDoesNotWatch) {
  const std::pair<std::string, std::vector<std::string>> kBuilds[] = {
      {"shadow", {"CopyElsewhere", "__memcpy_chk", "copies_elsewhere", "strcpy"}},
      {"asan", {"CopyElsewhere", "__memcpy_chk", "copies_elsewhere"}}};
  for (const auto& [build, calls] : kBuilds) {
    const std::string library = Below("tests/command/unwatched_library/libunwatched-" + build + ".so");
    const std::string words = "check " + ReluChain() + " --instrument=" + build + " --kernels=" + library;
    const auto run = Arenaproof(words + " --json");
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_TRUE(HasText(report.at("verdict"), "clean as far as seen: ")) << report.at("verdict");
    EXPECT_TRUE(HasText(report.at("verdict"), std::to_string(calls.size()) + " functions that '" + library +
                                                  "' calls and " + build + " does not watch"))
        << report.at("verdict");
    ASSERT_EQ(report.at("code_scans").size(), 1u);
    EXPECT_EQ(PartlyUnseen(report.at("code_scans")[0]), "");
    EXPECT_EQ(report.at("code_scans")[0].at("unwatched_calls").get<std::vector<std::string>>(), calls);
    const auto text = Arenaproof(words + " -v");
    for (const std::string& call : calls) {
      EXPECT_TRUE(HasText(text.output, "'" + library + "' is partly unseen by " + build + ": it calls '" + call +
                                           "', which is not watched"))
          << text.output;
    }
  }
}

TEST(CodeScan, FindsNothingInWhatIsHookedAndSaysWhenItDoesNotLook) {
  const std::string words = "check --json " + SeedModel(kFullyConnected) + " --kernels=";
  const auto sound = Arenaproof(words + ExampleOfBoth(""));
  const Json report = ParseJson(sound.output);
  ASSERT_EQ(report.at("code_scans").size(), 2u);
  for (const Json& scan : report.at("code_scans")) {
    EXPECT_EQ(PartlyUnseen(scan), "");
    EXPECT_TRUE(scan.at("unwatched_calls").empty()) << scan;
    EXPECT_FALSE(scan.contains("not_scanned")) << scan;
  }
  const auto none = Arenaproof(words + Example("shadow"), "PATH=/nowhere");
  EXPECT_EQ(none.exit_status, 0) << none.errors;
  const Json without_tool = ParseJson(none.output);
  EXPECT_TRUE(HasText(without_tool.at("verdict"), "which was not scanned")) << without_tool.at("verdict");
  EXPECT_EQ(without_tool.at("code_scans")[0].at("not_scanned"),
            "there is no llvm-objdump-19, llvm-objdump or objdump on the PATH");
  // Of all names, and of those of functions that are not exported.
  for (const std::string how : {"", "-x "}) {
    const std::string stripped = TemporaryFolder() + "/stripped.so";
    const auto made = Bash("llvm-strip-19 " + how + "-o '" + stripped + "' '" + Example("shadow") + "'", "/");
    ASSERT_EQ(made.exit_status, 0) << made.errors;
    const auto nameless = Arenaproof(words + stripped);
    EXPECT_TRUE(HasText(nameless.output, "it is stripped of the names of its functions")) << nameless.output;
  }
  EXPECT_FALSE(ParseJson(Arenaproof(words + Example("plain")).output).contains("code_scans"));
}

}  // namespace
}  // namespace arenaproof::testing
