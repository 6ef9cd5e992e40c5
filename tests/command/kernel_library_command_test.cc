// --kernels=FILE from end to end: the example library in its builds. Real workers of the presets shadow and asan have
// to be built beside this build.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/command/command_support.h"
#include "tests/command/example_libraries.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

using Json = nlohmann::json;

// x -> the example's custom operator, times 3 -> y.
std::string ScaledModel(const std::string& custom_name, std::vector<std::byte> options) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (const char* name : {"x", "y"}) {
    graph.AddTensor({.name = name, .type = TensorType::kFloat32, .shape = std::vector<std::int32_t>{1, 4}});
  }
  graph.AddOperator({.code = builder.AddCustomCode(custom_name),
                     .inputs = {0},
                     .outputs = {1},
                     .custom_options = std::move(options)});
  graph.inputs = {0};
  graph.outputs = {1};
  return WriteModel(builder.Finish());
}

const std::vector<std::byte> kThree = {std::byte{0}, std::byte{0}, std::byte{0x40}, std::byte{0x40}};

TEST(KernelLibrary, ComputesTheSameAsTheReference) {
  const std::string run = "run --json " + SeedModel(kFullyConnected);
  const auto own = Arenaproof(run + " --kernels=" + Example("plain")), reference = Arenaproof(run);
  ASSERT_EQ(own.exit_status, 0) << own.errors;
  EXPECT_EQ(ParseJson(own.output).at("outputs"), ParseJson(reference.output).at("outputs"));
  EXPECT_EQ(ParseJson(own.output).at("fallback"), "none");
  EXPECT_FALSE(ParseJson(reference.output).contains("fallback"));
}

TEST(KernelLibrary, IsReadInEveryCommandThatSetsAModelUp) {
  for (const std::string command : {"size", "describe", "run", "check -v --instrument=none"}) {
    const auto run = Arenaproof(command + " " + SeedModel(kFullyConnected) + " --kernels=" + Example("plain"));
    EXPECT_EQ(run.exit_status, 0) << command << run.errors;
    EXPECT_NE(run.output.find("libexample-plain.so"), std::string::npos) << run.output;
  }
}

TEST(KernelLibrary, ServesCustomOperatorsWithTheirOptionBytes) {
  const auto run = Arenaproof("run --json " + ScaledModel("example.scale", kThree) + " --kernels=" + Example("plain"));
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const Json report = ParseJson(run.output);
  const auto x = report.at("inputs")[0].at("first_values").get<std::vector<float>>();
  const auto y = report.at("outputs")[0].at("first_values").get<std::vector<float>>();
  ASSERT_EQ(y.size(), 4u);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], x[i] * 3.0f);
  const auto other = Arenaproof("run " + ScaledModel("example.other", kThree) + " --kernels=" + Example("plain"));
  EXPECT_EQ(other.exit_status, 2) << other.output;
  EXPECT_NE(other.errors.find("example.other"), std::string::npos) << other.errors;
  const auto refused = Arenaproof("run " + ScaledModel("example.scale", {}) + " --kernels=" + Example("plain"));
  EXPECT_EQ(refused.exit_status, 2) << refused.output;
  EXPECT_NE(refused.errors.find("a kernel failed with its own status 6"), std::string::npos) << refused.errors;
}

TEST(KernelLibrary, LeavesToTheFallbackWhatItLacks) {
  const auto none = Arenaproof("check " + SeedModel("person_detection_int8") +
                               " --instrument=none --fallback=reference --kernels=" + FaultyLibrary());
  EXPECT_EQ(none.exit_status, 2) << none.output;
  EXPECT_NE(none.errors.find("serves no operator of the model"), std::string::npos) << none.errors;
  const std::string model = SeedModel("sine_regressor_int8");
  const auto with = Arenaproof("run --json " + model + " --fallback=reference --kernels=" + Example("plain"));
  ASSERT_EQ(with.exit_status, 0) << with.errors;
  EXPECT_EQ(ParseJson(with.output).at("outputs"), ParseJson(Arenaproof("run --json " + model).output).at("outputs"));
}

