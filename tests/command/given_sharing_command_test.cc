// A given plan may have outputs in other inputs than the first that fits: whatever lies in one place and may is shared,
// in every command, and what must not share is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// NEG x -> a, ABS x -> b, ADD a, b -> d, NEG d -> y, of 32 bytes each.
const std::string& TwoThatFit() {
  static const std::string path = [] {
    ModelBuilder builder;
    SubgraphSpec& graph = builder.AddSubgraph();
    for (const char* name : {"x", "a", "b", "d", "y"}) graph.AddTensor({.name = name, .shape = {{1, 8}}});
    const auto add = [&](BuiltinOperator code, std::vector<std::int32_t> inputs, std::int32_t output) {
      graph.AddOperator({.code = builder.AddCode(code), .inputs = std::move(inputs), .outputs = {output}});
    };
    add(BuiltinOperator::kNeg, {0}, 1);
    add(BuiltinOperator::kAbs, {0}, 2);
    add(BuiltinOperator::kAdd, {1, 2}, 3);
    graph.operators.back().options = AddOptions{};
    add(BuiltinOperator::kNeg, {3}, 4);
    graph.inputs = {0};
    graph.outputs = {4};
    return WriteModel(builder.Finish());
  }();
  return path;
}

CommandRun RunGiven(const std::string& command, const std::string& offsets) {
  const std::string plan = WriteText("const int32_t p[] = " + offsets + ";", "plan.c");
  if (command == "verify") return Arenaproof("verify --json " + TwoThatFit() + " " + plan);
  return Arenaproof(command + " --json --planner=precomputed:" + plan + " " + TwoThatFit());
}

constexpr const char* kSetUps[] = {"run", "describe", "size", "size --two-arenas", "check --instrument=none"};

TEST(GivenSharing, AnOutputMayLieInAnotherInputThanTheFirstThatFits) {
  for (const char* const offsets : {"{0, 32, 64, 64, 0}", "{0, 32, 64, 32, 0}"}) {
    const bool second = std::string(offsets) == "{0, 32, 64, 64, 0}";
    for (const char* const command : kSetUps) {
      const CommandRun run = RunGiven(command, offsets);
      EXPECT_EQ(run.exit_status, 0) << command << offsets << run.errors << run.output;
    }
    for (const char* const command : {"run", "describe", "plan", "verify"}) {
      const CommandRun run = RunGiven(command, offsets);
      ASSERT_EQ(run.exit_status, 0) << command << offsets << run.errors << run.output;
      const Json sharing = ParseJson(run.output).at("sharing");
      ASSERT_EQ(sharing.size(), 1u) << command;
      EXPECT_EQ(sharing[0].at("buffer"), 3);
      EXPECT_EQ(sharing[0].at("source"), second ? 2 : 1);
      EXPECT_EQ(sharing[0].at("input"), second ? 1 : 0);
    }
  }
}

TEST(GivenSharing, WhatMustNotShareIsRefused) {
  // a in the input x, which b reads later; y, an output, in d; b in a.
  for (const char* const offsets : {"{0, 0, 64, 64, 0}", "{0, 32, 64, 64, 64}", "{0, 32, 32, 64, 0}"}) {
    for (const char* const command : kSetUps) EXPECT_EQ(RunGiven(command, offsets).exit_status, 1) << command;
    for (const char* const command : {"plan", "verify"}) EXPECT_EQ(RunGiven(command, offsets).exit_status, 1);
  }
}

}  // namespace
}  // namespace arenaproof::testing
