// The event stream checker finds nothing wrong in what interpreters report, and what its self-tests leave out, repeat
// or change it finds.
#include "sanitizers/event_checks/event_stream_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/kernel_interface/limits.h"
#include "engine/cases/validated.h"
#include "engine/harness/self_test/access_list_self_test.h"
#include "kernels/reference/reference_kernels.h"
#include "sanitizers/event_checks/allocation_audit.h"
#include "sanitizers/event_checks/event_relay.h"
#include "sanitizers/self_test/event_stream_self_test.h"
#include "tests/runtime/control_model_support.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// MEAN of int8 (scratch) twice, then ADD of a variable.
std::vector<std::byte> ModelWithScratchAndVariable() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  const auto tensor = [&](std::vector<std::int32_t> shape, bool variable = false) {
    return graph.AddTensor({.type = TensorType::kInt8,
                            .shape = std::move(shape),
                            .quantization = Scale(0.5f, 3),
                            .is_variable = variable});
  };
  const std::int32_t input = tensor({1, 4, 6, 5}), middle = tensor({1, 6, 5}), mean = tensor({6, 5});
  const std::int32_t state = tensor({5}, true), sum = tensor({6, 5});
  const std::int32_t axes = graph.AddTensor({.type = TensorType::kInt32,
                                             .shape = std::vector<std::int32_t>{1},
                                             .buffer = builder.AddBufferOf(std::vector<std::int32_t>{1})});
  const std::int32_t first = graph.AddTensor({.type = TensorType::kInt32,
                                              .shape = std::vector<std::int32_t>{1},
                                              .buffer = builder.AddBufferOf(std::vector<std::int32_t>{0})});
  const std::uint32_t code = builder.AddCode(BuiltinOperator::kMean);
  graph.AddOperator({.code = code, .inputs = {input, axes}, .outputs = {middle}, .options = ReducerOptions{}});
  graph.AddOperator({.code = code, .inputs = {middle, first}, .outputs = {mean}, .options = ReducerOptions{}});
  graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kAdd),
                     .inputs = {mean, state},
                     .outputs = {sum},
                     .options = AddOptions{}});
  graph.inputs = {input};
  graph.outputs = {sum};
  return builder.Finish();
}

TEST(EventStreamChecker, PassesItsSelfTest) { EXPECT_THAT(RunEventStreamSelfTest(), IsEmpty()); }

TEST(EventStreamChecker, PassesItsSelfTestOfAccessLists) { EXPECT_THAT(RunAccessListSelfTest(), IsEmpty()); }

TEST(EventStreamChecker, IsSilentAboutEventsAsTheyAre) {
  const std::vector<std::byte> file = ModelWithScratchAndVariable();
  const ValidatedModel model = Validated(file);
  EventStreamChecker checker;
  checker.CompareWith(&model);
  alignas(64) static std::byte arena[16384];
  Interpreter interpreter(model, ReferenceKernels(), arena, sizeof arena, {.observer = &checker});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  AuditAllocation(model, interpreter, checker);
  ASSERT_TRUE(interpreter.Invoke().ok());
  EXPECT_THAT(checker.inconsistencies(), IsEmpty());
}

// Neither arena has to end on a multiple of 16.
TEST(EventStreamChecker, IsSilentAboutTwoArenasOfAnySize) {
  const std::vector<std::byte> file = ModelWithScratchAndVariable();
  const ValidatedModel model = Validated(file);
  alignas(64) static std::byte persistent[8192], non_persistent[8192];
  for (std::size_t less = 0; less <= 16; ++less) {
    for (const bool of_persistent : {false, true}) {
      SCOPED_TRACE(std::to_string(less) + (of_persistent ? " bytes less for the tail" : " bytes less for the head"));
      EventStreamChecker checker;
      checker.CompareWith(&model);
      const ArenaBuffers arenas{persistent, sizeof persistent - (of_persistent ? less : 0), non_persistent,
                                sizeof non_persistent - (of_persistent ? 0 : less)};
      Interpreter interpreter(model, ReferenceKernels(), arenas, {.observer = &checker});
      ASSERT_TRUE(interpreter.AllocateTensors().ok());
      AuditAllocation(model, interpreter, checker);
      ASSERT_TRUE(interpreter.Invoke().ok());
      EXPECT_THAT(checker.inconsistencies(), IsEmpty());
    }
  }
}

// One of them has no bytes: it has a place in the list of addresses, and none in the access list.
Status AskForManyScratchBuffers(PrepareContext& context) {
  for (std::size_t i = 0; i <= kScratchOutsideArena; ++i)
    ARENAPROOF_RETURN_IF_ERROR(context.services->RequestScratch(i == 3 ? 0 : 8));
  return Ok();
}
Status FillOutput(const InvokeContext& context) {
  std::fill_n(context.outputs[0].data, context.outputs[0].bytes, std::byte{1});
  return Ok();
}