TEST(KernelLibrary, IsSeenToTheByteWhereItHasHooks) {
  const auto run =
      Arenaproof("check " + SeedModel(kFullyConnected) + " --json --kernels=" + ExampleOfBoth("overread-"));
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  const Json report = ParseJson(run.output);
  ASSERT_EQ(report.at("parts").size(), 4u);
  for (const Json& part : report.at("parts")) {
    SCOPED_TRACE(part.at("layout").get<std::string>() + ", " + part.at("instrument").get<std::string>());
    EXPECT_EQ(part.at("violations").size(), 2u);
    EXPECT_EQ(FurthestBehind(part, "input"), 12);
    EXPECT_EQ(FurthestBehind(part, "constant"), 12);
    for (const Json& violation : part.at("violations")) EXPECT_EQ(violation.at("max_width_bytes"), 16);
    EXPECT_EQ(part.at("outputs"), report.at("parts")[0].at("outputs"));
  }
}

TEST(KernelLibrary, IsCleanWhereItIsSoundAndSeen) {
  const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --json --kernels=" + ExampleOfBoth(""));
  ASSERT_EQ(run.exit_status, 0) << run.errors << run.output;
  const Json report = ParseJson(run.output);
  ASSERT_EQ(report.at("parts").size(), 4u);
  for (const Json& part : report.at("parts")) {
    EXPECT_EQ(part.at("operators").size(), 2u);
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), true);
  }
}

// The part saw no invoke of the two operators, and says so.
void ExpectNotSeen(const Json& part) {
  EXPECT_EQ(part.at("problem_code"), "kernels_not_seen");
  EXPECT_EQ(part.at("exit_status"), 2);
  EXPECT_EQ(part.at("operators").size(), 2u);
  for (const Json& one : part.at("operators")) {
    EXPECT_EQ(one.at("seen"), false);
    EXPECT_EQ(one.at("without_hooks"), true);
    EXPECT_EQ(one.at("invokes_seen"), 0);
  }
}

TEST(KernelLibrary, IsNeverCleanByInstrumentsWhoseHooksItLacks) {
  for (const char* name : {"plain", "overread-plain"}) {
    for (const std::string instrument : {"shadow", "asan"}) {
      const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --json --instrument=" + instrument +
                                  " --kernels=" + Example(name));
      EXPECT_EQ(run.exit_status, 2) << name << run.output;
      const Json report = ParseJson(run.output);
      EXPECT_EQ(report.at("verdict"), "not seen: no instrument saw 2 operators with kernels from outside");
      EXPECT_EQ(report.at("accesses_checked"), false);
      ASSERT_FALSE(report.at("parts").empty());
      for (const Json& part : report.at("parts")) ExpectNotSeen(part);
    }
  }
  // Kernels of this program in the same model are seen, and that is not enough.
  const auto mixed = Arenaproof("check " + SeedModel("sine_regressor_int8") +
                                " --instrument=shadow --fallback=reference --kernels=" + Example("plain"));
  EXPECT_EQ(mixed.exit_status, 2) << mixed.output;
  EXPECT_EQ(mixed.output.find("\nclean"), std::string::npos) << mixed.output;
}

// Where nobody asks for an instrument those that need no hooks look, and the verdict says what none of them sees.
TEST(KernelLibrary, IsCheckedWithoutHooksByTheInstrumentsThatNeedNone) {
  const std::string words = "check " + SeedModel(kFullyConnected) + " --kernels=";
  const auto sound = Arenaproof(words + Example("plain") + " --json");
  ASSERT_EQ(sound.exit_status, 0) << sound.errors << sound.output;
  const Json report = ParseJson(sound.output);
  EXPECT_EQ(report.at("verdict").get<std::string>().find(
                "clean as far as seen: reads in init and prepare and around persistent blocks, which none of guard, "
                "canary and twofill sees; 2 operands around which guard cannot decide to the byte"),
            0u)
      << report.at("verdict");
  for (const std::string name : {"shadow", "asan"}) {
    EXPECT_TRUE(HasText(report.at("verdict"), "; " + name + " saw nothing of the kernels from outside"));
  }
  EXPECT_EQ(report.at("accesses_checked"), true);
  ASSERT_EQ(report.at("parts").size(), 10u);
  for (const Json& part : report.at("parts")) {
    if (part.at("instrument") == "shadow" || part.at("instrument") == "asan") {
      ExpectNotSeen(part);
      continue;
    }
    EXPECT_EQ(part.at("exit_status"), 0) << part;
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), true);
  }
  const auto text = Arenaproof(words + Example("plain"));
  EXPECT_TRUE(HasText(text.output,
                      "  shadow, asan, guard, canary and twofill in the faithful and dilated layouts: 6 "
                      "clean, 4 not seen; 2 of 2 operators seen"))
      << text.output;
  EXPECT_TRUE(HasText(text.output, "not seen (faithful, shadow): the kernels of ")) << text.output;
  const auto faulty = Arenaproof(words + Example("overread-plain"));
  EXPECT_EQ(faulty.exit_status, 1) << faulty.errors << faulty.output;
  const auto alone = Arenaproof(words + "plain:" + Example("plain"));
  EXPECT_EQ(alone.exit_status, 0) << alone.errors << alone.output;
  EXPECT_EQ(alone.output.find("clean by guard, canary and twofill alone as far as seen: reads in init"), 0u)
      << alone.output;
  const auto two = Arenaproof(words + "shadow:" + Example("plain") + ",asan:" + Example("plain"));
  EXPECT_EQ(two.exit_status, 2) << "no file for the others: " << two.output;
}

