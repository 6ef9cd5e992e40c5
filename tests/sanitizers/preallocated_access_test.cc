// A buffer of the application around which the checker owns closed bytes: instruments see its exact bounds, as they see
// a tensor's in the arena.
#include <gmock/gmock.h>

#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "sanitizers/instrument/checked_memory.h"
#include "sanitizers/instrument/instrument_factory.h"
#include "tests/support/shared_files.h"
#include "tools/model/input_generator.h"
#include "tools/model/model_file.h"

namespace arenaproof::testing {
namespace {

class PreallocatedAccess : public ::testing::TestWithParam<std::string> {
 protected:
  PreallocatedAccess() : instrument_(MakeInstrument(GetParam())) {}

  void SetUp() override {
    if (!instrument_->Available().ok()) {
      GTEST_SKIP() << "the instrument " << GetParam() << " is not compiled into this build";
    }
    const auto path = SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite";
    ASSERT_EQ(file_.Load(path, nullptr), "");
  }

  // The activation of 20 bytes is in `activation_`, the output of 64 in `result_`.
  void Run(const std::string& kernels) {
    instrument_->Watch(arena_.region());
    instrument_->Watch(activation_.region());
    instrument_->Watch(result_.region());
    Interpreter interpreter(file_.model(), *FindKernelSet(kernels), arena_.data(), arena_.bytes(),
                            {.observer = instrument_.get()});
    ASSERT_EQ(instrument_->self_test().status(), Ok());
    const std::int32_t input = file_.view().inputs(0)[0];
    const std::int32_t output = file_.view().outputs(0)[0];
    ASSERT_EQ(interpreter.RegisterPreallocatedTensor(0, input, activation_.data(), activation_.bytes()), Ok());
    ASSERT_EQ(interpreter.RegisterPreallocatedTensor(0, output, result_.data(), result_.bytes()), Ok());
    ASSERT_EQ(interpreter.AllocateTensors(), Ok());
    InputGenerator generator(1);
    generator.Fill(interpreter.inputs()[0].type, activation_.span());
    ASSERT_EQ(interpreter.Invoke(), Ok());
  }
  const std::vector<Violation>& groups() const { return instrument_->log().groups(); }

  ModelFile file_;
  CheckedMemory arena_{std::size_t{1} << 16};
  CheckedMemory activation_{20};
  CheckedMemory result_{64};
  std::unique_ptr<AccessInstrument> instrument_;
};
INSTANTIATE_TEST_SUITE_P(By, PreallocatedAccess, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(PreallocatedAccess, BeyondTheApplicationsBufferIsAViolationOnBothSides) {
  Run("aligned-faulty");
  ASSERT_EQ(groups().size(), 2u);
  bool before = false, after = false;
  for (const Violation& violation : groups()) {
    EXPECT_EQ(violation.operand.kind, OperandKind::kInput);
    EXPECT_EQ(violation.operand.data, activation_.data());
    EXPECT_EQ(violation.operand.bytes, 20u);
    EXPECT_EQ(violation.distance_bytes, 12u);
    EXPECT_FALSE(violation.write);
    before |= violation.side == ViolationSide::kBefore;
    after |= violation.side == ViolationSide::kAfter;
  }
  EXPECT_TRUE(before);
  EXPECT_TRUE(after);
}

TEST_P(PreallocatedAccess, InsideItIsNot) {
  Run("aligned");
  EXPECT_THAT(groups(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
