// `arenaproof plan` and `verify` from end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/planner/optimal/plan_problem.h"
#include "engine/cases/branch_with_variable.h"
#include "engine/generators/seeded_source.h"
#include "engine/oracles/plans/pairwise_plan.h"
#include "tests/command/command_support.h"
#include "tests/support/shared_files.h"
#include "tools/command/verify.h"
#include "tools/planner/problem_csv.h"
#include "tools/plans/made_plan.h"
#include "tools/plans/plan_csv.h"

namespace arenaproof::testing {
namespace {

using Json = nlohmann::json;

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PlanCommand, PlansAModelInEveryFormat) {
  const std::string model = SeedModel(kFullyConnected);
  for (const char* planner : {"optimal", "greedy", "linear"}) {
    const CommandRun run = Arenaproof("plan " + model + " --format=json --planner=" + planner);
    ASSERT_EQ(run.exit_status, 0) << run.errors;
    const Json report = ParseJson(run.output);
    EXPECT_EQ(report.at("planner"), planner);
    EXPECT_EQ(report.at("proven_optimal"), report.at("peak_bytes") == report.at("lower_bound_bytes"));
    for (const Json& buffer : report.at("buffers")) {
      EXPECT_LE(buffer.at("offset").get<int>() + buffer.at("bytes").get<int>(), report.at("peak_bytes").get<int>());
    }
  }
  const CommandRun csv = Arenaproof("plan " + model + " --format=csv");
  EXPECT_TRUE(csv.output.starts_with("id,lower,upper,size,offset,alignment\n")) << csv.output;
  EXPECT_EQ(Arenaproof("verify " + model + " " + WriteText(csv.output, "plan.csv")).exit_status, 0);
  const CommandRun source = Arenaproof("plan " + model + " --format=c");
  EXPECT_EQ(Arenaproof("verify " + model + " " + WriteText(source.output, "plan.c")).exit_status, 0) << source.output;
  EXPECT_TRUE(Arenaproof("plan " + model + " --format=svg").output.starts_with("<svg "));
  EXPECT_TRUE(Arenaproof("plan " + model + " --format=html").output.starts_with("<!DOCTYPE html>"));
  const CommandRun text = Arenaproof("plan " + model);
  EXPECT_TRUE(HasText(text.output, "proven optimal")) << text.output;
  EXPECT_TRUE(HasText(text.output, "peak after operator ")) << text.output;
}

TEST(PlanCommand, PlansCsvTheSameWayForAnyNumberOfThreads) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,3\nb,1,2,5\nc,2,9,4\nd,3,5,2\n", "problem.csv");
  const std::string words = "plan " + problem + " --format=csv --work-limit=1000 --threads=";
  const CommandRun one = Arenaproof(words + "1"), two = Arenaproof(words + "2");
  EXPECT_EQ(one.exit_status, 0) << one.errors;
  EXPECT_EQ(one.output, two.output);
  EXPECT_EQ(Arenaproof("verify " + WriteText(one.output, "planned.csv")).exit_status, 0);
  EXPECT_EQ(Arenaproof("verify " + problem + " " + WriteText(one.output, "other.csv")).exit_status, 0);
}

