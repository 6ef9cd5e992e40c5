// A ledger is silent about an interpreter's events, and speaks when one of them is left out, doubled or changed.
#include "sanitizers/event_checks/event_stream_checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/arena/tensor_arena.h"
#include "core/runtime/interpreter/interpreter.h"
#include "core/runtime/kernel_interface/limits.h"
#include "kernels/reference/reference_kernels.h"
#include "sanitizers/event_checks/allocation_audit.h"
#include "tests/runtime/control_model_support.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

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

// Passes events on, but what a test has replaced.
class Relay final : public ArenaObserver {
 public:
  explicit Relay(ArenaObserver& next) : next_(next) {}
  std::function<void(MemoryRegion, ArenaObserver&)> head, temporary, tail;
  std::function<void(const std::byte*, std::span<const PlanEntry>, ArenaObserver&)> plan;
  std::function<void(const OperatorScope&, ArenaObserver&)> begin;
  std::function<void(ArenaObserver&)> reset, end, enter, leave;
  std::function<void(const std::byte*, ArenaObserver&)> free;

  void OnAttach(const AttachedArena& arena, MemoryRegion model) override { next_.OnAttach(arena, model); }
  void OnHeadResized(MemoryRegion region) override { head ? head(region, next_) : next_.OnHeadResized(region); }
  void OnTemporaryAllocated(MemoryRegion block) override {
    temporary ? temporary(block, next_) : next_.OnTemporaryAllocated(block);
  }
  void OnTemporaryFreed(const std::byte* address) override {
    free ? free(address, next_) : next_.OnTemporaryFreed(address);
  }
  void OnTemporariesReset() override { reset ? reset(next_) : next_.OnTemporariesReset(); }
  void OnTailAllocated(MemoryRegion block) override { tail ? tail(block, next_) : next_.OnTailAllocated(block); }
  void OnTailRewound(const std::byte* tail_begin) override { next_.OnTailRewound(tail_begin); }
  void OnPlanCommitted(const std::byte* start, std::span<const PlanEntry> buffers) override {
    plan ? plan(start, buffers, next_) : next_.OnPlanCommitted(start, buffers);
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    begin ? begin(scope, next_) : next_.OnOperatorBegins(scope);
  }
  void OnOperatorEnds() override { end ? end(next_) : next_.OnOperatorEnds(); }
  void OnRuntimeEnters() override { enter ? enter(next_) : next_.OnRuntimeEnters(); }
  void OnRuntimeLeaves() override { leave ? leave(next_) : next_.OnRuntimeLeaves(); }
  void OnDetach() override { next_.OnDetach(); }

 private:
  ArenaObserver& next_;
};

std::vector<std::string> InconsistenciesWith(const std::function<void(Relay&)>& change) {
  const std::vector<std::byte> file = ModelWithScratchAndVariable();
  ModelView model;
  EXPECT_TRUE(ModelView::Open(file, &model).ok());
  EventStreamChecker ledger;
  ledger.CompareWith(&model);
  Relay relay(ledger);
  change(relay);
  alignas(64) static std::byte arena[16384];
  Interpreter interpreter(model, ReferenceKernels(), arena, sizeof arena, {.observer = &relay});
  EXPECT_TRUE(interpreter.AllocateTensors().ok());
  AuditAllocation(model, interpreter, ledger);
  EXPECT_TRUE(interpreter.Invoke().ok());
  return ledger.inconsistencies();
}

TEST(EventStreamChecker, IsSilentAboutEventsAsTheyAre) {
  for (const std::string& what : InconsistenciesWith([](Relay&) {})) ADD_FAILURE() << what;
}

