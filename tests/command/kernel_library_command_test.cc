// --kernels=FILE from end to end: the example library in its builds, and a library that misbehaves in every way. Real
// workers of the presets shadow and asan have to be built beside this build.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

std::string Below(const std::string& path) {
  return (std::filesystem::path(CommandPath()).parent_path().parent_path() / path).string();
}
std::string Example(const std::string& name) { return Below("kernels/vendor/example/libexample-" + name + ".so"); }
std::string ExampleOfBoth(const std::string& sound) {
  return "shadow:" + Example(sound + "shadow") + ",asan:" + Example(sound + "asan");
}
std::string Fault(const std::string& fault) { return "ARENAPROOF_FAULT=" + fault; }

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

// The furthest access behind an operand of the kind.
int FurthestBehind(const Json& part, const std::string& kind) {
  int furthest = 0;
  for (const Json& violation : part.at("violations")) {
    EXPECT_EQ(violation.at("kernel"), "example");
    EXPECT_EQ(violation.at("side"), "after");
    EXPECT_EQ(violation.at("access"), "read");
    if (violation.at("operand").at("kind") == kind) {
      furthest = std::max(furthest, violation.at("distance_bytes").get<int>());
    }
  }
  return furthest;
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

// The furthest read behind an operand; 0: none was reported.
int FurthestOf(const Json& part) { return std::max(FurthestBehind(part, "input"), FurthestBehind(part, "constant")); }

// What a table declares is no violation, and is listed; one byte more is one, by its distance to the operand.
TEST(DeclaredReads, AreAllowedToTheByteAndListed) {
  const std::string words = "check " + SeedModel(kFullyConnected) + " --json --kernels=";
  const auto all_of = [](const std::string& declared) {
    return ExampleOfBoth(declared) + ",plain:" + Example(declared + "plain");
  };
  for (const std::string instrument : {"shadow", "asan", "guard", "twofill"}) {
    SCOPED_TRACE(instrument);
    const auto enough = Arenaproof(words + all_of("declared-12-") + " --instrument=" + instrument);
    EXPECT_EQ(enough.exit_status, 0) << enough.errors << enough.output;
    const Json report = ParseJson(enough.output);
    EXPECT_TRUE(HasText(report.at("verdict"), "; kernels may read beside 4 operands, as they declare"))
        << report.at("verdict");
    for (const Json& part : report.at("parts")) {
      const Json& allowances = part.at("read_allowances");
      ASSERT_EQ(allowances.size(), 4u);
      EXPECT_EQ(allowances[0].at("kind"), "input");
      EXPECT_EQ(allowances[1].at("kind"), "constant");
      EXPECT_EQ(allowances[0].at("before_bytes"), 0);
      EXPECT_EQ(allowances[0].at("after_bytes"), 12);
    }
    if (instrument == "twofill" || instrument == "guard") continue;  // the byte lies in what the alignment leaves
    const auto too_few = Arenaproof(words + all_of("declared-11-") + " --instrument=" + instrument);
    EXPECT_EQ(too_few.exit_status, 1) << too_few.errors << too_few.output;
    const Json violated = ParseJson(too_few.output);
    for (const Json& part : violated.at("parts")) EXPECT_EQ(FurthestOf(part), 12) << part;
  }
  const auto text = Arenaproof("check -v --layout=dilated " + SeedModel(kFullyConnected) +
                               " --kernels=" + ExampleOfBoth("declared-12-"));
  EXPECT_TRUE(HasText(text.output, "kernel example: 0 bytes before and 12 bytes after input 0")) << text.output;
  EXPECT_TRUE(HasText(text.output, ", as they declare, where nobody looked for room")) << text.output;
}

// Nothing of the arena lies before the first tensor: the application has to keep it, and check says how much.
TEST(DeclaredReads, NeedRoomInTheArena) {
  const std::string words = "check --json " + ReluChain() + " --kernels=" + FaultyLibrary() + " --instrument=";
  const std::string allowed = "ARENAPROOF_ALLOWED=1 ";
  const auto none = Arenaproof(words + "guard", allowed);
  EXPECT_EQ(none.exit_status, 2) << none.output;
  EXPECT_TRUE(HasText(none.errors,
                      "kernel 'faulty' declares that RELU (operator 0) reads 16 bytes before input 0 'x', "
                      "where the arena's allocation has 0; --reserve-front=16 or more would be right"))
      << none.errors;
  EXPECT_TRUE(HasText(none.output, "\"problem_code\": \"read_room\"")) << none.output;
  EXPECT_EQ(Arenaproof(words + "guard --reserve-front=15", allowed).exit_status, 2);
  struct Read {
    std::string fault, instrument;
    int exit_status;
  };
  for (const Read& read :
       {Read{"invoke_reads_allowed", "guard", 0}, Read{"invoke_reads_allowed", "shadow", 0},
        Read{"invoke_reads_allowed", "asan", 0}, Read{"invoke_reads_beyond_allowed", "guard", 1},
        Read{"invoke_reads_beyond_allowed", "shadow", 1}, Read{"invoke_reads_beyond_allowed", "asan", 1},
        Read{"invoke_uses_allowed", "guard", 1}, Read{"invoke_uses_allowed", "twofill", 1}}) {
    SCOPED_TRACE(read.fault + ", " + read.instrument);
    const bool hooks = read.instrument == "shadow" || read.instrument == "asan";
    const auto run = Arenaproof("check --json --reserve-front=16 " + ReluChain() + " --instrument=" + read.instrument +
                                    " --kernels=" + FaultyLibrary(hooks ? read.instrument : "plain"),
                                allowed + Fault(read.fault));
    ASSERT_EQ(run.exit_status, read.exit_status) << run.errors << run.output;
    const Json report = ParseJson(run.output);
    for (const Json& part : report.at("parts")) {
      ASSERT_EQ(part.at("violations").empty(), read.exit_status == 0 || part.at("exit_status") == 0) << part;
      for (const Json& violation : part.at("violations")) {
        if (read.fault == "invoke_uses_allowed") {
          EXPECT_EQ(violation.at("side"), "differs");
        } else if (part.at("layout") == "dilated") {
          EXPECT_EQ(violation.at("side"), "before");
          EXPECT_EQ(violation.at("distance_bytes"), 17);
        }
      }
    }
  }
}

// What was really touched, with what was read beside an operand, by declaration or without right.
TEST(Extents, AreThoseOfWholeBlocks) {
  struct Extents {
    std::string build;
    int highest_read;
  };
  for (const Extents& expected : {Extents{"", 19}, Extents{"overread-", 31}, Extents{"declared-12-", 31}}) {
    SCOPED_TRACE(expected.build);
    const auto run =
        Arenaproof("check --extents --json " + SeedModel(kFullyConnected) +
                   " --layout=dilated --instrument=shadow --kernels=shadow:" + Example(expected.build + "shadow"));
    const Json report = ParseJson(run.output);
    bool input = false, scratch = false;
    for (const Json& extent : report.at("parts").at(0).at("extents")) {
      if (extent.at("operator") != 0) continue;
      if (extent.at("kind") == "input") {
        input = true;
        EXPECT_EQ(extent.at("bytes"), 20);
        EXPECT_EQ(extent.at("lowest_read"), 0);
        EXPECT_EQ(extent.at("highest_read"), expected.highest_read);
        EXPECT_FALSE(extent.contains("lowest_written"));
      }
      if (extent.at("kind") == "scratch") {
        scratch = true;
        EXPECT_EQ(extent.at("bytes"), 256);
        EXPECT_EQ(extent.at("highest_written"), 255);
      }
    }
    EXPECT_TRUE(input);
    EXPECT_TRUE(scratch);
  }
}

TEST(Extents, AreATableAndNeedShadow) {
  const std::string model = SeedModel(kFullyConnected);
  for (const std::string words : {"", " -v"}) {
    const auto text = Arenaproof("check --extents --kernels=aligned-underread " + model + words);
    EXPECT_TRUE(HasText(text.output, "bytes touched in invoke (dilated, shadow), from each operand's first byte on"))
        << text.output;
    EXPECT_TRUE(HasText(text.output, "untouched")) << text.output;
    EXPECT_TRUE(HasText(text.output, "-12 to ")) << text.output;
  }
  const auto guard = Arenaproof("check --extents --instrument=guard " + model);
  EXPECT_EQ(guard.exit_status, 2);
  EXPECT_TRUE(HasText(guard.errors, "--extents is measured by shadow, which does not run")) << guard.errors;
  const auto plain = Arenaproof("check --extents --kernels=" + Example("plain") + " " + model);
  EXPECT_TRUE(HasText(plain.output, "not measured: 2 operators that shadow did not see")) << plain.output;
  EXPECT_FALSE(HasText(Arenaproof("check " + model).output, "bytes touched"));
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
    for (const std::string instrument : {"shadow", "asan", "guard", "canary", "twofill"}) {
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

TEST(CodeScan, FindsNothingInWhatIsHookedAndSaysWhenItDoesNotLook) {
  const std::string words = "check --json " + SeedModel(kFullyConnected) + " --kernels=";
  const auto sound = Arenaproof(words + ExampleOfBoth(""));
  const Json report = ParseJson(sound.output);
  ASSERT_EQ(report.at("code_scans").size(), 2u);
  for (const Json& scan : report.at("code_scans")) {
    EXPECT_EQ(PartlyUnseen(scan), "");
    EXPECT_FALSE(scan.contains("not_scanned")) << scan;
  }
  const auto none = Arenaproof(words + Example("shadow"), "PATH=/nowhere");
  EXPECT_EQ(none.exit_status, 0) << none.errors;
  const Json without_tool = ParseJson(none.output);
  EXPECT_TRUE(HasText(without_tool.at("verdict"), "which was not scanned")) << without_tool.at("verdict");
  EXPECT_EQ(without_tool.at("code_scans")[0].at("not_scanned"),
            "there is no llvm-objdump-19, llvm-objdump or objdump on the PATH");
  const std::string stripped = TemporaryFolder() + "/stripped.so";
  ASSERT_EQ(Bash("llvm-strip-19 -o '" + stripped + "' '" + Example("shadow") + "'", TemporaryFolder()).exit_status, 0);
  const auto nameless = Arenaproof(words + stripped);
  EXPECT_TRUE(HasText(nameless.output, "it is stripped of the names of its functions")) << nameless.output;
  EXPECT_FALSE(ParseJson(Arenaproof(words + Example("plain")).output).contains("code_scans"));
}

struct LibraryFault {
  std::string fault;
  int exit_status;       // of check and run
  std::string sentence;  // a part of it
};

// In AddressSanitizer's build of the command a crash ends `run` with a status, and not by a signal.
class LibraryFaults : public ::testing::TestWithParam<LibraryFault> {};

TEST_P(LibraryFaults, EndsInASentenceAndNeverInAnInternalError) {
  const LibraryFault& fault = GetParam();
  const std::string model = ReluChain();
  for (const std::string command :
       {"run ", "check --instrument=none --layout=faithful ", "check --instrument=shadow "}) {
    const auto run = Arenaproof(command + model + " --kernels=" + FaultyLibrary(), Fault(fault.fault));
    EXPECT_EQ(run.exit_status, fault.exit_status) << command << run.output << run.errors;
    const std::string text = run.output + run.errors;
    EXPECT_NE(text.find(fault.sentence), std::string::npos) << command << text;
    EXPECT_EQ(text.find("internal error"), std::string::npos) << command << text;
  }
  // Where nothing is invoked the same holds for what comes before.
  if (fault.fault.starts_with("invoke")) return;
  for (const std::string command : {"size ", "describe "}) {
    const auto run = Arenaproof(command + model + " --kernels=" + FaultyLibrary(), Fault(fault.fault));
    EXPECT_EQ(run.exit_status, 2) << command << run.output << run.errors;
    EXPECT_NE(run.errors.find(fault.sentence), std::string::npos) << command << run.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(
    KernelLibrary, LibraryFaults,
    ::testing::Values(
        LibraryFault{"load_crash", 2, "in the loading of the library"},
        LibraryFault{"load_abort", 2, "in the loading of the library"},
        LibraryFault{"load_exit", 2, "ended with status 0 in the loading of the library"},
        LibraryFault{"load_exit_3", 2, "ended with status 3 in the loading of the library"},
        LibraryFault{"table_crash", 2, "in its function arenaproof_kernel_library()"},
        LibraryFault{"table_null", 2, "arenaproof_kernel_library() gives null"},
        LibraryFault{"table_nowhere", 2, "at which no table can be read"},
        LibraryFault{"table_version", 2, "version 2 of kernel_abi.h; version 1 is the one"},
        LibraryFault{"table_size", 2, "ArenaproofOperand has "}, LibraryFault{"table_count", 2, "kernel 2 of 100"},
        LibraryFault{"init_crash", 2, "in init of RELU"},
        LibraryFault{"init_exit", 2, "ended with status 0 in init of RELU"},
        LibraryFault{"init_throw", 2, "(Aborted) in init of RELU"},
        LibraryFault{"prepare_crash", 2, "in prepare of RELU"}, LibraryFault{"prepare_exit_3", 2, "in prepare of RELU"},
        LibraryFault{"prepare_fail", 2, "a kernel failed with its own status 77"},
        LibraryFault{"prepare_huge", 2, "1099511627776 persistent bytes"},
        LibraryFault{"free_crash", 2, "in free of RELU"}, LibraryFault{"invoke_crash", 1, "in invoke of RELU"},
        LibraryFault{"invoke_abort", 1, "(Aborted) in invoke of RELU"},
        LibraryFault{"invoke_exit", 1, "ended with status 0 in invoke of RELU"},
        LibraryFault{"invoke_exit_3", 1, "ended with status 3 in invoke of RELU while RELU (operator 0) ran"},
        LibraryFault{"invoke_throw", 1, "in invoke of RELU"},
        LibraryFault{"invoke_fail", 2, "a kernel failed with its own status 78"}),
    [](const auto& fault) { return fault.param.fault; });

TEST(FaultyLibraries, AreEndedWhenTheyDoNot) {
  const std::string model = ReluChain();
  for (const std::string fault : {"load", "init", "prepare", "invoke"}) {
    const auto run =
        Arenaproof("run --time-limit=1 " + model + " --kernels=" + FaultyLibrary(), Fault(fault + "_hang"));
    EXPECT_EQ(run.exit_status, 2) << run.output;
    EXPECT_NE(run.errors.find("ended after 1 second"), std::string::npos) << run.errors;
    const auto check = Arenaproof("check --time-limit=1 --instrument=shadow " + model + " --kernels=" + FaultyLibrary(),
                                  Fault(fault + "_hang"));
    EXPECT_EQ(check.exit_status, 2) << check.output;
    EXPECT_NE(check.errors.find("ended after 1 second"), std::string::npos) << check.errors;
  }
}

TEST(FaultyLibraries, AreNotTakenForThisProgramsKernels) {
  const auto run =
      Arenaproof("check --json --instrument=shadow --layout=faithful " + ReluChain() + " --kernels=" + FaultyLibrary(),
                 Fault("invoke_crash"));
  EXPECT_EQ(run.exit_status, 1);
  const Json report = ParseJson(run.output);
  const Json& part = report.at("parts")[0];
  EXPECT_EQ(part.at("problem_code"), "kernels_died");
  EXPECT_NE(part.at("problem").get<std::string>().find(
                "died of signal 11 (Segmentation fault) in invoke of RELU while RELU (operator 0) ran"),
            std::string::npos)
      << part.at("problem");
  const auto before = Arenaproof("run --json " + ReluChain() + " --kernels=" + FaultyLibrary(), Fault("prepare_crash"));
  EXPECT_EQ(before.exit_status, 2);
  EXPECT_EQ(ParseJson(before.output).at("refused").at("code"), "kernel_file_died");
}

TEST(FaultyLibraries, AreNamedWhenTheyAreNone) {
  const std::string model = SeedModel(kFullyConnected);
  const std::pair<std::string, std::string> kSentences[] = {
      {model, "is no shared library for this machine"},
      {"/nowhere.so", "there is no file '/nowhere.so'"},
      {"/etc", "is not a regular file"},
      {WriteText("\177ELF", "short.so"), "is no shared library for this machine"},
      {"$(ls /lib/*/libm.so.6)", "has no function arenaproof_kernel_library()"},
  };
  for (const std::string command : {"run ", "check "}) {
    for (const auto& [file, sentence] : kSentences) {
      const auto run = Arenaproof(command + model + " --kernels=" + file);
      EXPECT_EQ(run.exit_status, 2) << run.output;
      EXPECT_NE(run.errors.find(sentence), std::string::npos) << command << file << "\n" << run.errors;
    }
  }
}

// What it prints compiles the example, as a user does it, and the instrument then sees the library.
TEST(Flags, CompileALibraryThatItsInstrumentSees) {
  const std::string source = (SourceFolder() / "kernels/vendor/example/example.cc").string();
  const std::string folder = TemporaryFolder();
  for (const std::string build : {"shadow", "asan", "plain"}) {
    const auto made =
        Bash("clang-19 -x c -std=gnu99 -O2 -DEXAMPLE_READS_WHOLE_BLOCKS=1 -I '" + SourceFolder().string() +
                 "' $(arenaproof flags --" + build + ") '" + source + "' -lm -o " + build + ".so",
             folder);
    ASSERT_EQ(made.exit_status, 0) << made.errors;
    const std::string instrument = build == "plain" ? "none" : build;
    const auto run = Arenaproof("check " + SeedModel(kFullyConnected) + " --instrument=" + instrument +
                                " --kernels=" + folder + "/" + build + ".so");
    EXPECT_EQ(run.exit_status, build == "plain" ? 0 : 1) << run.output << run.errors;
  }
}

TEST(Flags, AreThoseOfThisProjectsOwnBuilds) {
  const std::string own = ReadFileText(SourceFolder() / "cmake" / "ArenaproofFlags.cmake");
  const auto run = Arenaproof("flags --shadow");
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  std::istringstream words(run.output);
  std::size_t count = 0;
  for (std::string word; words >> word;) {
    if (!word.starts_with("-asan") && !word.starts_with("-fsanitize")) continue;
    EXPECT_NE(own.find(word), std::string::npos) << word;
    ++count;
  }
  EXPECT_EQ(count, 6u);
}

}  // namespace
}  // namespace arenaproof::testing
