// Real models in both layouts: the same answers, the same addresses modulo 64, and in the dilated one no two operands
// so close that an instrument cannot distinguish an access beside one from an access to the other.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "core/arena/silent_observer.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/interpreter.h"
#include "engine/cases/validated.h"
#include "kernels/kernel_sets.h"
#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/layout/blind_pairs.h"
#include "sanitizers/layout/dilating_planner.h"
#include "sanitizers/layout/relocated_model.h"
#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_options.h"

namespace arenaproof::testing {
namespace {

class OperandRecorder final : public SilentObserver {
 public:
  void OnOperatorBegins(const OperatorScope& scope) override {
    if (scope.phase != OperatorPhase::kInvoke) return;
    blind_pair_count += CountBlindPairs(scope.operands);
    for (const OperandRange& operand : scope.operands) {
      residues[{scope.operator_index, operand.kind, operand.index}] =
          reinterpret_cast<std::uintptr_t>(operand.data) % 64;
    }
  }

  std::size_t blind_pair_count = 0;
  std::map<std::tuple<std::int32_t, OperandKind, std::int32_t>, std::uintptr_t> residues;
};

struct LayoutRun {
  OperandRecorder recorder;
  std::vector<std::byte> outputs;
};

void RunModel(std::span<const std::byte> file, Layout layout, LayoutRun* run) {
  const ValidatedModel original = Validated(file);
  RelocatedModel model;
  ASSERT_TRUE(RelocatedModel::Create(original, layout, &model).ok());
  const ValidatedModel& view = model.view();
  GreedyPlanner greedy;
  DilatingPlanner dilating(greedy);
  const bool dilated = layout == Layout::kDilated;
  InterpreterOptions options = ForModel(view);
  options.planner = dilated ? static_cast<MemoryPlanner*>(&dilating) : &greedy;
  options.observer = &run->recorder;
  options.constants = &model;
  options.persistent_spacing_bytes = dilated ? kClosedBytes : 0;
  CheckedMemory arena(std::size_t{1} << 20);
  ASSERT_NE(arena.data(), nullptr);
  const auto interpreter =
      std::make_unique<Interpreter>(view, *FindKernelSet("reference"), arena.data(), arena.bytes(), options);
  const Status allocated = interpreter->AllocateTensors();
  ASSERT_TRUE(allocated.ok()) << static_cast<int>(allocated.code);
  InputGenerator generator(1);
  for (const std::int32_t tensor : view.inputs(0)) {
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter->TensorBytes(tensor, &bytes).ok());
    ASSERT_TRUE(generator.Fill(view.tensor(0, static_cast<std::size_t>(tensor)).type, bytes));
  }
  ASSERT_TRUE(interpreter->Invoke().ok());
  for (const std::int32_t tensor : view.outputs(0)) {
    std::span<std::byte> bytes;
    ASSERT_TRUE(interpreter->TensorBytes(tensor, &bytes).ok());
    run->outputs.insert(run->outputs.end(), bytes.begin(), bytes.end());
  }
}

class ModelLayouts : public ::testing::TestWithParam<const char*> {};

TEST_P(ModelLayouts, GiveTheSameAnswersAtTheSameAddressesModulo64WithoutBlindPairsWhenDilated) {
  const auto path = SharedFile(GetParam());
  if (!path) GTEST_SKIP() << SharedAbsent(GetParam());
  const std::vector<std::byte> file = ReadFileBytes(*path);
  LayoutRun faithful;
  LayoutRun dilated;
  ASSERT_NO_FATAL_FAILURE(RunModel(file, Layout::kFaithful, &faithful));
  ASSERT_NO_FATAL_FAILURE(RunModel(file, Layout::kDilated, &dilated));
  EXPECT_FALSE(faithful.outputs.empty());
  EXPECT_EQ(faithful.outputs, dilated.outputs);
  EXPECT_GT(faithful.recorder.blind_pair_count, 0u);
  EXPECT_EQ(dilated.recorder.blind_pair_count, 0u);
  EXPECT_EQ(faithful.recorder.residues, dilated.recorder.residues);
}

INSTANTIATE_TEST_SUITE_P(Shared, ModelLayouts,
                         ::testing::Values("models/hello_world_int8.tflite", "models/micro_speech_quantized.tflite",
                                           "models/person_detect.tflite", "models/branching_int8_a.tflite"));

}  // namespace
}  // namespace arenaproof::testing