TEST(PlanCommand, PlansAModelWhoseKernelIsMissing) {
  const std::string model = ModelWithCustomOperator({});
  EXPECT_EQ(Arenaproof("run " + model).exit_status, 2);
  EXPECT_EQ(Arenaproof("check " + model).exit_status, 2);
  const std::string unknown =
      "operator 0 custom operator 'ethos-u': no kernel in the set 'reference', so its scratch is not known";
  for (const char* command : {"describe ", "plan "}) {
    const CommandRun run = Arenaproof(command + model);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_TRUE(HasText(run.output, unknown)) << run.output;
    EXPECT_TRUE(HasText(run.output, "lower bound until --scratch")) << run.output;
    const CommandRun stated = Arenaproof(command + model + " --scratch=ethos-u:100");
    EXPECT_EQ(stated.exit_status, 0) << stated.errors;
    EXPECT_FALSE(HasText(stated.output, "lower bound until"));
  }
  const Json stated = ParseJson(Arenaproof("plan " + model + " --format=json --scratch=0:100 --scratch=0:32").output);
  const Json without = ParseJson(Arenaproof("plan " + model + " --format=json --scratch=0:0").output);
  EXPECT_EQ(stated.at("peak_bytes").get<int>(), without.at("peak_bytes").get<int>() + 112 + 32);
  EXPECT_EQ(stated.at("head_is_lower_bound"), false);
  EXPECT_EQ(ParseJson(Arenaproof("plan " + model + " --format=json").output).at("head_is_lower_bound"), true);
}

TEST(PlanCommand, SaysWhatIsWrongWithAWordForScratch) {
  const std::string model = ModelWithCustomOperator({});
  const std::pair<const char*, const char*> kWords[] = {
      {"ethos-u", "is not of the form OPERATOR:BYTES"}, {"ethos-u:", "ends with no number of bytes"},
      {"ethos-u:x", "ends with no number of bytes"},    {"ethos-u:99999999999", "ends with no number of bytes"},
      {"CONV_2D:16", "names no operator of the model"}, {"1:16", "names no operator of the model"},
  };
  for (const auto& [word, sentence] : kWords) {
    const CommandRun run = Arenaproof("plan " + model + " --scratch=" + word);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1);
  }
  const CommandRun served = Arenaproof("plan " + SeedModel(kFullyConnected) + " --scratch=FULLY_CONNECTED:16");
  EXPECT_TRUE(HasText(served.errors, "whose kernel is in the set")) << served.errors;
}

TEST(PlanCommand, ChecksTheRulesOfOfflinePlansWithoutKernels) {
  // Input and output lie in the working area, as Vela has it.
  const std::string overlapping = ModelWithCustomOperator({0, -1, -1, 0, 0, 0});
  for (const char* command : {"describe ", "plan ", "verify "}) {
    const CommandRun run = Arenaproof(command + overlapping);
    EXPECT_EQ(run.exit_status, 1) << run.errors;
    EXPECT_TRUE(HasText(run.errors, "V20")) << run.errors;
  }
  EXPECT_EQ(Arenaproof("plan --ignore-plan " + overlapping).exit_status, 0);
  const CommandRun apart = Arenaproof("verify " + ModelWithCustomOperator({0, -1, -1, 64, 576, 16}));
  EXPECT_EQ(apart.exit_status, 0) << apart.errors;
  EXPECT_TRUE(HasText(apart.output, "'ethos-u'")) << apart.output;
  EXPECT_EQ(Arenaproof("verify " + ModelWithCustomOperator({0, -1, -1, 72, 640, 16})).exit_status, 1) << "misaligned";
  EXPECT_EQ(Arenaproof("verify " + ModelWithCustomOperator({})).exit_status, 2) << "no plan";
}

