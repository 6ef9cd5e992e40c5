// Operators of the application's own: found by name, given their option bytes, called by name in everything that names
// operators; a name that no kernel of the set has is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/cases/validated.h"
#include "engine/harness/event_log.h"
#include "sanitizers/event_checks/event_stream_checker.h"
#include "test_arena_support.h"
#include "tools/model_builder/model_builder.h"
#include "tools/text/operator_text.h"
#include "tools/text/validation_sentence.h"

namespace arenaproof::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::size_t> option_lengths;  // of each init, in order
std::vector<std::size_t> option_lengths_in_prepare;

// The sum of its option bytes, kept from init on, is added to each element.
Status InitAddSum(PrepareContext& context) {
  option_lengths.push_back(context.custom_options.size());
  std::byte* block = nullptr;
  ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(1, &block));
  std::uint8_t sum = 0;
  for (const std::byte option : context.custom_options)
    sum = static_cast<std::uint8_t>(sum + std::to_integer<int>(option));
  *block = std::byte{sum};
  context.op_data = block;
  return Ok();
}
Status PrepareAddSum(PrepareContext& context) {
  option_lengths_in_prepare.push_back(context.custom_options.size());
  return Ok();
}
Status InvokeAddSum(const InvokeContext& context) {
  const auto sum = std::to_integer<int>(*static_cast<const std::byte*>(context.op_data));
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    context.outputs[0].data[i] = static_cast<std::byte>(std::to_integer<int>(context.inputs[0].data[i]) + sum);
  }
  return Ok();
}
Status InvokeDouble(const InvokeContext& context) {
  for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
    context.outputs[0].data[i] = static_cast<std::byte>(2 * std::to_integer<int>(context.inputs[0].data[i]));
  }
  return Ok();
}
Status InvokeNothing(const InvokeContext&) { return Ok(); }

constexpr Kernel kOwn[] = {
    {.op = BuiltinOperator::kCustom, .name = "nameless", .invoke = InvokeNothing},
    {.op = BuiltinOperator::kCustom,
     .name = "own",
     .init = InitAddSum,
     .prepare = PrepareAddSum,
     .invoke = InvokeAddSum,
     .custom_name = "add_sum"},
    {.op = BuiltinOperator::kAbs, .name = "own", .init = InitAddSum, .invoke = InvokeAddSum},
};
constexpr Kernel kFallback[] = {
    {.op = BuiltinOperator::kCustom, .name = "fallback", .invoke = InvokeDouble, .custom_name = "double"},
    {.op = BuiltinOperator::kCustom, .name = "fallback", .invoke = InvokeNothing, .custom_name = "add_sum"},
};
const KernelSet kFallbackSet{.name = "fallback", .kernels = kFallback};
const KernelSet kOwnSet{.name = "own", .kernels = kOwn, .fallback = &kFallbackSet};

// add_sum, double, ABS, add_sum in a row; the first has three option bytes, the last none.
std::vector<std::byte> CustomModelFile(const std::string& second_name) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 5; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{4}}});
  const std::uint32_t codes[] = {builder.AddCustomCode("add_sum"), builder.AddCustomCode(second_name),
                                 builder.AddCode(BuiltinOperator::kAbs), builder.AddCustomCode("add_sum")};
  for (std::int32_t i = 0; i < 4; ++i) {
    OperatorSpec op;
    op.code = codes[i];
    op.inputs = {i};
    op.outputs = {i + 1};
    if (i == 0) op.custom_options = {std::byte{1}, std::byte{2}, std::byte{4}};
    graph.AddOperator(op);
  }
  graph.inputs = {0};
  graph.outputs = {4};
  return builder.Finish();
}

class CustomModel {
 public:
  explicit CustomModel(const std::string& second_name = "double")
      : file_(CustomModelFile(second_name)), view(Validated(file_)) {}

 private:
  std::vector<std::byte> file_;

 public:
  const ValidatedModel view;
};

class TagNotes final : public Profiler {
 public:
  std::uint32_t BeginEvent(const char* tag) override {
    tags.emplace_back(tag);
    return 0;
  }
  void EndEvent(std::uint32_t) override {}
  std::vector<std::string> tags;
};

