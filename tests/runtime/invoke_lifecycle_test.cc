// What an application can do around an invoke: cancel it, reset, keep all tensors, hand kernels a context, profile.
#include <gtest/gtest.h>

#include <cstring>

#include "control_model_support.h"
#include "core/planner/greedy_planner.h"
#include "engine/harness/event_log.h"
#include "kernels/reference/reference_kernels.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

class CancelAt final : public Cancellation {
 public:
  bool Cancelled(const OperatorLocation& next) override {
    asked.push_back(next);
    return next.operator_index == operator_index;
  }
  std::int32_t operator_index = -2;
  std::vector<OperatorLocation> asked;
};

TEST(Cancellation, EndsAnInvokeBetweenTwoOperatorsAndTheNextRunsWhole) {
  const MockScope mock;
  int invoked = 0;
  Mock().invoke = [&](const InvokeContext&) {
    ++invoked;
    return Ok();
  };
  const SmallModel model(Chain(3, 32));
  const TestArena arena(4096);
  CancelAt cancellation;
  const auto interpreter = MakeInterpreter(model, arena, {.cancellation = &cancellation});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_TRUE(cancellation.asked.empty()) << "set-up is not asked about";
  const std::size_t used_bytes = interpreter->arena_used_bytes();
  cancellation.operator_index = 2;
  EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kInvokeCancelled, 0, 2));
  EXPECT_EQ(invoked, 2);
  EXPECT_FALSE(interpreter->failed_operator().known());
  cancellation.operator_index = -1;
  EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kInvokeCancelled, 0, -1));
  EXPECT_EQ(invoked, 2);
  cancellation.operator_index = -2;
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(invoked, 5);
  EXPECT_EQ(interpreter->arena_used_bytes(), used_bytes);
  EXPECT_TRUE(interpreter->AllocateTensors().ok());
}

TEST(KernelStatus, FifteenEndsAnInvokeQuietlyAndAnyOtherValueIsAFailure) {
  const MockChain interpreter(2, 32, 4096);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  std::int32_t value = 15;
  Mock().invoke = [&](const InvokeContext&) { return StatusOfKernelValue(value); };
  EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kInvokeAborted, 0, 0));
  EXPECT_FALSE(interpreter->failed_operator().known());
  for (value = -3; value < 40; ++value) {
    if (value == 15 || value == 8 || value == 0) continue;
    EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kKernelFailed, std::int64_t{value}));
    EXPECT_EQ(interpreter->failed_operator().operator_index, 0);
  }
  // A code that nobody knows.
  Mock().invoke = [&](const InvokeContext&) { return Status{static_cast<StatusCode>(60000), {}}; };
  EXPECT_FALSE(interpreter->Invoke().ok());
  EXPECT_TRUE(interpreter->failed_operator().known());
  value = 0;
  Mock().invoke = {};
  EXPECT_TRUE(interpreter->Invoke().ok());
}

TEST(KernelStatus, EightCancelsTheInvokeAndIsNobodysFailure) {
  const MockChain interpreter(3, 32, 4096);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  int invoked = 0;
  Mock().invoke = [&](const InvokeContext&) { return StatusOfKernelValue(++invoked == 2 ? 8 : 0); };
  EXPECT_EQ(interpreter->Invoke(), Failure(StatusCode::kInvokeCancelled, 0, 1));
  EXPECT_EQ(invoked, 2) << "the third operator does not run";
  EXPECT_FALSE(interpreter->failed_operator().known());
  EXPECT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(invoked, 5);
}

struct Calls {
  int resets = 0, frees = 0, frees_of_null = 0;
};
Calls calls;

