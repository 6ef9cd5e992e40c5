// `check --instrument=valgrind`, end to end, on libraries without hooks. Valgrind has to be installed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"
#include "tools/worker/valgrind_program.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

CommandRun ByValgrind(const std::string& words, const std::string& environment = {}) {
  return Arenaproof("check --json --instrument=valgrind " + words, environment);
}

// The report of a check that ended with this status.
Json Report(const CommandRun& run, int exit_status) {
  EXPECT_EQ(run.exit_status, exit_status) << run.errors << run.output;
  return ParseJson(run.output);
}

// In the dilated layout, in which no operand lies beside another one.
Json ViolationsOf(const std::string& fault, int exit_status) {
  const Json report = Report(
      ByValgrind("--layout=dilated " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault(fault)), exit_status);
  return report.at("parts").at(0).at("violations");
}

// A `valgrind` of this script comes before the one of the machine.
CommandRun BehindScript(const std::string& script) {
  const std::string folder = TemporaryFolder(), path = folder + "/valgrind";
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return Arenaproof("check --instrument=valgrind " + SeedModel(kFullyConnected) + " --kernels=" + Example("plain"),
                    "PATH='" + folder + "':\"$PATH\"");
}

TEST(Valgrind, FindsNothingInASoundLibraryAndSeesAllOfIt) {
  const Json report = Report(ByValgrind(SeedModel(kFullyConnected) + " --kernels=" + Example("plain")), 0);
  EXPECT_EQ(report.at("accesses_checked"), true);
  EXPECT_TRUE(HasText(report.at("verdict"), "clean: no access outside"));
  ASSERT_EQ(report.at("parts").size(), 2u);
  for (const Json& part : report.at("parts")) {
    EXPECT_EQ(part.at("self_test").at("sees"), true);
    EXPECT_GT(part.at("self_test").at("seen").size(), 60u);
    EXPECT_EQ(part.at("operators").size(), 2u);
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), true);
  }
}

// Rows of 20 bytes, read by 16: to the guard all of it lies in the 12 bytes that the input's alignment leaves.
TEST(Valgrind, FindsAnOverReadInsideTheAlignmentToTheByte) {
  const std::string words = SeedModel(kFullyConnected) + " --layout=dilated --kernels=" + Example("overread-plain");
  const Json report = Report(ByValgrind(words), 1);
  const Json& part = report.at("parts").at(0);
  ASSERT_EQ(part.at("violations").size(), 2u);
  EXPECT_EQ(FurthestBehind(part, "input"), 12);
  EXPECT_EQ(FurthestBehind(part, "constant"), 12);
  for (const Json& violation : part.at("violations")) {
    EXPECT_EQ(violation.at("operator_name"), "FULLY_CONNECTED");
    EXPECT_EQ(violation.at("operator"), 0);
    EXPECT_EQ(violation.at("max_width_bytes"), 16);
    if (violation.at("operand").at("kind") == "input") EXPECT_EQ(violation.at("operand").at("name"), "input");
  }
  const Json by_guard = ParseJson(Arenaproof("check --json --instrument=guard " + words).output);
  for (const Json& violation : by_guard.at("parts").at(0).at("violations")) {
    EXPECT_NE(violation.at("operand").at("kind"), "input");
  }
}

// memcheck writes an error of a place in the code once; the second operator's is none of the first one's.
TEST(Valgrind, FindsWhatTwoOperatorsDoInTheSamePlace) {
  for (const std::string fault :
       {"invoke_reads_next", "invoke_thread_reads_next", "invoke_uses_next", "invoke_overwrite"}) {
    const bool write = fault == "invoke_overwrite";
    std::map<int, int> distances;
    for (const Json& violation : ViolationsOf(fault, 1)) {
      EXPECT_EQ(violation.at("side"), "after") << violation;
      EXPECT_EQ(violation.at("access"), write ? "write" : "read");
      EXPECT_EQ(violation.at("operand").at("kind"), write ? "output" : "input");
      distances[violation.at("operator").get<int>()] = violation.at("distance_bytes").get<int>();
    }
    const int distance = write ? 3 : 1;
    EXPECT_EQ(distances, (std::map<int, int>{{0, distance}, {1, distance}})) << fault;
  }
}

TEST(Valgrind, FindsBytesThatNobodyHasWritten) {
  const std::map<std::string, int> first_bytes = {{"invoke_unwritten", 12}, {"invoke_stale_scratch", 8}};
  for (const auto& [fault, first_byte] : first_bytes) {
    const Json violations = ViolationsOf(fault, 1);
    ASSERT_EQ(violations.size(), 2u) << fault << violations;
    for (const Json& violation : violations) {
      EXPECT_EQ(violation.at("side"), "unwritten");
      EXPECT_EQ(violation.at("operand").at("kind"), "output");
      EXPECT_EQ(violation.at("lowest_touched"), first_byte);
      EXPECT_EQ(violation.at("highest_touched"), first_byte + 3);
      EXPECT_EQ(violation.at("max_width_bytes"), 4);
    }
  }
  const auto text = Arenaproof("check --instrument=valgrind " + ReluChain() + " --kernels=" + FaultyLibrary(),
                               Fault("invoke_unwritten"));
  EXPECT_TRUE(HasText(text.output, "leaves bytes of output tensor 1 \"middle\" (16 bytes) unwritten, or makes them"))
      << text.output;
}

