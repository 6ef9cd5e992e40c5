// Operators that call subgraphs: what they answer, what they refuse, and what an observer receives of the calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "control_run_support.h"
#include "core/model/validate.h"
#include "engine/harness/event_log.h"
#include "kernels/reference/reference_kernels.h"

namespace arenaproof::testing {
namespace {

using enum BuiltinOperator;

// ABS is a mock's, the rest is the reference's.
const KernelSet& Kernels() {
  static const KernelSet set{"mock and reference", MockKernels().kernels.first(1), &ReferenceKernels()};
  return set;
}

struct ControlFlowRun : ControlRun {
  ControlFlowRun(ControlModel& model, const InterpreterOptions& options = {}, std::size_t arena_bytes = 16384)
      : ControlRun(model, Kernels(), options, arena_bytes) {}
};

// Condition and x; then: x + 1, else: -x or whatever ABS does.
void BuildIf(ControlModel& model) {
  model.Subgraph();
  const auto condition = model.Bool(), x = model.Value(2), y = model.Value(2);
  model.Apply(kIf, {condition, x}, {y}, IfOptions{1, 2}).Bounds({condition, x}, {y});
  model.Subgraph();
  const auto a = model.Value(2), more = model.Value(2), one = model.Constant({1, 1});
  model.Apply(kAdd, {a, one}, {more}, AddOptions{}).Bounds({a}, {more});
  model.Subgraph();
  const auto b = model.Value(2), other = model.Value(2);
  model.Apply(kAbs, {b}, {other}).Bounds({b}, {other});
}

// Counts from x to the limit 3 in steps of 1; the second value doubles each time.
void BuildWhile(ControlModel& model) {
  model.Subgraph();
  const auto count = model.Value(1), value = model.Value(2), counted = model.Value(1), doubled = model.Value(2);
  model.Apply(kWhile, {count, value}, {counted, doubled}, WhileOptions{1, 2})
      .Bounds({count, value}, {counted, doubled});
  model.Subgraph();
  const auto i = model.Value(1), unused = model.Value(2), again = model.Bool(), limit = model.Constant({3});
  model.Apply(kLess, {i, limit}, {again}).Bounds({i, unused}, {again});
  model.Subgraph();
  const auto j = model.Value(1), v = model.Value(2), next = model.Value(1), twice = model.Value(2),
             one = model.Constant({1});
  model.Apply(kAdd, {j, one}, {next}, AddOptions{}).Apply(kAdd, {v, v}, {twice}, AddOptions{});
  model.Bounds({j, v}, {next, twice});
}

TEST(If, RunsTheBranchThatItsConditionNames) {
  const MockScope mock;
  Mock().invoke = [](const InvokeContext& context) {
    for (std::size_t i = 0; i < 2; ++i) {
      context.outputs[0].mutable_as<float>()[i] = -context.inputs[0].as<float>()[i];
    }
    return Ok();
  };
  ControlModel model;
  BuildIf(model);
  ControlFlowRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetInput(1, {5, 7});
  run.SetCondition(0, true);
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(), (std::vector<float>{6, 8}));
  run.SetInput(1, {5, 7});
  run.SetCondition(0, false);
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(), (std::vector<float>{-5, -7}));
}

TEST(If, ChargesAFailureToTheOperatorOfTheBranch) {
  const MockScope mock;
  Mock().invoke = [](const InvokeContext&) { return Failure(StatusCode::kKernelOption, 3); };
  ControlModel model;
  BuildIf(model);
  ControlFlowRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetCondition(0, false);
  EXPECT_EQ(run.interpreter->Invoke(), Failure(StatusCode::kKernelOption, 3));
  EXPECT_EQ(run.interpreter->failed_operator().subgraph, 2);
  EXPECT_EQ(run.interpreter->failed_operator().operator_index, 0);
  run.SetCondition(0, true);
  EXPECT_TRUE(run.interpreter->Invoke().ok()) << "the next invoke begins at the main graph";
}