// Takes persistent memory in prepare, unless `fail_prepare` is set.
bool fail_prepare = false;
const Kernel kCounting{.op = BuiltinOperator::kAbs,
                       .name = "counting",
                       .prepare = [](PrepareContext& context) -> Status {
                         if (fail_prepare) return Failure(StatusCode::kKernelOption, 1);
                         std::byte* block = nullptr;
                         ARENAPROOF_RETURN_IF_ERROR(context.services->AllocatePersistent(8, &block));
                         context.op_data = block;
                         return Ok();
                       },
                       .invoke = [](const InvokeContext&) { return Ok(); },
                       .reset = [](void* op_data) { calls.resets += op_data != nullptr ? 1 : 0; },
                       .free = [](void* op_data) { ++(op_data == nullptr ? calls.frees_of_null : calls.frees); }};
const KernelSet kCountingSet{"counting", {&kCounting, 1}, nullptr};

TEST(KernelResetAndFree, AreCalledAtTheirTimes) {
  calls = {};
  fail_prepare = false;
  const SmallModel model(Chain(3, 32));
  const TestArena arena(16384);
  {
    Interpreter interpreter(model.view(), kCountingSet, arena.start(), arena.bytes());
    EXPECT_EQ(calls.resets, 0);
    ASSERT_TRUE(interpreter.AllocateTensors().ok());
    EXPECT_EQ(calls.resets, 3) << "at the end of the allocation";
    ASSERT_TRUE(interpreter.Reset().ok());
    EXPECT_EQ(calls.resets, 6);
    EXPECT_EQ(calls.frees, 0);
    ASSERT_TRUE(interpreter.AllocateTensors().ok());
    EXPECT_EQ(calls.frees, 3) << "of the allocation before";
    fail_prepare = true;
    EXPECT_FALSE(interpreter.AllocateTensors().ok());
    EXPECT_EQ(calls.frees, 6);
    EXPECT_EQ(calls.frees_of_null, 3) << "registered, and their prepare had not come that far";
    fail_prepare = false;
    ASSERT_TRUE(interpreter.AllocateTensors().ok());
  }
  EXPECT_EQ(calls.frees, 9) << "with the interpreter";
  EXPECT_EQ(calls.frees_of_null, 3);
  {
    const Interpreter never_allocated(model.view(), kCountingSet, arena.start(), arena.bytes());
  }
  EXPECT_EQ(calls.frees, 9);
}

// A kernel whose reset writes into the variable that its invoke has seen.
std::byte* seen_variable = nullptr;
const Kernel kScribbling{.op = BuiltinOperator::kAbs,
                         .name = "scribbling",
                         .invoke = [](const InvokeContext& context) -> Status {
                           seen_variable = context.inputs[1].data;
                           return Ok();
                         },
                         .reset =
                             [](void*) {
                               if (seen_variable != nullptr) *seen_variable = std::byte{0x55};
                             }};
const KernelSet kScribblingSet{"scribbling", {&kScribbling, 1}, nullptr};

TEST(Reset, FillsVariablesAfterTheKernelsOwnResets) {
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({.shape = {4}, .variable = true, .scales = {0.5f}, .zero_points = {-7}});
  graph.operators[0].inputs = {0, 2};
  const SmallModel model(graph);
  const TestArena arena(4096);
  seen_variable = nullptr;
  Interpreter interpreter(model.view(), kScribblingSet, arena.start(), arena.bytes());
  ASSERT_TRUE(interpreter.Invoke().ok());
  ASSERT_NE(seen_variable, nullptr);
  ASSERT_TRUE(interpreter.Reset().ok());
  EXPECT_EQ(*seen_variable, std::byte{0xF9});
}

TEST(ExternalContext, IsSetOnceAndSeenByKernels) {
  const MockChain interpreter(1, 32, 4096);
  EXPECT_EQ(interpreter->SetExternalContext(nullptr), Failure(StatusCode::kExternalContextNull));
  int value = 7;
  Mock().init = [&](PrepareContext& context) {
    EXPECT_EQ(context.runtime->external_context(), nullptr);
    EXPECT_EQ(context.runtime->SetExternalContext(nullptr), Failure(StatusCode::kExternalContextNull));
    return context.runtime->SetExternalContext(&value);
  };
  Mock().invoke = [&](const InvokeContext& context) {
    EXPECT_EQ(context.runtime->external_context(), &value);
    return Ok();
  };
  ASSERT_TRUE(interpreter->Invoke().ok());
  EXPECT_EQ(interpreter->SetExternalContext(&value), Failure(StatusCode::kExternalContextTwice));
}

