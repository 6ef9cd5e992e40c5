// Which kernel of a set serves an operator.
#include <gtest/gtest.h>

#include "core/runtime/interpreter/kernel_lookup.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

bool ServesMultiplesOf16(std::span<const Operand> inputs, std::span<const Operand>) {
  return inputs[0].dims[0] % 16 == 0;
}
Status DoNothing(const InvokeContext&) { return Ok(); }

constexpr Kernel kPlain[] = {{BuiltinOperator::kAbs, "plain", nullptr, nullptr, nullptr, DoNothing},
                             {BuiltinOperator::kAdd, "plain", nullptr, nullptr, nullptr, DoNothing}};
constexpr Kernel kPicky[] = {{BuiltinOperator::kAbs, "picky", ServesMultiplesOf16, nullptr, nullptr, DoNothing}};
const KernelSet kPlainSet{"plain", kPlain, nullptr};
const KernelSet kPickySet{"picky", kPicky, &kPlainSet};
const KernelSet kPickyAloneSet{"picky-alone", kPicky, nullptr};

SmallSubgraph TwoAbsAndAdd() {
  SmallSubgraph graph = Chain(3, 32);
  graph.tensors[1].shape = {20};
  graph.operators[2].code = BuiltinOperator::kAdd;
  return graph;
}

TEST(KernelSets, OwnKernelsComeFirstAndTheFallbackServesTheRest) {
  const SmallModel model(TwoAbsAndAdd());
  const TestArena arena(4096);
  const auto interpreter =
      std::make_unique<Interpreter>(model.view(), kPickySet, arena.start(), arena.bytes(), InterpreterOptions());
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_STREQ(interpreter->kernel_of(0)->name, "picky");
  EXPECT_STREQ(interpreter->kernel_of(1)->name, "plain") << "20 bytes are not the picky kernel's";
  EXPECT_STREQ(interpreter->kernel_of(2)->name, "plain");
  EXPECT_EQ(interpreter->kernel_of(3), nullptr);
  EXPECT_EQ(interpreter->kernel_of(-1), nullptr);
  const Kernel* kernel = nullptr;
  ASSERT_TRUE(FindKernelOf(kPickySet, model.view(), 0, 0, &kernel).ok());
  EXPECT_EQ(kernel, interpreter->kernel_of(0));
}

TEST(KernelSets, AnOperatorBeyondTheSetIsUnresolved) {
  const SmallModel model(TwoAbsAndAdd());
  const TestArena arena(4096);
  const auto interpreter =
      std::make_unique<Interpreter>(model.view(), kPickyAloneSet, arena.start(), arena.bytes(), InterpreterOptions());
  EXPECT_EQ(interpreter->AllocateTensors(), Failure(StatusCode::kUnresolvedOperator, 0, 1, BuiltinOperator::kAbs));
}

TEST(KernelSets, OperatorsServedByTheSetItselfAreCounted) {
  const SmallModel model(TwoAbsAndAdd());
  std::size_t count = 99;
  ASSERT_TRUE(CountServedOperators(kPickySet, model.view(), &count).ok());
  EXPECT_EQ(count, 1u);
  ASSERT_TRUE(CountServedOperators(kPlainSet, model.view(), &count).ok());
  EXPECT_EQ(count, 3u);
  ASSERT_TRUE(CountServedOperators(KernelSet{"empty", {}, &kPlainSet}, model.view(), &count).ok());
  EXPECT_EQ(count, 0u);
}

bool ServesShortOutputs(std::span<const Operand> inputs, std::span<const Operand> outputs) {
  return inputs.size() == 1 && outputs.size() == 1 && outputs[0].dims[0] == 20;
}

// A kernel looks at inputs and outputs, of a model that is allocated and of one that is not.
TEST(KernelSets, KernelsServeByTheirOutputsToo) {
  static constexpr Kernel kByOutput[] = {
      {BuiltinOperator::kAbs, "by output", ServesShortOutputs, nullptr, nullptr, DoNothing}};
  const KernelSet set{"by output", kByOutput, &kPlainSet};
  const SmallModel model(TwoAbsAndAdd(), {}, /*subgraph_count=*/2);
  const TestArena arena(4096);
  EventLog log;
  Interpreter interpreter(model.view(), set, arena.start(), arena.bytes(), {.observer = &log});
  ASSERT_TRUE(interpreter.Invoke().ok());
  ASSERT_EQ(log.scopes.size(), 3u) << "of the main graph";
  for (std::size_t i = 0; i < 3; ++i) EXPECT_STREQ(log.scopes[i].kernel_name, i == 0 ? "by output" : "plain") << i;
  for (const std::int32_t subgraph : {0, 1}) {
    for (const std::int32_t index : {0, 1, 2}) {
      const Kernel* kernel = nullptr;
      ASSERT_TRUE(
          FindKernelOf(set, model.view(), static_cast<std::size_t>(subgraph), static_cast<std::size_t>(index), &kernel)
              .ok());
      EXPECT_EQ(kernel, interpreter.kernel_of(index, subgraph));
      EXPECT_STREQ(kernel->name, index == 0 ? "by output" : "plain") << index;
    }
  }
  std::size_t count = 0;
  ASSERT_TRUE(CountServedOperators(set, model.view(), &count).ok());
  EXPECT_EQ(count, 2u) << "one of each subgraph";
}

// Names are equal or they are others.
TEST(KernelSets, CustomKernelsServeTheirWholeNameAlone) {
  OperatorKey key(BuiltinOperator::kCustom);
  const Kernel own{.op = BuiltinOperator::kCustom, .name = "own", .custom_name = "own"};
  const Kernel nameless{.op = BuiltinOperator::kCustom, .name = "own"};
  for (const auto& [name, served] :
       {std::pair{"own", true}, {"own2", false}, {"ow", false}, {"", false}, {"OWN", false}}) {
    key.custom_name = name;
    EXPECT_EQ(key.IsServedBy(own), served) << name;
    EXPECT_FALSE(key.IsServedBy(nameless)) << name;
  }
  key.op = BuiltinOperator::kAbs;
  EXPECT_FALSE(key.IsServedBy(own));
}

TEST(KernelSets, ValidationLearnsWhichOperatorsAreServed) {
  SmallSubgraph graph = TwoAbsAndAdd();
  graph.operators[1].code = BuiltinOperator::kSin;
  const SmallModel model(graph);
  ValidationReport report;
  const KernelSetSupport support(kPickySet);
  EXPECT_EQ(ValidateModel(model.view(), &report, &support).code, StatusCode::kModelUnsupported);
  ASSERT_EQ(report.unsupported().size(), 1u);
  EXPECT_EQ(report.unsupported()[0].value, static_cast<std::int32_t>(BuiltinOperator::kSin));
}

}  // namespace
}  // namespace arenaproof::testing