TEST(CustomOperators, AreFoundByNameAndGivenTheirOptionBytes) {
  option_lengths.clear();
  option_lengths_in_prepare.clear();
  const CustomModel model;
  const TestArena arena(8192);
  Interpreter interpreter(model.view, kOwnSet, arena.start(), arena.bytes(), InterpreterOptions());
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  EXPECT_THAT(option_lengths, ElementsAre(3u, 0u, 0u)) << "ABS has none, and the last add_sum has none";
  EXPECT_THAT(option_lengths_in_prepare, ElementsAre(3u, 0u));
  EXPECT_STREQ(interpreter.kernel_of(0)->name, "own");
  EXPECT_STREQ(interpreter.kernel_of(1)->name, "fallback");
  std::memset(interpreter.inputs()[0].data, 5, 4);
  ASSERT_EQ(interpreter.Invoke(), Ok());
  EXPECT_EQ(interpreter.outputs()[0].data[3], std::byte{2 * (5 + 7)});
  std::size_t count = 0;
  ASSERT_EQ(CountServedOperators(kOwnSet, model.view, &count), Ok());
  EXPECT_EQ(count, 3u);
  const Kernel* kernel = nullptr;
  ASSERT_EQ(FindKernelOf(kOwnSet, model.view, 0, 1, &kernel), Ok());
  EXPECT_EQ(kernel, &kFallback[0]);
}

TEST(CustomOperators, AreCalledByTheirNameByProfilerAndObserver) {
  const CustomModel model;
  const TestArena arena(8192);
  EventLog log;
  EventStreamChecker checker;
  checker.CompareWith(&model.view);
  checker.ForwardTo(&log);
  TagNotes profiler;
  {
    Interpreter interpreter(model.view, kOwnSet, arena.start(), arena.bytes(),
                            {.observer = &checker, .profiler = &profiler});
    ASSERT_EQ(interpreter.Invoke(), Ok());
  }
  EXPECT_THAT(checker.inconsistencies(), ::testing::IsEmpty());
  EXPECT_THAT(profiler.tags, ElementsAre("add_sum", "double", "ABS", "add_sum"));
  std::vector<std::string> names;
  for (const OperatorScope& scope : log.scopes) names.emplace_back(scope.operator_name);
  EXPECT_THAT(names,
              ElementsAre("add_sum", "ABS", "add_sum", "add_sum", "add_sum", "add_sum", "double", "ABS", "add_sum"));
}

TEST(CustomOperators, MayReadTheirOptionsInInitAndPrepareAlone) {
  const CustomModel model;
  const TestArena arena(8192);
  EventLog log;
  Interpreter interpreter(model.view, kOwnSet, arena.start(), arena.bytes(), {.observer = &log});
  ASSERT_EQ(interpreter.Invoke(), Ok());
  const std::span<const std::byte> options = model.view.operator_at(0, 0).custom_options;
  std::vector<OperatorPhase> seen;
  for (std::size_t i = 0; i < log.scopes.size(); ++i) {
    for (const OperandRange& range : log.ranges[i]) {
      if (range.kind != OperandKind::kOptions) continue;
      seen.push_back(log.scopes[i].phase);
      EXPECT_EQ(log.scopes[i].operator_index, 0);
      EXPECT_EQ(range.right, AccessRight::kRead);
      EXPECT_EQ(range.data, options.data());
      EXPECT_EQ(range.bytes, 3u);
    }
  }
  EXPECT_THAT(seen, ElementsAre(OperatorPhase::kInit, OperatorPhase::kPrepare));
}

TEST(CustomOperators, OfAnotherNameAreRefusedByName) {
  const CustomModel model("triple");
  ValidationReport report;
  const KernelSetSupport support(kOwnSet);
  EXPECT_EQ(ValidateModel(model.view, &report, &support).code, StatusCode::kModelUnsupported);
  EXPECT_EQ(
      ValidationSentence(report),
      "the model needs what is not supported: custom operator 'triple' (1 time, first in operator 1 of subgraph 0); "
      "docs/operators.md lists what is");
  const TestArena arena(8192);
  Interpreter interpreter(model.view, kOwnSet, arena.start(), arena.bytes(), InterpreterOptions());
  const Status refusal = interpreter.AllocateTensors();
  EXPECT_EQ(refusal, Failure(StatusCode::kUnresolvedOperator, 0, 1, BuiltinOperator::kCustom));
  EXPECT_EQ(RefusalSentence(model.view, refusal),
            "no kernel serves custom operator 'triple', operator 1 of subgraph 0");
}

TEST(CustomOperators, OfTheSetsOwnNamesAreValid) {
  const CustomModel model;
  ValidationReport report;
  const KernelSetSupport support(kOwnSet);
  EXPECT_EQ(ValidateModel(model.view, &report, &support), Ok());
}

}  // namespace
}  // namespace arenaproof::testing
