// What `plan`, `verify` and `describe` say of a plan that a model has of its own.
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

// The model with a plan of its own that keeps everything apart.
std::string WithLinearPlan(const std::string& model) {
  const std::string planned = TemporaryFolder() + "/linear.tflite";
  EXPECT_EQ(Arenaproof("plan " + model + " --planner=linear --embed=" + planned).exit_status, 0);
  return planned;
}

TEST(OwnPlanCommand, AModelsOwnPlanIsHeldAgainstTheBoundOfAllPlans) {
  const std::string model = SeedModel("person_detection_int8"), planned = WithLinearPlan(model);
  const Json free = ParseJson(Arenaproof("plan --json " + model).output);
  const Json own = ParseJson(Arenaproof("verify --json " + planned).output);
  EXPECT_EQ(own.at("lower_bound_bytes"), free.at("lower_bound_bytes"));
  EXPECT_GT(own.at("peak_bytes"), own.at("lower_bound_bytes"));
  const std::string csv = WriteText(Arenaproof("plan --format=csv " + planned).output, "own.csv");
  EXPECT_EQ(ParseJson(Arenaproof("verify --json " + planned + " " + csv).output).at("lower_bound_bytes"),
            own.at("lower_bound_bytes"));
}

TEST(OwnPlanCommand, TheBoundOfPlansThatKeepFixedBuffersIsCalledThat) {
  const std::string planned = WithLinearPlan(SeedModel("person_detection_int8"));
  const Json json = ParseJson(Arenaproof("plan --json " + planned).output);
  EXPECT_EQ(json.at("lower_bound_bytes"), json.at("peak_bytes"));
  EXPECT_EQ(json.at("free_lower_bound_bytes"), 55296);
  EXPECT_GT(json.at("fixed_count"), 0);
  const std::string peak = std::to_string(json.at("peak_bytes").get<int>());
  const std::string sentence = ", lower bound of plans that keep " + std::to_string(json.at("fixed_count").get<int>()) +
                               " fixed buffers " + peak +
                               " bytes (of all plans 55296 bytes), proven optimal among those that keep them";
  for (const char* format : {"text", "svg", "html"}) {
    const CommandRun run = Arenaproof("plan " + planned + " --format=" + format);
    EXPECT_TRUE(HasText(run.output, sentence)) << format << run.output.substr(0, 900);
  }
  const CommandRun anew = Arenaproof("plan --ignore-plan " + planned);
  EXPECT_TRUE(HasText(anew.output, "peak 55296 bytes, lower bound 55296 bytes, proven optimal (")) << anew.output;
  const std::string csv = WriteText("id,lower,upper,size,offset\na,0,4,8,32\nb,2,9,8,-1\n", "fixed.csv");
  const CommandRun fixed = Arenaproof("plan " + csv);
  EXPECT_TRUE(HasText(fixed.output,
                      "peak 40 bytes, lower bound of plans that keep 1 fixed buffer 40 bytes (of all plans 16 bytes), "
                      "proven optimal among those that keep them"))
      << fixed.output;
}

// As Vela has it: input and output lie in the working area. The pair is named, and everything that shapes tell is told.
TEST(OwnPlanCommand, APlanWhoseTensorsShareBytesIsShownAndRefused) {
  const std::string model = ModelWithCustomOperator({0, -1, -1, 0, 0, 0});
  const char* const pair = "tensor 0 of subgraph 0 \"output\" (16 bytes at offset 0, alive in step 1) and tensor 3";
  for (const std::string command : {"plan ", "verify ", "describe "}) {
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    EXPECT_TRUE(HasText(run.errors, pair) && HasText(run.errors, "V20") && HasText(run.errors, "--trust-plan"))
        << run.errors;
    for (const char* piece : {"tensor 3 \"scratch\"", "640 bytes", "512", "custom operator 'ethos-u': no kernel",
                              "lower bound until --scratch"}) {
      EXPECT_TRUE(HasText(run.output, piece)) << command << piece << run.output;
    }
    EXPECT_EQ(HasText(run.output, "its picture"), command != "verify ") << run.output;
    const Json json = ParseJson(Arenaproof(command + model + " --json").output);
    EXPECT_EQ(json.at("exit_status"), 1);
    EXPECT_EQ(json.at("refused").at("code"), "offline_plan_live_overlap");
    EXPECT_EQ(json.at(command == "describe " ? "head_bytes" : "peak_bytes"), 512);
    EXPECT_EQ(json.at("peak").at("bytes"), 640);
    EXPECT_EQ(json.at("missing_kernels").size(), 1u);
    EXPECT_EQ(json.at("head_is_lower_bound"), true);
    if (command != "describe ") {
      EXPECT_EQ(json.at("lower_bound_bytes"), 640);
    }
  }
  const Json verified = ParseJson(Arenaproof("verify --json " + model).output);
  EXPECT_EQ(verified.at("fault"), "shared_bytes");
  EXPECT_EQ(verified.at("buffers").at(1).at("id"), "3");
  EXPECT_EQ(verified.at("shared_time"), 1);
  EXPECT_EQ(verified.at("placed").size(), 4u);
  EXPECT_TRUE(Arenaproof("plan --format=svg " + model).output.starts_with("<svg "));
  EXPECT_TRUE(Arenaproof("plan --format=csv " + model).output.starts_with("id,lower,upper,size,offset"));
  const std::string file = TemporaryFolder() + "/embedded.tflite";
  EXPECT_EQ(Arenaproof("plan " + model + " --scratch=0:0 --embed=" + file).exit_status, 1);
  EXPECT_EQ(Arenaproof("verify " + file).exit_status, 2) << "nothing was written";
}