TEST(ExternalContext, MayBeSetByAPrepareOrAnInvokeToo) {
  for (const bool in_prepare : {true, false}) {
    const MockScope mock;
    const SmallModel model(Chain(2, 32));
    const TestArena arena(4096);
    const auto interpreter = MakeInterpreter(model, arena);
    int value = 7;
    const auto set_once = [&value](RuntimeServices& runtime) {
      const bool first = runtime.external_context() == nullptr;
      EXPECT_EQ(runtime.SetExternalContext(&value), first ? Ok() : Failure(StatusCode::kExternalContextTwice));
      EXPECT_EQ(runtime.external_context(), &value);
    };
    Mock().prepare = [&](PrepareContext& context) {
      if (in_prepare) set_once(*context.runtime);
      return Ok();
    };
    Mock().invoke = [&](const InvokeContext& context) {
      EXPECT_EQ(context.runtime->external_context() != nullptr, in_prepare || context.inputs[0].tensor_index == 1);
      set_once(*context.runtime);
      return Ok();
    };
    EXPECT_TRUE(interpreter->Invoke().ok());
  }
}

TEST(ExternalContext, OfAKernelGoesWithASetUpThatFails) {
  const MockChain interpreter(2, 32, 8192);
  int value = 7;
  bool fails = true;
  for (auto* const moment : {&Mock().init, &Mock().prepare}) {
    fails = true;
    *moment = [&](PrepareContext& context) {
      if (context.outputs[0].tensor_index != 1) return Ok();
      const Status status = context.runtime->SetExternalContext(&value);
      return status.ok() && fails ? Failure(StatusCode::kKernelRank) : status;
    };
    EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kKernelRank);
    EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kKernelRank) << "and again";
    fails = false;
    EXPECT_EQ(interpreter->AllocateTensors(), Ok());
    EXPECT_EQ(interpreter->AllocateTensors(), Ok()) << "a set-up that is replaced takes its context with it";
    EXPECT_EQ(interpreter->SetExternalContext(&value).code, StatusCode::kExternalContextTwice);
    *moment = nullptr;
  }
}

TEST(ExternalContext, OfTheApplicationStaysWhateverFails) {
  const MockChain interpreter(1, 32, 8192);
  int value = 7, other = 8;
  ASSERT_EQ(interpreter->SetExternalContext(&value), Ok());
  Mock().prepare = [&](PrepareContext& context) { return context.runtime->SetExternalContext(&other); };
  EXPECT_EQ(interpreter->AllocateTensors().code, StatusCode::kExternalContextTwice);
  Mock().prepare = [&](PrepareContext& context) {
    EXPECT_EQ(context.runtime->external_context(), &value);
    return Ok();
  };
  EXPECT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->AllocateTensors(), Ok());
}

class NotingProfiler final : public Profiler {
 public:
  std::uint32_t BeginEvent(const char* tag) override {
    lines.push_back(std::string("begin ") + tag);
    return static_cast<std::uint32_t>(lines.size());
  }
  void EndEvent(std::uint32_t handle) override { lines.push_back("end " + lines[handle - 1].substr(6)); }
  std::vector<std::string> lines;
};

TEST(Profiling, BracketsEachOperatorsInvokeAndNests) {
  ControlModel model;
  model.Subgraph();
  const auto condition = model.Bool(), x = model.Value(2), y = model.Value(2);
  model.Apply(BuiltinOperator::kIf, {condition, x}, {y}, IfOptions{1, 1}).Bounds({condition, x}, {y});
  model.Subgraph();
  const auto a = model.Value(2), b = model.Value(2);
  model.Apply(BuiltinOperator::kRelu, {a}, {b}).Bounds({a}, {b});
  const TestArena arena(8192);
  NotingProfiler profiler;
  Interpreter interpreter(model.view(), ReferenceKernels(), arena.start(), arena.bytes(), {.profiler = &profiler});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  EXPECT_TRUE(profiler.lines.empty());
  ASSERT_TRUE(interpreter.Invoke().ok());
  EXPECT_EQ(profiler.lines, (std::vector<std::string>{"begin IF", "begin RELU", "end RELU", "end IF"}));
}