// Kernels of this program beside those of the file: shadow and asan see the one, the others both.
TEST(KernelLibrary, IsSeenByTheOthersBesideKernelsOfThisProgram) {
  const auto run = Arenaproof("check --json " + SeedModel("keyword_spotting_int8") +
                              " --fallback=reference --kernels=" + Example("plain"));
  ASSERT_EQ(run.exit_status, 0) << run.errors << run.output;
  const Json report = ParseJson(run.output);
  const auto verdict = report.at("verdict").get<std::string>();
  EXPECT_TRUE(HasText(verdict, "reads in init and prepare and around persistent blocks (")) << verdict;
}

// What one instrument sees the other need not.
TEST(KernelLibrary, IsSeenByTheInstrumentThatItHasHooksFor) {
  for (const std::string build : {"shadow", "asan"}) {
    const std::string other = build == "shadow" ? "asan" : "shadow";
    const std::string words = "check " + SeedModel(kFullyConnected) + " --kernels=";
    const auto sound = Arenaproof(words + Example(build)), faulty = Arenaproof(words + Example("overread-" + build));
    EXPECT_EQ(sound.exit_status, 0) << sound.errors;
    EXPECT_NE(sound.output.find("; " + other + " saw nothing of the kernels from outside"), std::string::npos)
        << sound.output;
    EXPECT_EQ(faulty.exit_status, 1) << faulty.errors;
    const auto named = Arenaproof(words + Example(build) + " --instrument=" + other);
    EXPECT_EQ(named.exit_status, 2) << named.output;
    EXPECT_NE(named.errors.find("is compiled for " + build), std::string::npos) << named.errors;
    const auto plain = Arenaproof("run " + SeedModel(kFullyConnected) + " --kernels=" + Example(build));
    EXPECT_EQ(plain.exit_status, 2) << plain.output;
    // Only the build that is named is used.
    const auto alone = Arenaproof(words + build + ":" + Example(build));
    EXPECT_EQ(alone.exit_status, 0) << alone.errors;
    EXPECT_NE(alone.output.find("not used: the instrument '" + other + "'"), std::string::npos) << alone.output;
  }
}

// A write needs no hooks to be found: it leaves a byte behind.
class WritesInAPlainBuild : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(KernelLibrary, WritesInAPlainBuild, ::testing::Values("canary", "twofill"),
                         [](const auto& instance) { return instance.param; });

TEST_P(WritesInAPlainBuild, AreSeen) {
  const std::string words =
      "check --json --instrument=" + GetParam() + " " + ReluChain() + " --kernels=" + FaultyLibrary();
  const auto sound = Arenaproof(words);
  EXPECT_EQ(sound.exit_status, 0) << sound.errors;
  EXPECT_TRUE(ParseJson(sound.output).at("verdict").get<std::string>().starts_with("clean as far as seen: reads"));
  const auto faulty = Arenaproof(words, Fault("invoke_overwrite"));
  ASSERT_EQ(faulty.exit_status, 1) << faulty.errors;
  const Json report = ParseJson(faulty.output);
  ASSERT_EQ(report.at("parts").size(), 2u);
  for (const Json& part : report.at("parts")) {
    ASSERT_FALSE(part.at("violations").empty());
    for (const Json& violation : part.at("violations")) {
      EXPECT_EQ(violation.at("kernel"), "faulty");
      EXPECT_EQ(violation.at("access"), "write");
      EXPECT_EQ(violation.at("operator_name"), "RELU");
      if (part.at("layout") == "faithful") continue;  // there the byte is one of another operand
      EXPECT_EQ(violation.at("side"), "after");
      EXPECT_EQ(violation.at("distance_bytes"), 3);
      EXPECT_EQ(violation.at("operand").at("kind"), "output");
    }
  }
}

