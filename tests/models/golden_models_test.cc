// Whole models against reference values: every tensor in between, as `arenaproof run --all-tensors` shows it, and a
// sequence of invokes without reset. Models that need what is not supported yet are listed, and are refused rather than
// run wrong.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/model/offline_plan.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "kernels/kernel_sets.h"
#include "tests/support/runnable_models.h"
#include "tests/support/shared_files.h"
#include "tools/command/run.h"
#include "tools/memory/arena_memory.h"
#include "tools/model/chosen_planner.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"
#include "tools/model/model_options.h"
#include "tools/text/sha256.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

struct GoldenModel {
  std::string name;
  std::filesystem::path path;
  Json golden;
};

std::vector<GoldenModel> GoldenModels() {
  std::vector<GoldenModel> models;
  const auto folder = testing::SharedFile("golden/models");
  if (!folder) return models;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    const std::string name = entry.path().stem().string();
    const auto path = testing::SharedFile("models/" + name + ".tflite");
    if (path) models.push_back({name, *path, Json::parse(std::ifstream(entry.path()))});
  }
  return models;
}

// These have to meet the reference values; a refusal is a failure.
const std::set<std::string> kMustRun(testing::kRunnableSharedModels.begin(), testing::kRunnableSharedModels.end());

class GoldenModelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    models_ = GoldenModels();
    if (models_.empty()) GTEST_SKIP() << testing::SharedAbsent("golden/models");
  }
  // Calls check(model, file) for each model that is supported.
  template <typename Check>
  void ForEachRunnable(const Check& check) {
    std::set<std::string> ran;
    for (const GoldenModel& model : models_) {
      SCOPED_TRACE(model.name);
      const KernelSet& kernels = *FindKernelSet("reference");
      const KernelSetSupport support(kernels);
      ModelFile file;
      std::string problem = file.Load(model.path, &support);
      if (problem.empty()) problem = RunModel({}, file.model(), kernels).problem;
      if (!problem.empty()) {
        EXPECT_FALSE(kMustRun.contains(model.name)) << problem;
        std::cout << "waits: " << problem << "\n";
        continue;
      }
      ran.insert(model.name);
      check(model, file.model(), kernels);
    }
    EXPECT_EQ(ran, kMustRun);
  }
  std::vector<GoldenModel> models_;
};

TEST_F(GoldenModelsTest, ComputeTheReferencesTensorsInBetween) {
  ForEachRunnable([](const GoldenModel& model, const ValidatedModel& view, const KernelSet& kernels) {
    for (const Json& run : model.golden.at("all_tensors_sha256")) {
      const Json& tensors = run.at("tensors");
      std::size_t compared = 0;
      RunOptions options;
      options.seed = run.at("seed");
      options.all_tensors = true;
      const RunResult result = RunModel(options, view, kernels);
      for (const TensorValue& tensor : result.tensors) {
        const std::string index = std::to_string(tensor.tensor);
        if (!tensors.contains(index)) continue;
        ++compared;
        ASSERT_EQ(Sha256Hex(tensor.bytes), tensors.at(index).get<std::string>())
            << "seed " << options.seed << ", tensor " << index;
      }
      EXPECT_EQ(compared, tensors.size());
      EXPECT_GT(compared, 0u);
    }
  });
}

TEST_F(GoldenModelsTest, ShowTheReferencesInputsOutputsAndPlanWhenRun) {
  ForEachRunnable([](const GoldenModel& model, const ValidatedModel& view, const KernelSet& kernels) {
    for (const Json& run : model.golden.at("runs")) {
      RunOptions options;
      options.seed = run.at("seed");
      const RunResult result = RunModel(options, view, kernels);
      ASSERT_EQ(result.problem, "");
      ASSERT_EQ(result.inputs.size(), run.at("input_sha256").size());
      for (std::size_t i = 0; i < result.inputs.size(); ++i) {
        EXPECT_EQ(Sha256Hex(result.inputs[i].bytes), run.at("input_sha256").at(i).get<std::string>());
      }
      ASSERT_EQ(result.outputs.size(), run.at("outputs").size());
      for (std::size_t i = 0; i < result.outputs.size(); ++i) {
        const Json& expected = run.at("outputs").at(i);
        EXPECT_EQ(Sha256Hex(result.outputs[i].bytes), expected.at("sha256").get<std::string>());
        EXPECT_EQ(result.outputs[i].shape, expected.at("shape").get<std::vector<std::int32_t>>());
        EXPECT_EQ(result.outputs[i].type, expected.at("type").get<std::string>());
      }
      const Json& buffers = model.golden.at("memory_plan").at("buffers");
      ASSERT_EQ(result.plan.size(), buffers.size());
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        const PlanEntry& planned = result.plan[i];
        std::int32_t fixed = kPlannedAtRunTime;
        if (planned.tensor >= 0) {
          ASSERT_TRUE(OfflineOffsetOf(view, static_cast<std::size_t>(planned.subgraph),
                                      static_cast<std::size_t>(planned.tensor), &fixed)
                          .ok());
        }
        const std::vector<std::int64_t> found = {static_cast<std::int64_t>((planned.bytes + 15) / 16 * 16),
                                                 planned.first, planned.last, fixed,
                                                 static_cast<std::int64_t>(planned.offset)};
        EXPECT_EQ(found, buffers.at(i).get<std::vector<std::int64_t>>()) << "buffer " << i;
      }
      EXPECT_EQ(result.arena.head_bytes, model.golden.at("memory_plan").at("max_memory_bytes").get<std::size_t>());
    }
  });
}