// Neither arena has to end on a multiple of 16.
TEST(EventStreamChecker, IsSilentAboutTwoArenasOfAnySize) {
  const std::vector<std::byte> file = ModelWithScratchAndVariable();
  ModelView model;
  ASSERT_TRUE(ModelView::Open(file, &model).ok());
  alignas(64) static std::byte persistent[8192], non_persistent[8192];
  for (std::size_t less = 0; less <= 16; ++less) {
    for (const bool of_persistent : {false, true}) {
      SCOPED_TRACE(std::to_string(less) + (of_persistent ? " bytes less for the tail" : " bytes less for the head"));
      EventStreamChecker ledger;
      ledger.CompareWith(&model);
      const ArenaBuffers arenas{persistent, sizeof persistent - (of_persistent ? less : 0), non_persistent,
                                sizeof non_persistent - (of_persistent ? 0 : less)};
      Interpreter interpreter(model, ReferenceKernels(), arenas, {.observer = &ledger});
      ASSERT_TRUE(interpreter.AllocateTensors().ok());
      AuditAllocation(model, interpreter, ledger);
      ASSERT_TRUE(interpreter.Invoke().ok());
      for (const std::string& what : ledger.inconsistencies()) ADD_FAILURE() << what;
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
  ModelView model;
  ASSERT_TRUE(ModelView::Open(file, &model).ok());
  const Kernel kernel{
      .op = BuiltinOperator::kRelu, .name = "many", .prepare = AskForManyScratchBuffers, .invoke = FillOutput};
  EventStreamChecker ledger;
  ledger.CompareWith(&model);
  alignas(64) static std::byte arena[32768];
  const KernelSet kernels{.name = "many", .kernels = {&kernel, 1}};
  Interpreter interpreter(model, kernels, arena, sizeof arena, {.observer = &ledger});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  EXPECT_TRUE(interpreter.Invoke().ok());
  for (const std::string& what : ledger.inconsistencies()) ADD_FAILURE() << what;
}

std::vector<std::string> InconsistenciesOfTwoSetUps(const ModelView& model, const KernelSet& kernels,
                                                    bool forgets_small_blocks) {
  EventStreamChecker ledger;
  ledger.CompareWith(&model);
  Relay relay(ledger);
  if (forgets_small_blocks) {
    relay.tail = [](MemoryRegion block, ArenaObserver& next) {
      if (block.bytes > 64) next.OnTailAllocated(block);
    };
  }
  alignas(64) static std::byte arena[16384];
  Interpreter interpreter(model, kernels, arena, sizeof arena, {.observer = &relay, .resource_variable_count = 1});
  for (int set_up = 0; set_up < 2; ++set_up) {
    EXPECT_TRUE(interpreter.AllocateTensors().ok());
    AuditAllocation(model, interpreter, ledger);
  }
  return ledger.inconsistencies();
}

// A graph without inputs and outputs has no blocks after its operators': the variable's value is the tail's lowest. It
// is one value, whoever assigns it.
TEST(EventStreamChecker, KnowsWhatResourceVariablesHoldInTheTail) {
  for (const int assignment_count : {1, 8}) {
    ControlModel built;
    built.Subgraph();
    const std::int32_t values = built.Constant({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), handle = built.Handle("sum");
    for (int i = 0; i < assignment_count; ++i) built.Apply(BuiltinOperator::kAssignVariable, {handle, values}, {});
    const ModelView& model = built.Bounds({}, {}).view();
    for (const std::string& what : InconsistenciesOfTwoSetUps(model, ReferenceKernels(), false)) ADD_FAILURE() << what;
    const std::vector<std::string> forgotten = InconsistenciesOfTwoSetUps(model, ReferenceKernels(), true);
    for (const char* words : {"its announced blocks reach down to", "belong to no announced one"}) {
      EXPECT_TRUE(std::any_of(forgotten.begin(), forgotten.end(),
                              [&](const std::string& what) { return what.find(words) != std::string::npos; }))
          << words << ", " << assignment_count << " assignments";
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
  const ModelView& model = built.Bounds({}, {}).view();
  const KernelSet kernels{.name = "lenient", .kernels = {&kernel, 1}};
  for (const std::string& what : InconsistenciesOfTwoSetUps(model, kernels, false)) ADD_FAILURE() << what;
}

TEST(EventStreamChecker, NoticesEveryEventThatIsLeftOut) {
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.head = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.temporary = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.free = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.reset = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.tail = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.plan = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.end = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.enter = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.leave = [](auto&&...) {}; }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) { r.begin = [](auto&&...) {}; }).empty());
}

TEST(EventStreamChecker, NoticesAnEventWithOtherNumbers) {
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) {
                 r.head = [](MemoryRegion region, ArenaObserver& next) {
                   next.OnHeadResized({region.data, region.bytes + 16});
                 };
               }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) {
                 r.tail = [](MemoryRegion block, ArenaObserver& next) {
                   next.OnTailAllocated({block.data, block.bytes + 16});
                 };
               }).empty());
  EXPECT_FALSE(InconsistenciesWith([](Relay& r) {
                 r.plan = [](const std::byte* start, std::span<const PlanEntry> plan, ArenaObserver& next) {
                   next.OnPlanCommitted(start, plan.first(plan.size() - 1));
                 };
               }).empty());
}