struct Influence {
  std::string fault;
  int exit_status;
  std::string operand_kind;  // of the violations
  int first_byte = 0, most_bytes = 0;
};

struct ReadOnlyWrite {
  std::string fault, phase;
  std::string operand_kind;  // empty: it is no operand then, and the report says what lies there
};

// Inputs, weights and the model's quantisation lists, which nobody may write, by every instrument.
TEST(KernelLibrary, WritesToWhatMayOnlyBeReadAreSeenByEveryInstrument) {
  const ReadOnlyWrite writes[] = {{"", "", ""},
                                  {"invoke_writes_input", "invoke", "input"},
                                  {"invoke_writes_weights", "invoke", "constant"},
                                  {"prepare_writes_scales", "prepare", "quantization"},
                                  {"prepare_writes_zero_points", "prepare", "quantization"},
                                  {"invoke_writes_scales", "invoke", ""}};
  for (const ReadOnlyWrite& write : writes) {
    for (const std::string instrument : {"shadow", "asan", "guard", "canary", "twofill", "valgrind"}) {
      SCOPED_TRACE(write.fault + ", " + instrument);
      const bool hooks = instrument == "shadow" || instrument == "asan";
      const auto run =
          Arenaproof("check --json --layout=dilated --instrument=" + instrument + " " + SeedModel(kFullyConnected) +
                         " --kernels=" + FaultyLibrary(hooks ? instrument : "plain"),
                     Fault(write.fault));
      ASSERT_EQ(run.exit_status, write.fault.empty() ? 0 : 1) << run.errors << run.output;
      if (write.fault.empty()) continue;
      const Json report = ParseJson(run.output);
      ASSERT_FALSE(report.at("parts").at(0).at("violations").empty());
      for (const Json& violation : report.at("parts").at(0).at("violations")) {
        EXPECT_EQ(violation.at("access"), "write");
        EXPECT_EQ(violation.at("operator_name"), "FULLY_CONNECTED");
        EXPECT_EQ(violation.at("phase"), write.phase);
        if (write.operand_kind.empty()) {
          EXPECT_EQ(violation.at("state_kind"), "quantization") << violation;
          EXPECT_EQ(violation.at("state").get<std::string>().find("the quantisation of tensor "), 0u);
        } else {
          EXPECT_EQ(violation.at("side"), "inside") << violation;
          EXPECT_EQ(violation.at("operand").at("kind"), write.operand_kind);
        }
      }
    }
  }
}

// Bytes that an operator had no right to, or that nobody had written, are found where a result tells of them.
TEST(KernelLibrary, WhatInfluencesResultsIsSeenByTwofillInAPlainBuild) {
  const std::string words =
      "check --json --instrument=twofill --layout=dilated --runs=2 " + ReluChain() + " --kernels=" + FaultyLibrary();
  const Influence influences[] = {{"", 0, ""},
                                  {"invoke_reads_next", 0, ""},
                                  {"invoke_uses_next", 1, "output", 4, 4},
                                  {"invoke_unwritten", 1, "output", 12, 4},
                                  {"invoke_stale_scratch", 1, "output", 8, 4},
                                  {"invoke_fails_by_chance", 1, "none"}};
  for (const Influence& influence : influences) {
    const auto run = Arenaproof(words, Fault(influence.fault));
    ASSERT_EQ(run.exit_status, influence.exit_status) << influence.fault << run.errors << run.output;
    const Json report = ParseJson(run.output);
    if (influence.exit_status == 0) {
      EXPECT_TRUE(report.at("verdict").get<std::string>().starts_with(
          "clean as far as seen: reads that influence no result, which twofill does not see"))
          << report.at("verdict");
    }
    const Json& part = report.at("parts").at(0);
    // Each of the two operators for itself: the first run's result is put back.
    const std::size_t count =
        influence.operand_kind == "none" ? 1 : 2 * static_cast<std::size_t>(influence.exit_status);
    ASSERT_EQ(part.at("violations").size(), count) << influence.fault << run.output;
    for (const Json& violation : part.at("violations")) {
      EXPECT_EQ(violation.at("kernel"), "faulty");
      EXPECT_EQ(violation.at("side"), "differs");
      EXPECT_EQ(violation.at("operand").at("kind"), influence.operand_kind);
      if (influence.operand_kind == "none") continue;
      EXPECT_EQ(violation.at("count"), 2) << influence.fault;
      EXPECT_GE(violation.at("lowest_touched"), influence.first_byte) << influence.fault;
      EXPECT_LT(violation.at("highest_touched"), influence.first_byte + influence.most_bytes) << influence.fault;
      EXPECT_LE(violation.at("max_width_bytes"), influence.most_bytes) << influence.fault;
    }
  }
  const auto text = Arenaproof("check --instrument=twofill " + ReluChain() + " --kernels=" + FaultyLibrary(),
                               Fault("invoke_unwritten"));
  EXPECT_NE(text.output.find("in another way when bytes outside of its operands or not yet written are others"),
            std::string::npos)
      << text.output;
}