TEST(PlanCommand, EmbedsWhatASetUpThenHas) {
  const std::string folder = TemporaryFolder();
  for (const std::string& model :
       {SeedModel(kFullyConnected), SeedModel("person_detection_int8"), SeedModel("control_loop_float"),
        SeedModel("fixed_plan_float"), ModelWithCustomOperator({}) + " --scratch=ethos-u:100"}) {
    const std::string planned = folder + "/planned.tflite";
    const CommandRun run = Arenaproof("plan --ignore-plan " + model + " --format=json --embed=" + planned);
    ASSERT_EQ(run.exit_status, 0) << run.errors;
    const std::string scratch = HasText(model, "--scratch") ? " --scratch=ethos-u:100" : "";
    const Json described = ParseJson(Arenaproof("describe --json " + planned + scratch).output);
    EXPECT_EQ(described.at("head_bytes"), ParseJson(run.output).at("peak_bytes"));
    EXPECT_EQ(Arenaproof("verify " + planned + scratch).exit_status, 0);
    if (scratch.empty()) {
      const auto outputs = [](const std::string& file) {
        return ParseJson(Arenaproof("run --json " + file).output).at("outputs");
      };
      EXPECT_EQ(outputs(planned), outputs(model));
    }
    const std::string stripped = folder + "/stripped.tflite";
    EXPECT_EQ(Arenaproof("plan " + planned + scratch + " --strip --embed=" + stripped).exit_status, 0);
    EXPECT_EQ(Arenaproof("verify " + stripped).exit_status, 2) << "no plan";
    EXPECT_EQ(Arenaproof("plan --strip " + stripped + " --embed=" + stripped).exit_status, 2) << "none to remove";
  }
}

TEST(PlanCommand, NamesWhatItLeavesOpenForAVariableOfABranch) {
  const std::string model = WriteModel(BranchWithVariable().Finish());
  const std::string planned = TemporaryFolder() + "/planned.tflite";
  const CommandRun run = Arenaproof("plan " + model + " --embed=" + planned);
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(HasText(run.output,
                      "tensor 2 \"middle\" has no offset in it: the device places it, as its entry is read for a "
                      "variable too\n"))
      << run.output;
  const Json report = ParseJson(Arenaproof("plan " + model + " --format=json --embed=" + planned).output);
  EXPECT_EQ(report.at("left_open"), Json::array({"2"}));
  EXPECT_EQ(ParseJson(Arenaproof("describe --json " + planned).output).at("head_bytes"), report.at("peak_bytes"));
  // What is open stays open when it is embedded again.
  const std::string again = TemporaryFolder() + "/again.tflite";
  EXPECT_EQ(Arenaproof("plan " + planned + " --embed=" + again).exit_status, 0);
}