TEST(OwnPlanCommand, APlanThatCannotBeAPlanIsShownWithItsFault) {
  const std::pair<std::vector<std::int32_t>, const char*> kPlans[] = {
      {{0, -1, -1, 72, 640, 16}, "misaligned"},
      {{0, -1, -1, -7, 640, 16}, "offset_negative"},
      {{0, -1, -1, 2147483632, 640, 16}, "end_overflow"},
  };
  for (const auto& [offsets, fault] : kPlans) {
    const Json json = ParseJson(Arenaproof("verify --json " + ModelWithCustomOperator(offsets)).output);
    EXPECT_EQ(json.at("exit_status"), 1);
    EXPECT_EQ(json.at("fault"), fault);
    EXPECT_EQ(json.at("buffers").at(0).at("id"), "3");
    EXPECT_EQ(json.at("buffers").at(0).at("offset"), offsets[3]);
    EXPECT_EQ(json.at("lower_bound_bytes"), 640);
  }
}

TEST(OwnPlanCommand, TrustLetsFixedTensorsShareBytesAndNothingElse) {
  const std::string model = ModelWithCustomOperator({0, -1, -1, 0, 0, -1});
  for (const std::string command : {"plan ", "plan --planner=greedy ", "verify ", "describe "}) {
    const CommandRun run = Arenaproof(command + model + " --trust-plan");
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(HasText(run.output, "trusted: 3 overlaps of tensors that are alive together")) << run.output;
  }
  for (const std::string planner : {"optimal", "greedy"}) {
    const Json json = ParseJson(Arenaproof("plan --json --trust-plan --planner=" + planner + " " + model).output);
    EXPECT_EQ(json.at("peak_bytes"), 512 + 48) << "the input lies above what is fixed";
    EXPECT_EQ(json.at("lower_bound_bytes"), 512 + 48) << "bytes that are shared count once";
    EXPECT_EQ(json.at("free_lower_bound_bytes"), 640);
    EXPECT_EQ(json.at("offline_plan").at("trusted_overlap_count"), 3);
  }
  const std::string csv = WriteText("id,offset\n0,0\n3,0\n4,0\n5,500\n", "plan.csv");
  const CommandRun beside = Arenaproof("verify --trust-plan " + model + " " + csv);
  EXPECT_EQ(beside.exit_status, 2) << "a plan beside it is not what the flag is about";
  EXPECT_EQ(beside.errors.find("arenaproof: --trust-plan is about the model's own plan, and with PLAN '"), 0u)
      << beside.errors;
  // What is embedded is taken where it is trusted.
  const std::string planned = TemporaryFolder() + "/planned.tflite";
  EXPECT_EQ(Arenaproof("plan --trust-plan --scratch=0:32 " + model + " --embed=" + planned).exit_status, 0);
  EXPECT_EQ(Arenaproof("verify --scratch=0:32 " + planned).exit_status, 1);
  EXPECT_EQ(Arenaproof("verify --trust-plan --scratch=0:32 " + planned).exit_status, 0);
}

// Shapes are enough: an operator whose types its kernel refuses counts as one without a kernel.
TEST(PlanCommand, PlansAModelWhoseTypesAreNotServed) {
  const std::string model = ModelWithUnservedTypes();
  for (const char* command : {"run ", "check ", "size "}) EXPECT_EQ(Arenaproof(command + model).exit_status, 2);
  for (const std::string command : {"plan ", "describe "}) {
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(HasText(run.output, "operator 0 FULLY_CONNECTED: its kernel does not take it, as ")) << run.output;
    EXPECT_TRUE(HasText(run.output, "so its scratch is not known\n")) << run.output;
    EXPECT_FALSE(HasText(run.output, "operator 1")) << "RELU is served: " << run.output;
    EXPECT_EQ(Arenaproof(command + model + " --scratch=FULLY_CONNECTED:100").exit_status, 0);
  }
  const Json without = ParseJson(Arenaproof("plan --json " + model).output);
  const Json stated = ParseJson(Arenaproof("plan --json --scratch=0:100 " + model).output);
  EXPECT_EQ(without.at("head_is_lower_bound"), true);
  EXPECT_EQ(stated.at("head_is_lower_bound"), false);
  EXPECT_EQ(stated.at("peak_bytes").get<int>(), without.at("peak_bytes").get<int>() + 112);
  const std::string planned = TemporaryFolder() + "/planned.tflite";
  EXPECT_EQ(Arenaproof("plan " + model + " --embed=" + planned).exit_status, 2);
  EXPECT_EQ(Arenaproof("plan --scratch=0:100 " + model + " --embed=" + planned).exit_status, 0);
  EXPECT_EQ(Arenaproof("verify --scratch=0:100 " + planned).exit_status, 0);
  EXPECT_EQ(Arenaproof("plan --scratch=RELU:100 " + model).exit_status, 2);
}

}  // namespace
}  // namespace arenaproof::testing