// Their addresses are each operator's stretch of one list of the runtime's.
TEST(EventStreamChecker, IsSilentAboutTwoOperatorsWithMoreScratchBuffersThanAFrameHolds) {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  for (int i = 0; i < 3; ++i) graph.AddTensor({.shape = {{4}}});
  for (std::int32_t i = 0; i < 2; ++i) {
    graph.AddOperator({.code = builder.AddCode(BuiltinOperator::kRelu), .inputs = {i}, .outputs = {i + 1}});
  }
  graph.inputs = {0};
  graph.outputs = {2};
  const std::vector<std::byte> file = builder.Finish();
  const ValidatedModel model = Validated(file);
  const Kernel kernel{
      .op = BuiltinOperator::kRelu, .name = "many", .prepare = AskForManyScratchBuffers, .invoke = FillOutput};
  EventStreamChecker checker;
  checker.CompareWith(&model);
  alignas(64) static std::byte arena[32768];
  const KernelSet kernels{.name = "many", .kernels = {&kernel, 1}};
  Interpreter interpreter(model, kernels, arena, sizeof arena, {.observer = &checker});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  EXPECT_TRUE(interpreter.Invoke().ok());
  EXPECT_THAT(checker.inconsistencies(), IsEmpty());
}

class SmallBlockForgetter final : public EventRelay {
 public:
  using EventRelay::EventRelay;
  void OnTailAllocated(MemoryRegion block) override {
    if (block.bytes > 64) EventRelay::OnTailAllocated(block);
  }
};

std::vector<std::string> InconsistenciesOfTwoSetUps(const ValidatedModel& model, const KernelSet& kernels,
                                                    bool forgets_small_blocks) {
  EventStreamChecker checker;
  checker.CompareWith(&model);
  SmallBlockForgetter forgetter(&checker);
  alignas(64) static std::byte arena[16384];
  Interpreter interpreter(model, kernels, arena, sizeof arena,
                          {.observer = forgets_small_blocks ? static_cast<ArenaObserver*>(&forgetter) : &checker,
                           .resource_variable_count = 1});
  for (int set_up = 0; set_up < 2; ++set_up) {
    EXPECT_TRUE(interpreter.AllocateTensors().ok());
    AuditAllocation(model, interpreter, checker);
  }
  return checker.inconsistencies();
}

// A graph without inputs and outputs has no blocks after its operators': the variable's value is the tail's lowest. It
// is one value, whoever assigns it.
TEST(EventStreamChecker, KnowsWhatResourceVariablesHoldInTheTail) {
  for (const int assignment_count : {1, 8}) {
    ControlModel built;
    built.Subgraph();
    const std::int32_t values = built.Constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), handle = built.Handle("sum");
    for (int i = 0; i < assignment_count; ++i) built.Apply(BuiltinOperator::kAssignVariable, {handle, values}, {});
    const ValidatedModel& model = built.Bounds({}, {}).view();
    EXPECT_THAT(InconsistenciesOfTwoSetUps(model, ReferenceKernels(), false), IsEmpty());
    const std::vector<std::string> forgotten = InconsistenciesOfTwoSetUps(model, ReferenceKernels(), true);
    for (const char* words : {"its announced blocks reach down to", "belong to no announced one"}) {
      EXPECT_THAT(forgotten, Contains(HasSubstr(words))) << assignment_count << " assignments";
    }
  }
}

// Any kernel may hold one, of any size, and take assignments of no value.
TEST(EventStreamChecker, KnowsWhatResourceVariablesOfKernelsThatSomebodyBringsAlongHold) {
  ControlModel built;
  built.Subgraph();
  const std::int32_t handle = built.Value(1);
  built.Apply(BuiltinOperator::kAssignVariable, {handle}, {}).Apply(BuiltinOperator::kAssignVariable, {handle, -1}, {});
  const Kernel kernel{.op = BuiltinOperator::kAssignVariable,
                      .name = "lenient",
                      .prepare =
                          [](PrepareContext& context) {
                            std::int32_t id = 0;
                            ARENAPROOF_RETURN_IF_ERROR(context.runtime->FindResource("own", "own", &id));
                            return context.runtime->SizeResource(id, 256, 0);
                          },
                      .invoke = [](const InvokeContext&) { return Ok(); }};
  const ValidatedModel& model = built.Bounds({}, {}).view();
  const KernelSet kernels{.name = "lenient", .kernels = {&kernel, 1}};
  EXPECT_THAT(InconsistenciesOfTwoSetUps(model, kernels, false), IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