// Whether outputs lie in the bytes of inputs or apart. A model whose own plan fixes tensors is refused by this planner.
TEST_F(GoldenModelsTest, ComputeTheReferencesOutputsWithTheArenaPlanner) {
  std::size_t models = 0, in_place = 0;
  ForEachRunnable([&](const GoldenModel& model, const ValidatedModel& view, const KernelSet& kernels) {
    const bool fixed = !RunModel({}, view, kernels).offline_plan.empty();
    models += fixed ? 0 : 1;
    for (const bool sharing : {true, false}) {
      for (const Json& run : model.golden.at("runs")) {
        RunOptions options;
        options.seed = run.at("seed");
        options.planner = "arena";
        options.no_sharing = !sharing;
        const RunResult result = RunModel(options, view, kernels);
        if (fixed) {
          EXPECT_NE(result.problem.find("rule V29"), std::string::npos) << result.problem;
          continue;
        }
        ASSERT_EQ(result.problem, "");
        ASSERT_EQ(result.outputs.size(), run.at("outputs").size());
        for (std::size_t i = 0; i < result.outputs.size(); ++i) {
          EXPECT_EQ(Sha256Hex(result.outputs[i].bytes), run.at("outputs").at(i).at("sha256").get<std::string>())
              << "output " << i << (sharing ? ", sharing" : "");
        }
        EXPECT_TRUE(sharing || result.sharing.empty());
        in_place += result.sharing.size();
      }
    }
  });
  EXPECT_EQ(models, kMustRun.size() - 3);
  EXPECT_GT(in_place, 0u);
}

void KeepsItsState(const GoldenModel& model, const ValidatedModel& view, const KernelSet& kernels,
                   const std::string& planner) {
  constexpr std::size_t kArenaBytes = std::size_t{4} << 20;
  ArenaMemory memory;
  ASSERT_TRUE(memory.Grow(kArenaBytes));
  ChosenPlanner chosen;
  ASSERT_EQ(chosen.Choose(planner), "");
  InterpreterOptions options = ForModel(view);
  chosen.Give(options);
  const auto interpreter = std::make_unique<Interpreter>(view, kernels, memory.start(), kArenaBytes, options);
  const Status status = interpreter->AllocateTensors();
  if (status.code == StatusCode::kOfflinePlanPlanner) return;
  ASSERT_TRUE(status.ok()) << planner;
  for (const Json& step : model.golden.at("sequence_without_reset")) {
    InputGenerator generator(step.at("seed").get<std::uint32_t>());
    for (const Operand& input : interpreter->inputs()) {
      ASSERT_TRUE(generator.Fill(input.type, {input.data, input.bytes}));
    }
    ASSERT_TRUE(interpreter->Invoke().ok());
    for (std::size_t i = 0; i < interpreter->outputs().size(); ++i) {
      const Operand& output = interpreter->outputs()[i];
      EXPECT_EQ(Sha256Hex({output.data, output.bytes}), step.at("output_sha256").at(i).get<std::string>()) << planner;
    }
  }
}

TEST_F(GoldenModelsTest, KeepTheirStateOverASequenceWithoutReset) {
  ForEachRunnable([](const GoldenModel& model, const ValidatedModel& view, const KernelSet& kernels) {
    for (const char* planner : {"greedy", "arena"}) KeepsItsState(model, view, kernels, planner);
  });
}

}  // namespace
}  // namespace arenaproof