// One operand of each operator's list changed, or one more.
std::vector<std::string> WithOperands(const std::function<void(std::vector<OperandRange>&)>& change) {
  return InconsistenciesWith([&](Relay& relay) {
    relay.begin = [&](const OperatorScope& scope, ArenaObserver& next) {
      std::vector<OperandRange> operands(scope.operands.begin(), scope.operands.end());
      change(operands);
      OperatorScope changed = scope;
      changed.operands = operands;
      next.OnOperatorBegins(changed);
    };
  });
}

TEST(EventStreamChecker, NoticesAnAccessListThatIsNotTheOperatorsOwn) {
  const auto each = [](OperandKind kind, const std::function<void(OperandRange&)>& change) {
    return WithOperands([&](std::vector<OperandRange>& operands) {
      for (OperandRange& operand : operands) {
        if (operand.kind == kind) change(operand);
      }
    });
  };
  EXPECT_FALSE(each(OperandKind::kInput, [](OperandRange& o) { o.right = AccessRight::kReadWrite; }).empty());
  EXPECT_FALSE(each(OperandKind::kConstant, [](OperandRange& o) { o.right = AccessRight::kReadWrite; }).empty());
  EXPECT_FALSE(each(OperandKind::kOutput, [](OperandRange& o) { o.bytes += 1; }).empty());
  EXPECT_FALSE(each(OperandKind::kScratch, [](OperandRange& o) { o.data += 16; }).empty());
  EXPECT_FALSE(each(OperandKind::kScratch, [](OperandRange& o) { o.index += 1; }).empty());
  EXPECT_FALSE(each(OperandKind::kPersistent, [](OperandRange& o) { o.bytes += 16; }).empty());
  EXPECT_FALSE(each(OperandKind::kVariable, [](OperandRange& o) { o.data -= 16; }).empty());
  EXPECT_FALSE(each(OperandKind::kInput, [](OperandRange& o) { o.index = 0; }).empty());
  EXPECT_FALSE(WithOperands([](std::vector<OperandRange>& operands) { operands.erase(operands.begin()); }).empty());
}

TEST(EventStreamChecker, NoticesOperandsThatAreLessApartThanTheLayoutPromises) {
  const std::vector<std::byte> file = ModelWithScratchAndVariable();
  ModelView model;
  ASSERT_TRUE(ModelView::Open(file, &model).ok());
  EventStreamChecker ledger({.distance_bytes = 128});
  alignas(64) static std::byte arena[16384];
  Interpreter interpreter(model, ReferenceKernels(), arena, sizeof arena, {.observer = &ledger});
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  EXPECT_FALSE(ledger.inconsistencies().empty());  // the faithful plan
}

}  // namespace
}  // namespace arenaproof::testing