TEST(If, SuspendsItsOwnScopeWhileTheBranchRuns) {
  const MockScope mock;
  ControlModel model;
  BuildIf(model);
  EventLog log;
  ControlFlowRun run(model, {.observer = &log});
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetCondition(0, false);
  log.lines.clear();
  log.scopes.clear();
  log.ranges.clear();
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(log.lines, (std::vector<std::string>{"begin invoke 0", "enter", "leave",         // the inputs
                                                 "enter", "begin invoke 0", "end", "leave",  // the branch
                                                 "enter", "leave", "end"}));                 // the outputs
  ASSERT_EQ(log.scopes.size(), 2u);
  EXPECT_EQ(log.scopes[0].subgraph, 0);
  EXPECT_STREQ(log.scopes[0].operator_name, "IF");
  EXPECT_EQ(log.scopes[1].subgraph, 2);
  // The branch and its caller share no byte.
  for (const OperandRange& caller : log.ranges[0]) {
    for (const OperandRange& callee : log.ranges[1]) {
      EXPECT_TRUE(caller.data + caller.bytes <= callee.data || callee.data + callee.bytes <= caller.data);
    }
  }
}

TEST(If, FindsItsOperandsAgainAfterTheBranch) {
  // An IF of a kernel that looks at its operands before and after.
  static std::array<Operand, 3> seen[2];
  const auto invoke = [](const InvokeContext& context) -> Status {
    const auto note = [&](std::size_t when) {
      std::copy(context.inputs.begin(), context.inputs.end(), seen[when].begin());
      std::copy(context.outputs.begin(), context.outputs.end(), seen[when].begin() + 2);
    };
    note(0);
    ARENAPROOF_RETURN_IF_ERROR(context.runtime->InvokeSubgraph(1));
    note(1);
    EXPECT_EQ(context.scratch.size(), 1u);
    return Ok();
  };
  const Kernel kernel{.op = kIf,
                      .name = "curious",
                      .prepare = [](PrepareContext& context) { return context.services->RequestScratch(40); },
                      .invoke = invoke};
  const KernelSet set{"curious", {&kernel, 1}, &Kernels()};
  ControlModel model;
  BuildIf(model);
  const TestArena arena(16384);
  Interpreter interpreter(model.view(), set, arena.start(), arena.bytes());
  ASSERT_TRUE(interpreter.Invoke().ok());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(seen[0][i].data, seen[1][i].data);
    EXPECT_EQ(seen[0][i].tensor_index, seen[1][i].tensor_index);
    EXPECT_EQ(seen[0][i].bytes, seen[1][i].bytes);
  }
}

TEST(If, RefusesBranchesThatDoNotFitItsOperands) {
  const auto refusal = [](std::vector<std::int32_t> then_outputs, std::int32_t then_count, bool condition_is_bool) {
    ControlModel model;
    model.Subgraph();
    const auto condition = condition_is_bool ? model.Bool() : model.Value(1);
    const auto x = model.Value(2), y = model.Value(2);
    model.Apply(kIf, {condition, x}, {y}, IfOptions{1, 2}).Bounds({condition, x}, {y});
    model.Subgraph();
    model.Value(then_count);
    model.Value(2);
    model.Apply(kRelu, {0}, {1}).Bounds({0}, then_outputs);
    model.Subgraph();
    model.Value(2);
    model.Bounds({0}, {0});
    const TestArena arena(16384);
    Interpreter interpreter(model.view(), Kernels(), arena.start(), arena.bytes());
    return interpreter.AllocateTensors();
  };
  EXPECT_EQ(refusal({}, 2, true), Failure(StatusCode::kKernelSubgraphCount, 1, 1, 0, 1)) << "its output would be stale";
  EXPECT_EQ(refusal({1, 0}, 2, true), Failure(StatusCode::kKernelSubgraphCount, 1, 1, 2, 1));
  EXPECT_EQ(refusal({1}, 3, true), Failure(StatusCode::kKernelSubgraphBytes, 1, 0, 12, 8));
  EXPECT_EQ(refusal({1}, 2, false), Failure(StatusCode::kKernelType, 0, TensorType::kFloat32, TensorType::kBool));
  EXPECT_TRUE(refusal({1}, 2, true).ok());
}

