// `plan --layout=dilated`: the picture is read back, and is that of the layout in which a model is checked.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/oracles/plans/drawn_plan.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

// The dilated offsets are the picture's own; all else is that of the plan.
void ExpectDilated(const std::string& model, const std::string& planner) {
  const std::string words = "plan " + model + " --planner=" + planner;
  const Json plan = ParseJson(Arenaproof(words + " --json").output);
  const std::int64_t head = ParseJson(Arenaproof("size --json --planner=" + planner + " " + model).output)
                                .at("dilated")
                                .at("head_bytes")
                                .get<std::int64_t>();
  for (const char* format : {"svg", "html"}) {
    const CommandRun run = Arenaproof(words + " --layout=dilated --format=" + format);
    ASSERT_EQ(run.exit_status, 0) << run.errors;
    std::vector<PlanBuffer> buffers;
    std::vector<std::optional<std::int64_t>> offsets;
    const std::vector<std::string> drawn = AttributesOf(run.output, "data-offset");
    ASSERT_EQ(drawn.size(), plan.at("buffers").size());
    for (const Json& entry : plan.at("buffers")) {
      PlanBuffer& buffer = buffers.emplace_back();
      buffer.lifetime = {entry.at("lower").get<std::int64_t>(), entry.at("upper").get<std::int64_t>()};
      buffer.bytes = entry.at("bytes").get<std::int64_t>();
      offsets.emplace_back(std::stoll(drawn[offsets.size()]));
      const std::int64_t moved = *offsets.back() - entry.at("offset").get<std::int64_t>();
      EXPECT_GE(moved, 64) << "closed bytes are below all";
      EXPECT_EQ(moved % 64, 0);
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      for (std::size_t j = 0; j < buffers.size(); ++j) {
        const bool together = i != j && buffers[i].lifetime.lower < buffers[j].lifetime.upper &&
                              buffers[j].lifetime.lower < buffers[i].lifetime.upper;
        if (!together || *offsets[i] > *offsets[j]) continue;
        const Json &one = plan.at("buffers")[i], &other = plan.at("buffers")[j];
        if (one.contains("group") && other.contains("group") && one.at("group") == other.at("group")) continue;
        EXPECT_GE(*offsets[j], *offsets[i] + buffers[i].bytes + 128) << "closed bytes of both lie between";
      }
    }
    EXPECT_EQ(WhatIsDrawnWrong(run.output, {.buffers = buffers,
                                            .offsets = offsets,
                                            .peak_bytes = head,
                                            .lower_bound_bytes = plan.at("lower_bound_bytes").get<std::int64_t>(),
                                            .redzone_bytes = 64}),
              "")
        << planner << format;
  }
}

TEST(DilatedPlanCommand, DrawsTheLayoutInWhichAModelIsChecked) {
  for (const char* planner : {"greedy", "linear", "arena"}) {
    for (const char* model : {"fully_connected_20_to_64_int8", "person_detection_int8", "residual_int8"}) {
      ExpectDilated(SeedModel(model), planner);
    }
  }
}

TEST(DilatedPlanCommand, IsAPictureOfAModelAndNothingElse) {
  const std::string model = SeedModel(kFullyConnected), csv = WriteText("id,lower,upper,size\na,0,4,3\n", "a.csv");
  const std::pair<std::string, const char*> kWords[] = {
      {model, "--format=svg or html goes with it"},
      {model + " --json", "--format=svg or html goes with it"},
      {model + " --format=c", "--format=svg or html goes with it"},
      {model + " --format=svg --embed=" + TemporaryFolder() + "/x", "--embed goes without it"},
      {csv + " --format=svg", "is a CSV file"},
  };
  for (const auto& [words, sentence] : kWords) {
    const CommandRun run = Arenaproof("plan --layout=dilated " + words);
    EXPECT_EQ(run.exit_status, 2) << words;
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
  EXPECT_EQ(Arenaproof("plan --layout=flat " + model).exit_status, 2);
}

}  // namespace
}  // namespace arenaproof::testing