TEST(Profiling, EndsTheEventOfAnOperatorThatFails) {
  const MockScope mock;
  Mock().invoke = [](const InvokeContext&) { return Failure(StatusCode::kKernelOption, 1); };
  const SmallModel model(Chain(2, 32));
  const TestArena arena(4096);
  NotingProfiler profiler;
  const auto interpreter = MakeInterpreter(model, arena, {.profiler = &profiler});
  EXPECT_FALSE(interpreter->Invoke().ok());
  EXPECT_EQ(profiler.lines, (std::vector<std::string>{"begin ABS", "end ABS"}));
}

TEST(PreserveAllTensors, KeepsEveryTensorInBytesOfItsOwn) {
  const MockChain interpreter(5, 40, 8192, {.preserve_all_tensors = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_TRUE(interpreter->planner()->preserves_all_tensors());
  EXPECT_STREQ(interpreter->planner()->name(), "linear");
  for (std::int32_t tensor = 0; tensor < 6; ++tensor) {
    std::size_t offset = 0;
    ASSERT_TRUE(interpreter->TensorOffset(tensor, &offset).ok());
    EXPECT_EQ(offset, static_cast<std::size_t>(tensor) * 48);
  }
  EXPECT_EQ(interpreter->head_bytes(), 6u * 48u);
}

TEST(PreserveAllTensors, RefusesAPlannerThatSharesBytes) {
  const MockScope mock;
  const SmallModel model(Chain(2, 40));
  const TestArena arena(8192);
  GreedyPlanner greedy;
  const auto interpreter = MakeInterpreter(model, arena, {.planner = &greedy, .preserve_all_tensors = true});
  EXPECT_EQ(interpreter->AllocateTensors(), Failure(StatusCode::kPlannerSharesBytes));
}

TEST(ResetVariable, FillsOneAndHasAStatusForEachThingThatIsNone) {
  const MockScope mock;
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({.shape = {8}, .variable = true, .scales = {0.5f}, .zero_points = {-7}});
  graph.tensors.push_back({.shape = {2}, .type = TensorType::kFloat32, .variable = true});
  graph.operators[0].inputs = {0, 2, 3};
  const SmallModel model(graph);
  const TestArena arena(4096);
  const auto interpreter = MakeInterpreter(model, arena);
  EXPECT_EQ(interpreter->ResetVariable(2).code, StatusCode::kRuntimeState);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  std::span<std::byte> first, second;
  ASSERT_TRUE(interpreter->TensorBytes(2, &first).ok());
  ASSERT_TRUE(interpreter->TensorBytes(3, &second).ok());
  first[0] = second[0] = std::byte{1};
  ASSERT_TRUE(interpreter->ResetVariable(2).ok());
  EXPECT_EQ(first[0], std::byte{0xF9});
  EXPECT_EQ(second[0], std::byte{1}) << "the other one is left alone";
  EXPECT_EQ(interpreter->ResetVariable(0), Failure(StatusCode::kTensorNotVariable, 0, 0));
  EXPECT_EQ(interpreter->ResetVariable(4), Failure(StatusCode::kRuntimeTensorIndex, 4, 4));
  EXPECT_EQ(interpreter->ResetVariable(-1), Failure(StatusCode::kRuntimeTensorIndex, -1, 4));
  EXPECT_EQ(interpreter->ResetVariable(2, 1), Failure(StatusCode::kRuntimeSubgraphIndex, 1, 1));
  EXPECT_EQ(interpreter->ResetVariable(2, -1), Failure(StatusCode::kRuntimeSubgraphIndex, -1, 1));
}

}  // namespace
}  // namespace arenaproof::testing