TEST(If, LooksAtTheElseBranchInPrepareToo) {
  ControlModel model;
  model.Subgraph();
  const auto condition = model.Bool(), x = model.Value(2), y = model.Value(2);
  model.Apply(kIf, {condition, x}, {y}, IfOptions{1, 2}).Bounds({condition, x}, {y});
  model.Subgraph();
  model.Value(2);
  model.Bounds({0}, {0});
  model.Subgraph();
  model.Value(2);
  model.Value(3);
  model.Bounds({0, 1}, {0});
  ControlFlowRun run(model);
  EXPECT_EQ(run.interpreter->AllocateTensors(), Failure(StatusCode::kKernelSubgraphCount, 2, 0, 2, 1));
  EXPECT_EQ(run.interpreter->failed_operator().phase, OperatorPhase::kPrepare);
}

TEST(While, RunsItsBodyAsLongAsTheConditionHolds) {
  ControlModel model;
  BuildWhile(model);
  ControlFlowRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetInput(0, {0});
  run.SetInput(1, {1, 5});
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(0), (std::vector<float>{3}));
  EXPECT_EQ(run.Output(1), (std::vector<float>{8, 40}));
  run.SetInput(0, {3});
  run.SetInput(1, {1, 5});
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(run.Output(0), (std::vector<float>{3})) << "a loop that never runs hands its inputs through";
  EXPECT_EQ(run.Output(1), (std::vector<float>{1, 5}));
}

class CountingCancellation final : public Cancellation {
 public:
  explicit CountingCancellation(std::size_t allowed_count) : left_(allowed_count) {}
  bool Cancelled(const OperatorLocation& next) override {
    asked.push_back(next);
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  std::vector<OperatorLocation> asked;

 private:
  std::size_t left_;
};

TEST(While, ThatNeverEndsIsCancelledEvenWithoutAnOperator) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Bool(), y = model.Bool();
  model.Apply(kWhile, {x}, {y}, WhileOptions{1, 2}).Bounds({x}, {y});
  for (int i = 0; i < 2; ++i) {
    model.Subgraph();
    model.Bool();
    model.Bounds({0}, {0});
  }
  CountingCancellation cancellation(100);
  ControlFlowRun run(model, {.cancellation = &cancellation});
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetCondition(0, true);
  EXPECT_EQ(run.interpreter->Invoke().code, StatusCode::kInvokeCancelled);
  EXPECT_EQ(cancellation.asked.size(), 101u);
  EXPECT_FALSE(run.interpreter->failed_operator().known());
}

TEST(While, RefusesAConditionThatIsNotOneBool) {
  for (const int kind : {0, 1, 2}) {
    ControlModel model;
    model.Subgraph();
    const auto x = model.Value(2), y = model.Value(2);
    model.Apply(kWhile, {x}, {y}, WhileOptions{1, 2}).Bounds({x}, {y});
    model.Subgraph();
    const auto v = model.Value(2);
    if (kind == 0) model.Bounds({v}, {});
    if (kind == 1) model.Bounds({v}, {v});
    if (kind == 2) {
      const auto two = model.Bool(2);
      model.Apply(kLess, {v, v}, {two}).Bounds({v}, {two});
    }
    model.Subgraph();
    model.Value(2);
    model.Bounds({0}, {0});
    ControlFlowRun run(model);
    const Status expected[] = {
        Failure(StatusCode::kKernelSubgraphCount, 1, 1, 0, 1),
        Failure(StatusCode::kKernelSubgraphType, 1, kFirstOutputOperand, TensorType::kFloat32, TensorType::kBool),
        Failure(StatusCode::kKernelSubgraphBytes, 1, kFirstOutputOperand, 2, 1)};
    EXPECT_EQ(run.interpreter->AllocateTensors(), expected[kind]);
  }
}

TEST(While, WantsAsManyOfEverything) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(2), y = model.Value(3);
  model.Apply(kWhile, {x}, {y}, WhileOptions{1, 2}).Bounds({x}, {y});
  model.Subgraph();
  const auto v = model.Value(2), again = model.Bool();
  const auto one = model.Constant({1}), two = model.Constant({2});
  model.Apply(kLess, {one, two}, {again}).Bounds({v}, {again});
  model.Subgraph();
  model.Value(2);
  model.Bounds({0}, {0});
  ControlFlowRun run(model);
  EXPECT_EQ(run.interpreter->AllocateTensors(), Failure(StatusCode::kKernelSubgraphBytes, 2, 0, 8, 12));
}