// A loop is one place in the code: memcheck writes its first error alone.
TEST(Valgrind, FindsTheFurthestAccessOfALoop) {
  const Json violations = ViolationsOf("invoke_reads_row_behind", 1);
  ASSERT_EQ(violations.size(), 2u) << violations;
  for (const Json& violation : violations) {
    EXPECT_EQ(violation.at("distance_bytes"), 40);
    EXPECT_EQ(violation.at("count"), 40);
    EXPECT_EQ(violation.at("lowest_touched"), 16);
  }
}

// Valgrind gives up over this library's debugging information when it is loaded as a file.
TEST(Valgrind, ReadsNoDebuggingInformation) {
  const std::string words = "--layout=dilated " + ReluChain() + " --kernels=" + FaultyLibrary("debugged");
  EXPECT_TRUE(Report(ByValgrind(words), 0).at("parts").at(0).at("violations").empty());
  Report(ByValgrind(words, Fault("invoke_reads_next")), 1);
}

// A copy of a process has one of its threads.
TEST(Valgrind, IsBlindWhereThreadsGoOn) {
  const auto run = Arenaproof("check --json --instrument=valgrind " + ReluChain() + " --kernels=" + FaultyLibrary(),
                              Fault("prepare_keeps_thread"));
  EXPECT_EQ(run.exit_status, 2) << run.output;
  EXPECT_TRUE(HasText(run.output + run.errors, "threads of its own, which no copy has")) << run.output << run.errors;
}

TEST(Valgrind, SaysThatItDoesNotKnowAnInstruction) {
  const auto run =
      Arenaproof("check --instrument=valgrind " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault("invoke_trap"));
  EXPECT_EQ(run.exit_status, 2) << run.output;
  EXPECT_TRUE(HasText(run.errors, "an instruction that Valgrind does not know, or that is illegal while RELU"))
      << run.errors;
}

// What a kernel did before it ended the process is not lost.
TEST(Valgrind, FindsWhatWasDoneBeforeACrash) {
  const Json violations = ViolationsOf("invoke_overwrite_and_crash", 1);
  bool found = false;
  for (const Json& violation : violations) {
    found = found || (violation.at("side") == "after" && violation.at("distance_bytes") == 41);
  }
  EXPECT_TRUE(found) << violations;
}

// A Valgrind of other habits misses what it is shown, or is none: nothing is clean then.
TEST(Valgrind, IsNotUsedWhenItsSelfTestFails) {
  const std::string valgrind = FindValgrind();
  ASSERT_FALSE(valgrind.empty()) << kNoValgrind;
  const std::map<std::string, std::string> scripts = {
      // Options behind others win; the program and its words come last.
      {"while [ \"${1#-}\" != \"$1\" ]; do options=\"$options $1\"; shift; done\n"
       "exec " +
           valgrind + " $options --partial-loads-ok=yes \"$@\"",
       "the instrument is blind: it missed"},
      {"while [ \"${1#-}\" != \"$1\" ]; do options=\"$options $1\"; shift; done\n"
       "exec " +
           valgrind + " $options --undef-value-errors=no \"$@\"",
       "the instrument ended the program during its self-test"},
      {"while [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"", "the instrument is not compiled into this build"},
      {"echo broken >&2\nexit 3",
       "'valgrind' is not available: Valgrind ended with status 3 before its program began: broken"}};
  for (const auto& [script, sentence] : scripts) {
    const auto run = BehindScript(script);
    EXPECT_EQ(run.exit_status, 2) << script << run.output;
    EXPECT_TRUE(HasText(run.errors + run.output, sentence)) << script << run.errors << run.output;
    EXPECT_FALSE(HasText(run.output, "clean")) << run.output;
  }
  const auto whole = BehindScript("exec " + valgrind + " \"$@\"");
  EXPECT_EQ(whole.exit_status, 0) << whole.errors << whole.output;
}

TEST(Valgrind, IsAskedForByNameAndMissedByName) {
  const auto missing = Arenaproof("check --instrument=valgrind " + ReluChain(), "PATH=/nowhere");
  EXPECT_EQ(missing.exit_status, 2);
  EXPECT_TRUE(HasText(missing.errors, std::string("'valgrind' is not available: ") + kNoValgrind)) << missing.errors;
  const Json unasked =
      ParseJson(Arenaproof("check --json --layout=dilated " + ReluChain() + " --kernels=" + FaultyLibrary()).output);
  for (const Json& part : unasked.at("parts")) EXPECT_NE(part.at("instrument"), "valgrind");
}

}  // namespace
}  // namespace arenaproof::testing