// The example's whole blocks reach up to 15 bytes behind a row: 12 behind the 20 bytes of its input, which the guard
// says that it does not see, 12 behind the 64 times 20 of the weights, which are a multiple of 16.
TEST(KernelLibrary, GuardFindsReadsBeyondTheAlignmentInAPlainBuild) {
  const std::string words = "check --json --instrument=guard " + SeedModel(kFullyConnected) + " --kernels=";
  const auto sound = Arenaproof(words + Example("plain"));
  EXPECT_EQ(sound.exit_status, 0) << sound.errors << sound.output;
  EXPECT_TRUE(ParseJson(sound.output).at("verdict").get<std::string>().starts_with("clean as far as seen: "))
      << sound.output;
  const auto faulty = Arenaproof(words + Example("overread-plain"));
  ASSERT_EQ(faulty.exit_status, 1) << faulty.errors << faulty.output;
  const Json report_of_faulty = ParseJson(faulty.output);
  ASSERT_EQ(report_of_faulty.at("parts").size(), 2u);
  for (const Json& part : report_of_faulty.at("parts")) {
    bool weights = false;
    for (const Json& violation : part.at("violations")) {
      EXPECT_EQ(violation.at("access"), "read");
      EXPECT_EQ(violation.at("side"), "after");
      EXPECT_EQ(violation.at("distance_bytes"), 1);  // of the first byte of the access that lies in a closed page
      weights |= violation.at("operand").at("kind") == "constant";
    }
    EXPECT_TRUE(weights) << part;
  }
}

TEST(KernelLibrary, GuardSeesWritesToWhatAnAlignmentLeaves) {
  const auto run = Arenaproof("check --json --instrument=guard " + ReluChain() + " --kernels=" + FaultyLibrary(),
                              Fault("invoke_overwrite"));
  ASSERT_EQ(run.exit_status, 1) << run.errors << run.output;
  const Json report_of_run = ParseJson(run.output);
  ASSERT_EQ(report_of_run.at("parts").size(), 2u);
  for (const Json& part : report_of_run.at("parts")) {
    ASSERT_EQ(part.at("violations").size(), 2u);
    for (const Json& violation : part.at("violations")) {
      EXPECT_EQ(violation.at("access"), "write");
      EXPECT_EQ(violation.at("operator_name"), "RELU");
      if (part.at("layout") == "faithful") continue;  // there the byte is one of another operand
      EXPECT_EQ(violation.at("side"), "after");
      EXPECT_EQ(violation.at("distance_bytes"), 3);
      EXPECT_EQ(violation.at("operand").at("kind"), "output");
    }
  }
}

TEST(KernelLibrary, WhatGuardSawBeforeACrashIsNotLost) {
  const auto run = Arenaproof("check --json --instrument=guard " + ReluChain() + " --kernels=" + FaultyLibrary(),
                              Fault("invoke_overwrite_and_crash"));
  ASSERT_EQ(run.exit_status, 1) << run.errors;
  const Json report = ParseJson(run.output);
  ASSERT_EQ(report.at("parts").size(), 2u);
  for (const Json& part : report.at("parts")) {
    EXPECT_EQ(part.at("problem_code"), "kernels_died");
    ASSERT_EQ(part.at("violations").size(), 1u) << part;
    const Json& violation = part.at("violations")[0];
    EXPECT_EQ(violation.at("access"), "write");
    EXPECT_EQ(violation.at("side"), "after");
    EXPECT_EQ(violation.at("distance_bytes"), 41);
    EXPECT_EQ(violation.at("operand").at("kind"), "output");
    for (const Json& one : part.at("operators")) EXPECT_EQ(one.at("seen"), false) << "one of two runs is none";
  }
}

}  // namespace
}  // namespace arenaproof::testing