TEST(PlanCommand, WritesWhatASymbolicLinkLeadsToAndKeepsPermissions) {
  namespace fs = std::filesystem;
  const std::string folder = TemporaryFolder(), plan = "plan " + SeedModel(kFullyConnected) + " --embed=" + folder;
  std::ofstream(folder + "/there") << "old";
  fs::permissions(folder + "/there", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("there", folder + "/link");
  fs::create_symlink("new", folder + "/dangling");
  fs::create_symlink("loop", folder + "/loop");
  EXPECT_EQ(Arenaproof(plan + "/link").exit_status, 0);
  EXPECT_EQ(Arenaproof(plan + "/dangling").exit_status, 0);
  EXPECT_TRUE(fs::is_symlink(folder + "/link") && fs::is_symlink(folder + "/dangling"));
  EXPECT_EQ(Arenaproof("verify " + folder + "/there").exit_status, 0);
  EXPECT_EQ(Arenaproof("verify " + folder + "/new").exit_status, 0);
  EXPECT_EQ(fs::status(folder + "/there").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const CommandRun loop = Arenaproof(plan + "/loop");
  EXPECT_EQ(loop.exit_status, 2);
  EXPECT_TRUE(HasText(loop.errors, "/loop' cannot be written: Too many levels of symbolic links")) << loop.errors;
  EXPECT_TRUE(fs::is_symlink(folder + "/loop"));
}

TEST(PlanCommand, TakesOneLimitOnly) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,3\n", "small.csv");
  const CommandRun both = Arenaproof("plan " + problem + " --work-limit=5 --time-limit=5");
  EXPECT_EQ(both.exit_status, 2);
  EXPECT_TRUE(HasText(both.errors, "excludes")) << both.errors;
}

TEST(PlanCommand, RefusesToEmbedAndLeavesTheFileThatWasThere) {
  const std::string folder = TemporaryFolder();
  const std::string there = WriteText("as it was", "there.tflite");
  const CommandRun unknown = Arenaproof("plan " + ModelWithCustomOperator({}) + " --embed=" + there);
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_TRUE(HasText(unknown.errors, "--scratch=OPERATOR:BYTES states it")) << unknown.errors;
  EXPECT_EQ(ReadText(there), "as it was");
  EXPECT_EQ(Arenaproof("plan " + SeedModel(kFullyConnected) + " --embed=" + folder).exit_status, 2);
  EXPECT_EQ(Arenaproof("plan " + SeedModel(kFullyConnected) + " --embed=/nowhere/a.tflite").exit_status, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

LabelledProblem AnyProblem(SeededSource& random) {
  LabelledProblem problem;
  do {
    problem = {};
    for (std::size_t i = 0; i < 12; ++i) {
      PlanBuffer& buffer = problem.buffers.emplace_back();
      buffer.lifetime.lower = random.Between(0, 9);
      buffer.lifetime.upper = buffer.lifetime.lower + random.Between(0, 6);
      buffer.bytes = random.Between(0, 40);
      if (random.OneIn(3)) buffer.alignment = random.Between(1, 8);
      if (random.OneIn(8)) buffer.offset = buffer.alignment * random.Between(0, 10);
      const auto [lower, upper] = buffer.lifetime;
      if (upper - lower > 2 && random.OneIn(3)) buffer.gaps = {{lower + 1, upper - 1}};
      problem.labels.push_back({.id = "n" + std::to_string(i)});
    }
  } while (CheckProblem(problem.buffers).fault != ProblemFault::kNone);
  return problem;
}

// The problem and the plan as one file; of fixed buffers nothing is said in it.
std::string PlanText(const LabelledProblem& problem, const std::vector<std::optional<std::int64_t>>& offsets) {
  std::vector<std::optional<std::int64_t>> written = offsets;
  for (auto& offset : written) offset = offset.value_or(-1);
  return PlanCsv(problem, written);
}

TEST(VerifyCommand, Refuses1000Of1000PlansThatOneChangeMakesWrong) {
  SeededSource random(2026);
  const std::string folder = TemporaryFolder();
  std::size_t refused = 0, right = 0, unplaced = 0, negative = 0, misaligned = 0, shared = 0;
  while (refused < 1000) {
    LabelledProblem problem = AnyProblem(random);
    const MadePlan plan = MakePlan("optimal", problem, {.work_limit = 500});
    for (PlanBuffer& buffer : problem.buffers) buffer.offset.reset();
    VerifyOptions options;
    options.path = folder + "/plan.csv";
    std::ofstream(options.path) << PlanText(problem, plan.offsets);
    VerifyResult valid;
    VerifyPlan(options, valid);
    ASSERT_EQ(valid.problem, "");
    ASSERT_TRUE(valid.certificate.ok()) << valid.sentence;
    auto offsets = plan.offsets;
    std::optional<std::int64_t>& changed = offsets[random.Below(offsets.size())];
    changed = random.Between(-4, static_cast<int>(plan.peak_bytes) + 8);
    if (*changed == -1) changed.reset();
    const WrongPlan wrong = WhatIsWrong(problem.buffers, offsets);
    if (wrong.fault == PlanFault::kNone) continue;  // another plan that is right
    std::ofstream(options.path) << PlanText(problem, offsets);
    VerifyResult result;
    VerifyPlan(options, result);
    ASSERT_EQ(result.problem, "");
    ASSERT_FALSE(result.certificate.ok());
    EXPECT_NE(result.sentence, "");
    ++refused;
    right += SaysTheSame(result.certificate, wrong) ? 1 : 0;
    unplaced += wrong.fault == PlanFault::kNoOffset;
    negative += wrong.fault == PlanFault::kOffsetNegative;
    misaligned += wrong.fault == PlanFault::kMisaligned;
    shared += wrong.fault == PlanFault::kSharedBytes;
  }
  EXPECT_EQ(right, 1000u);
  for (const std::size_t count : {unplaced, negative, misaligned, shared}) EXPECT_GT(count, 10u);
}

TEST(VerifyCommand, NamesTheTwoBuffersTheirOffsetsAndLifetimes) {
  const std::string problem = WrongPlanCsv();
  const CommandRun run = Arenaproof("verify " + problem);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_TRUE(HasText(run.output, "\nrefused: ") &&
              HasText(run.output, "2 buffers, peak 36 bytes, lower bound 50 bytes"))
      << run.output;
  EXPECT_TRUE(HasText(run.errors,
                      "buffer 'a' (30 bytes at offset 0, alive in [0, 4)) and buffer 'b' (20 bytes at offset "
                      "16, alive in [2, 9)) share bytes from offset 16 on while both are alive"))
      << run.errors;
  const Json report = ParseJson(Arenaproof("verify --json " + problem).output);
  EXPECT_EQ(report.at("fault"), "shared_bytes");
  EXPECT_EQ(report.at("shared_offset"), 16);
  EXPECT_EQ(report.at("buffers").size(), 2u);
  const std::string moved = WriteText("id,offset\na,4\nb,40\n", "moved.csv");
  EXPECT_TRUE(HasText(
      Arenaproof("verify " + WriteText("id,lower,upper,size,offset\na,0,4,30,0\nb,2,9,20,-1\n", "q.csv") + " " + moved)
          .errors,
      "does not lie where it is fixed, which is offset 0"));
}

TEST(VerifyCommand, DoesNotReadWhatIsNoPlanOfTheProblem) {
  const std::string problem = WriteText("id,lower,upper,size\na,0,4,30\nb,2,9,20\n", "r.csv");
  const std::pair<const char*, const char*> kPlans[] = {
      {"id,lower\n", "Line 1 has no column 'offset'"},
      {"id,offset\nc,0\n", "names the buffer 'c', which the problem does not have"},
      {"id,offset,size\na,0,30\nb,40,20\n", ""},
      {"id,offset,size\na,0,31\nb,40,20\n", "is of another problem: the buffer 'a' has size 31 there and 30 here"},
      {"id,offset,alignment\na,0,\nb,40,8\n", "the buffer 'b' has alignment 8 there and 1 here"},
      {"id,offset,gaps\na,0,\nb,40,3-4\n", "the buffer 'b' has other gaps there than here"},
      {"id,lower,upper,size,offset\na,0,4,31,0\n",
       "is of another problem: the buffer 'a' has size 31 there and 30 here"},
      {"id,offset\na,zero\n", "Line 2 has no whole number as its offset"},
  };
  for (const auto& [text, sentence] : kPlans) {
    const CommandRun run = Arenaproof("verify " + problem + " " + WriteText(text, "plan.csv"));
    if (*sentence == '\0') {
      EXPECT_EQ(run.exit_status, 0) << run.errors;
      continue;
    }
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_TRUE(HasText(run.errors, sentence)) << run.errors;
  }
  EXPECT_EQ(Arenaproof("verify " + problem).exit_status, 2) << "no offsets";
  EXPECT_EQ(Arenaproof("verify " + problem + " /nowhere.csv").exit_status, 2);
  EXPECT_EQ(Arenaproof("verify " + problem + " " + WriteText("id,offset\na,0\n", "half.csv")).exit_status, 1);
  const std::string model = SeedModel(kFullyConnected);
  const CommandRun other = Arenaproof("verify " + model + " " + model);
  EXPECT_EQ(other.exit_status, 2);
  EXPECT_TRUE(HasText(other.errors, "it is a model, and PLAN is a CSV file")) << other.errors;
  EXPECT_EQ(Arenaproof("verify " + model + " " + WriteText("const int32_t p[] = {0};", "short.c")).exit_status, 2);
}

}  // namespace
}  // namespace arenaproof::testing