// Main: CALL_ONCE(1), then ABS.
void BuildCallOnce(ControlModel& model) {
  model.Subgraph();
  const auto x = model.Value(2), y = model.Value(2);
  model.Apply(kCallOnce, {}, {}, CallOnceOptions{1}).Apply(kRelu, {x}, {y}).Bounds({x}, {y});
  model.Subgraph();
  const auto one = model.Constant({1, 2}), any = model.Value(2);
  model.Apply(kAbs, {one}, {any}).Bounds({}, {});
}

TEST(CallOnce, RunsItsSubgraphUntilItSucceedsAndThenNeverAgain) {
  const MockScope mock;
  int runs = 0;
  Mock().invoke = [&](const InvokeContext&) { return ++runs == 1 ? Failure(StatusCode::kKernelOption, 1) : Ok(); };
  ControlModel model;
  BuildCallOnce(model);
  ControlFlowRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(run.interpreter->Invoke().code, StatusCode::kKernelOption);
  EXPECT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(run.interpreter->Invoke().ok());
  ASSERT_TRUE(run.interpreter->Reset().ok());
  EXPECT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(runs, 2) << "a reset does not arm it again";
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  EXPECT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(runs, 3) << "a new allocation does";
}

TEST(CallOnce, GivesItsSubgraphMemoryOfItsOwn) {
  const MockScope mock;
  ControlModel model;
  BuildCallOnce(model);
  EventLog log;
  ControlFlowRun run(model, {.observer = &log});
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  std::size_t offset = 0;
  EXPECT_TRUE(run.interpreter->TensorOffset(1, &offset, 1).ok());
  EXPECT_EQ(run.interpreter->TensorOffset(0, &offset, 1).code, StatusCode::kTensorNotPlanned) << "a constant";
  EXPECT_EQ(run.interpreter->TensorOffset(0, &offset, 2).code, StatusCode::kRuntimeSubgraphIndex);
  EXPECT_EQ(run.interpreter->TensorOffset(0, &offset, -1).code, StatusCode::kRuntimeSubgraphIndex);
}

TEST(CallOnce, RefusesASubgraphWithInputs) {
  ControlModel model;
  model.Subgraph();
  model.Value(2);
  model.Apply(kCallOnce, {}, {}, CallOnceOptions{1}).Bounds({0}, {0});
  model.Subgraph();
  model.Value(2);
  model.Bounds({0}, {});
  ControlFlowRun run(model);
  EXPECT_EQ(run.interpreter->AllocateTensors(), Failure(StatusCode::kKernelSubgraphCount, 1, 0, 1, 0));
}

TEST(Subgraphs, OfOthersCannotBeAskedFor) {
  const MockScope mock;
  ControlModel model;
  BuildIf(model);
  Mock().prepare = [](PrepareContext& context) {
    SubgraphCounts counts;
    EXPECT_EQ(context.runtime->DescribeSubgraph(1, &counts), Failure(StatusCode::kSubgraphNotCalled, 2, 0, 1));
    EXPECT_EQ(context.runtime->DescribeSubgraph(3, &counts), Failure(StatusCode::kRuntimeSubgraphIndex, 3, 3));
    EXPECT_EQ(context.runtime->InvokeSubgraph(1).code, StatusCode::kRuntimeState);
    return Ok();
  };
  static RuntimeServices* kept = nullptr;
  Mock().invoke = [](const InvokeContext& context) {
    kept = context.runtime;
    EXPECT_EQ(context.runtime->InvokeSubgraph(1), Failure(StatusCode::kSubgraphNotCalled, 2, 0, 1));
    EXPECT_EQ(context.runtime->InvokeSubgraph(0), Failure(StatusCode::kSubgraphNotCalled, 2, 0, 0));
    return Ok();
  };
  ControlFlowRun run(model);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetCondition(0, false);
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  EXPECT_EQ(kept->InvokeSubgraph(1).code, StatusCode::kRuntimeState) << "no operator runs";
}

}  // namespace
}  // namespace arenaproof::testing
