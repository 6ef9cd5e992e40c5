// Whole models against the reference: memory plan, head and outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/model/offline_plan.h"
#include "core/model/validate.h"
#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/harness/event_log.h"
#include "kernels/reference/reference_kernels.h"
#include "test_arena_support.h"
#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/text/sha256.h"

namespace arenaproof::testing {
namespace {

class GoldenModel : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    const auto model_path = SharedFile("models/" + name + ".tflite");
    const auto golden_path = SharedFile("golden/models/" + name + ".json");
    if (!model_path || !golden_path) GTEST_SKIP() << SharedAbsent("models and golden/models");
    file_ = ReadFileBytes(*model_path);
    std::ifstream(*golden_path) >> golden_;
    ValidationReport report;
    const KernelSetSupport support(ReferenceKernels());
    view_ = ValidatedModel::Open(file_, &report, &support);
    ASSERT_EQ(report.status, Ok());
  }

  std::unique_ptr<Interpreter> Make(const TestArena& arena, const InterpreterOptions& options = {}) {
    return std::make_unique<Interpreter>(*view_, ReferenceKernels(), arena.start(), arena.bytes(), options);
  }

  void ExpectRun(Interpreter& interpreter, int seed, const std::vector<std::string>& hashes) {
    InputGenerator generator(static_cast<std::uint32_t>(seed));
    for (const Operand& input : interpreter.inputs())
      ASSERT_TRUE(generator.Fill(input.type, {input.data, input.bytes}));
    ASSERT_TRUE(interpreter.Invoke().ok());
    ASSERT_EQ(interpreter.outputs().size(), hashes.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const Operand& output = interpreter.outputs()[i];
      EXPECT_EQ(Sha256Hex({output.data, output.bytes}), hashes[i]);
    }
  }

  std::vector<std::byte> file_;
  std::optional<ValidatedModel> view_;
  nlohmann::json golden_;
};

TEST_P(GoldenModel, HasTheReferencesPlan) {
  const TestArena arena(1 << 20);
  EventLog log;
  const auto interpreter = Make(arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const nlohmann::json& buffers = golden_.at("memory_plan").at("buffers");
  ASSERT_EQ(log.plan.size(), buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const PlanEntry& planned = log.plan[i];
    const std::vector<std::int64_t> expected = buffers[i];
    std::int32_t fixed = kPlannedAtRunTime;
    if (planned.tensor >= 0) {
      ASSERT_TRUE(OfflineOffsetOf(*view_, static_cast<std::size_t>(planned.subgraph),
                                  static_cast<std::size_t>(planned.tensor), &fixed)
                      .ok());
    }
    const std::vector<std::int64_t> found = {static_cast<std::int64_t>((planned.bytes + 15) / 16 * 16), planned.first,
                                             planned.last, fixed, static_cast<std::int64_t>(planned.offset)};
    EXPECT_EQ(found, expected) << "buffer " << i;
  }
  EXPECT_EQ(interpreter->head_bytes(), golden_.at("memory_plan").at("max_memory_bytes").get<std::size_t>());
}

TEST_P(GoldenModel, GivesTheReferencesOutputs) {
  for (const nlohmann::json& run : golden_.at("runs")) {
    const TestArena arena(1 << 20);
    const auto interpreter = Make(arena);
    ASSERT_TRUE(interpreter->AllocateTensors().ok());
    std::vector<std::string> hashes;
    for (const nlohmann::json& output : run.at("outputs")) hashes.push_back(output.at("sha256"));
    ExpectRun(*interpreter, run.at("seed"), hashes);
  }
}

// The arena's contents before do not matter, nor where it lies, nor what ran in it before; and the smallest arena does
// as well as a large one.
TEST_P(GoldenModel, GivesThemAgainInTheSmallestArenaFullOfGarbage) {
  const TestArena memory(1 << 20, 16);
  const auto allocates = [&](std::size_t bytes) {
    return std::make_unique<Interpreter>(*view_, ReferenceKernels(), memory.start(), bytes, InterpreterOptions())
        ->AllocateTensors()
        .ok();
  };
  std::size_t fails = 0;
  std::size_t works = memory.bytes();
  ASSERT_TRUE(allocates(works));
  while (works - fails > 1) {
    const std::size_t middle = fails + (works - fails) / 2;
    (allocates(middle) ? works : fails) = middle;
  }
  RecordProperty("smallest_arena_bytes", static_cast<int>(works));
  std::fill_n(memory.start(), memory.bytes(), std::byte{0xA5});
  const auto interpreter =
      std::make_unique<Interpreter>(*view_, ReferenceKernels(), memory.start(), works, InterpreterOptions());
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  for (const nlohmann::json& run : golden_.at("sequence_without_reset")) {
    ExpectRun(*interpreter, run.at("seed"), run.at("output_sha256"));
  }
  EXPECT_EQ(memory.start()[works], std::byte{0xA5});
}

INSTANTIATE_TEST_SUITE_P(OfReferenceKernels, GoldenModel,
                         ::testing::Values("hello_world_int8", "hello_world_float", "micro_speech_quantized",
                                           "person_detect", "branching_int8_a", "branching_int8_b", "branching_float_a",
                                           "control_if", "control_while", "simple_add_model",
                                           "hello_world_int8_fixed_plan", "micro_speech_quantized_fixed_plan",
                                           "branching_int8_b_fixed_plan"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace arenaproof::testing
