// The extents that a check reports: those of invokes, as wide as what was touched beside operands without right.
#include "tools/worker/operand_extents.h"

#include <gmock/gmock.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "kernels/kernel_sets.h"
#include "tests/support/shared_files.h"
#include "tools/model/model_file.h"

namespace arenaproof {
namespace {

using Json = nlohmann::json;

class ExtentInstrument final : public AccessInstrument {
 public:
  ExtentInstrument() { SkipSelfTest(); }
  const char* name() const override { return "extents"; }
  Status Available() const override { return Ok(); }

  void BeginOperator(OperatorPhase phase, std::int32_t subgraph = 0) {
    OperatorScope scope;
    scope.phase = phase;
    scope.subgraph = subgraph;
    scope.operator_name = scope.kernel_name = "mock";
    OnOperatorBegins(scope);
  }
  Extent& Of(OperandKind kind, std::int32_t index) { return ExtentOf({&byte, 1, AccessRight::kRead, kind, index}); }
  void Add(OperandKind kind, std::int32_t index, ViolationSide side, bool write, std::int64_t lowest,
           std::int64_t highest) {
    Violation violation;
    violation.op = named_operator();
    violation.operand = {&byte, 1, AccessRight::kRead, kind, index};
    violation.side = side;
    violation.write = write;
    violation.lowest_touched = lowest;
    violation.highest_touched = highest;
    AddViolations({violation});
  }
  std::byte byte{};

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
};

class OperandExtents : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto path = testing::SourceFolder() / "corpus/models/fully_connected_20_to_64_int8.tflite";
    ASSERT_EQ(file_.Load(path, nullptr), "");
    ASSERT_FALSE(kernels_.Choose({}, "none"));
    interpreter_.emplace(file_.model(), kernels_.set(), arena_.data(), arena_.size(), InterpreterOptions{});
    ASSERT_EQ(interpreter_->AllocateTensors(), Ok());
    instrument_.BeginOperator(OperatorPhase::kInvoke);
  }
  Json Fields() { return ExtentFields(file_.view(), instrument_, *interpreter_, kernels_).at("operands"); }

  alignas(64) std::array<std::byte, 1 << 14> arena_{};
  ModelFile file_;
  ChosenKernels kernels_;
  std::optional<Interpreter> interpreter_;
  ExtentInstrument instrument_;
};

TEST_F(OperandExtents, AreNamedAndHaveWhatWasTouched) {
  Extent& input = instrument_.Of(OperandKind::kInput, 0);
  input = {.bytes = 20, .read = true, .lowest_read = 2, .highest_read = 19};
  instrument_.Of(OperandKind::kScratch, 0) = {.bytes = 8, .written = true, .lowest_written = 0, .highest_written = 7};
  const Json list = Fields();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], Json({{"subgraph", 0},
                           {"operator", 0},
                           {"operator_name", "FULLY_CONNECTED"},
                           {"kind", "input"},
                           {"index", 0},
                           {"name", "input"},
                           {"bytes", 20},
                           {"lowest_read", 2},
                           {"highest_read", 19}}));
  EXPECT_EQ(list[1].at("name"), "");
  EXPECT_EQ(list[1].at("highest_written"), 7);
  EXPECT_FALSE(list[1].contains("lowest_read"));
}

TEST_F(OperandExtents, AreWidenedByWhatLiesAtTheOperand) {
  instrument_.Of(OperandKind::kInput, 0) = {.bytes = 20, .read = true, .lowest_read = 0, .highest_read = 15};
  instrument_.Of(OperandKind::kOutput, 3) = {.bytes = 64, .written = true, .lowest_written = 4, .highest_written = 63};
  using enum ViolationSide;
  instrument_.Add(OperandKind::kInput, 0, kBefore, false, -12, -1);
  instrument_.Add(OperandKind::kInput, 0, kAfter, false, 20, 31);
  instrument_.Add(OperandKind::kInput, 0, kInside, true, 3, 5);
  instrument_.Add(OperandKind::kInput, 0, kFar, false, -900, 900);
  instrument_.Add(OperandKind::kInput, 0, kDiffers, false, -800, 800);
  instrument_.Add(OperandKind::kOutput, 3, kOverwritten, false, 8, 9);
  instrument_.Add(OperandKind::kOutput, 3, kInside, true, 5, 6);  // within what is known
  instrument_.Add(OperandKind::kConstant, 1, kAfter, false, 1280, 1290);
  instrument_.BeginOperator(OperatorPhase::kPrepare);
  instrument_.Add(OperandKind::kInput, 0, kBefore, false, -700, -1);
  const Json list = Fields();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at("lowest_read"), -12);
  EXPECT_EQ(list[0].at("highest_read"), 31);
  EXPECT_EQ(list[0].at("lowest_written"), 3);
  EXPECT_EQ(list[0].at("highest_written"), 5);
  EXPECT_EQ(list[1].at("lowest_read"), 8);
  EXPECT_EQ(list[1].at("highest_read"), 9);
  EXPECT_EQ(list[1].at("lowest_written"), 4);
  EXPECT_EQ(list[1].at("highest_written"), 63);
}

TEST_F(OperandExtents, AreThoseOfInvokesOfTheModel) {
  instrument_.BeginOperator(OperatorPhase::kPrepare);
  instrument_.Of(OperandKind::kConstant, 1).read = true;
  instrument_.BeginOperator(OperatorPhase::kInvoke, -1);  // of a self-test
  instrument_.Of(OperandKind::kInput, 0).read = true;
  EXPECT_EQ(Fields(), Json::array());
}

}  // namespace
}  // namespace arenaproof
