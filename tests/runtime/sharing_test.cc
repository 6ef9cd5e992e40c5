// Which buffers share bytes is proposed by somebody and checked by the runtime: what it takes, what it refuses and why,
// and what observers get to know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/arena/silent_observer.h"
#include "core/planner/host/arena_head_planner.h"
#include "core/runtime/planning/buffer_sharing_source.h"
#include "kernels/reference/reference_kernels.h"
#include "tests/runtime/test_arena_support.h"

namespace arenaproof::testing {
namespace {

// Proposes what a test says.
class ScriptedSharing final : public BufferSharingSource {
 public:
  explicit ScriptedSharing(std::vector<BufferAlias> aliases) : aliases_(std::move(aliases)) {}
  std::span<std::uint32_t> BufferOfTensor(std::size_t count) override {
    numbers_.assign(count, kNoBuffer);
    return without_memory ? std::span<std::uint32_t>() : numbers_;
  }
  Status Find(const ModelView&, const ModelAllocation&, std::span<const PlacedBuffer> buffers,
              std::span<const std::uint32_t> buffer_of_tensor, std::span<BufferAlias>* aliases) override {
    seen_buffers.assign(buffers.begin(), buffers.end());
    seen_numbers.assign(buffer_of_tensor.begin(), buffer_of_tensor.end());
    *aliases = aliases_;
    return Ok();
  }

  bool without_memory = false;
  std::vector<PlacedBuffer> seen_buffers;
  std::vector<std::uint32_t> seen_numbers;

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<BufferAlias> aliases_;
};

BufferAlias Alias(std::uint32_t buffer, std::uint32_t source, std::uint32_t owner, std::int32_t operator_index,
                  std::int32_t input = 0) {
  BufferAlias alias;
  alias.buffer = buffer;
  alias.source = source;
  alias.owner = owner;
  alias.operator_index = operator_index;
  alias.input = input;
  return alias;
}

class SharedEvents final : public SilentObserver {
 public:
  void OnBytesShared(std::span<const BufferAlias> aliases) override {
    for (const BufferAlias& alias : aliases) shared.emplace_back(alias.buffer, alias.owner);
    EXPECT_EQ(plan_count, 0) << "before the plan";
    EXPECT_FALSE(aliases.empty()) << "not sent when none share";
  }
  void OnPlanCommitted(const std::byte*, std::span<const PlanEntry> plan) override {
    ++plan_count;
    for (const PlanEntry& entry : plan) offsets.push_back(entry.offset);
  }
  void OnOperatorBegins(const OperatorScope& scope) override {
    if (scope.phase != OperatorPhase::kInvoke) return;
    for (const OperandRange& range : scope.operands) {
      if (!IsInPlace(range.right)) continue;
      in_place.emplace_back(scope.operator_index, range.index);
      EXPECT_EQ(RightOf(range.right),
                range.kind == OperandKind::kOutput ? AccessRight::kReadWrite : AccessRight::kRead);
    }
  }

  int plan_count = 0;
  std::vector<std::pair<std::size_t, std::size_t>> shared;
  std::vector<std::size_t> offsets;
  std::vector<std::pair<int, int>> in_place;  // operator, tensor
};

SmallTensor Floats(std::int32_t count) { return {{count}, TensorType::kFloat32}; }

// x -> ABS -> 1 -> NEG -> 2 -> ABS -> 3 -> NEG -> y, of 8 floats.
SmallSubgraph FourOperators() {
  SmallSubgraph graph;
  graph.tensors.assign(5, Floats(8));
  for (std::int32_t i = 0; i < 4; ++i) {
    graph.operators.push_back({i % 2 == 0 ? BuiltinOperator::kAbs : BuiltinOperator::kNeg, {i}, {i + 1}});
  }
  graph.inputs = {0};
  graph.outputs = {4};
  return graph;
}

class Sharing : public ::testing::Test {
 protected:
  Status Allocate(const SmallSubgraph& graph, ScriptedSharing& sharing) {
    interpreter_.reset();
    events_ = {};
    model_.reset(new SmallModel(graph));
    interpreter_ = std::make_unique<Interpreter>(
        model_->view(), ReferenceKernels(), arena_.start(), arena_.bytes(),
        InterpreterOptions{.planner = &planner_, .sharing = &sharing, .observer = &events_});
    return interpreter_->AllocateTensors();
  }
  Status Allocate(const SmallSubgraph& graph, std::vector<BufferAlias> aliases) {
    ScriptedSharing sharing(std::move(aliases));
    return Allocate(graph, sharing);
  }

  ArenaHeadPlanner planner_;
  TestArena arena_{8192};
  SharedEvents events_;
  std::unique_ptr<SmallModel> model_;
  std::unique_ptr<Interpreter> interpreter_;
};

TEST_F(Sharing, AChainLiesInOnePlaceAndComputesTheSame) {
  ScriptedSharing sharing({Alias(3, 2, 1, 2), Alias(2, 1, 1, 1)});
  ASSERT_EQ(Allocate(FourOperators(), sharing), Ok());
  ASSERT_EQ(events_.offsets.size(), 5u);
  EXPECT_EQ(events_.offsets[2], events_.offsets[1]);
  EXPECT_EQ(events_.offsets[3], events_.offsets[1]);
  EXPECT_THAT(events_.shared, ::testing::ElementsAre(std::pair(2, 1), std::pair(3, 1)));
  EXPECT_EQ(interpreter_->head_bytes(), 64u);
  EXPECT_EQ(sharing.seen_buffers.front().kept, kKeptInput);
  EXPECT_EQ(sharing.seen_buffers.back().kept, kKeptOutput);
  EXPECT_THAT(sharing.seen_numbers, ::testing::ElementsAre(0, 1, 2, 3, 4));

  const float values[8] = {1.5f, -2.0f, 0.0f, -0.0f, 3.0f, -4.0f, 5.0f, -6.0f};
  for (int run = 0; run < 2; ++run) {
    std::memcpy(interpreter_->inputs()[0].data, values, sizeof values);
    ASSERT_EQ(interpreter_->Invoke(), Ok());
    float found[8];
    std::memcpy(found, interpreter_->outputs()[0].data, sizeof found);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(found[i], values[i] < 0 ? values[i] : -values[i]) << i;
  }
  // Operators 1 and 2, twice, input and output each.
  EXPECT_THAT(events_.in_place,
              ::testing::ElementsAre(std::pair(1, 1), std::pair(1, 2), std::pair(2, 2), std::pair(2, 3),
                                     std::pair(1, 1), std::pair(1, 2), std::pair(2, 2), std::pair(2, 3)));
}

// x -> a, a -> b, the larger of a and b -> c, c -> y: three tensors are alive while c is made.
TEST_F(Sharing, TakesLessMemory) {
  SmallSubgraph graph;
  graph.tensors.assign(5, Floats(8));
  graph.operators = {{BuiltinOperator::kAbs, {0}, {1}},
                     {BuiltinOperator::kNeg, {1}, {2}},
                     {BuiltinOperator::kMaximum, {1, 2}, {3}},
                     {BuiltinOperator::kNeg, {3}, {4}}};
  graph.inputs = {0};
  graph.outputs = {4};
  for (const std::int32_t input : {0, 1}) {
    ASSERT_EQ(Allocate(graph, std::vector<BufferAlias>()), Ok());
    EXPECT_EQ(interpreter_->head_bytes(), 96u);
    const auto source = static_cast<std::uint32_t>(1 + input);
    ASSERT_EQ(Allocate(graph, {Alias(3, source, source, 2, input)}), Ok());
    EXPECT_EQ(interpreter_->head_bytes(), 64u);
    const float values[8] = {1.5f, -2.0f, 0.25f, -0.5f, 3.0f, -4.0f, 5.0f, -6.0f};
    std::memcpy(interpreter_->inputs()[0].data, values, sizeof values);
    ASSERT_EQ(interpreter_->Invoke(), Ok());
    float found[8];
    std::memcpy(found, interpreter_->outputs()[0].data, sizeof found);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(found[i], values[i] < 0 ? values[i] : -values[i]) << i;
    EXPECT_THAT(events_.in_place, ::testing::ElementsAre(std::pair(2, 1 + input), std::pair(2, 3)))
        << "the one input, and not the other";
  }
}

TEST_F(Sharing, InputsAndOutputsOfTheModelAreKept) {
  EXPECT_EQ(Allocate(FourOperators(), {Alias(1, 0, 0, 0)}), Failure(StatusCode::kPlanAliasKept, 1, 0));
  EXPECT_EQ(Allocate(FourOperators(), {Alias(4, 3, 3, 3)}), Failure(StatusCode::kPlanAliasKept, 4, 3));
  EXPECT_EQ(events_.plan_count, 0);
}

TEST_F(Sharing, ATensorThatIsInputAndOutputIsKeptForBoth) {
  SmallSubgraph graph = FourOperators();
  graph.outputs = {0, 4};
  ScriptedSharing sharing({});
  ASSERT_EQ(Allocate(graph, sharing), Ok());
  EXPECT_EQ(sharing.seen_buffers[0].kept, kKeptInput | kKeptOutput);
  EXPECT_EQ(sharing.seen_buffers[1].kept, 0);
  EXPECT_EQ(sharing.seen_buffers[4].kept, kKeptOutput);
}

TEST_F(Sharing, ATensorThatIsReadLaterIsNotOverwritten) {
  SmallSubgraph graph = FourOperators();
  graph.tensors.push_back(Floats(8));
  graph.operators.push_back({BuiltinOperator::kAbs, {1}, {5}});
  graph.outputs = {4, 5};
  EXPECT_EQ(Allocate(graph, {Alias(2, 1, 1, 1)}), Failure(StatusCode::kPlanAliasStillRead, 2, 1));
}

// What the operator does not allow is seen whatever lifetimes say.
TEST_F(Sharing, AnOperatorHasToAllowIt) {
  const auto refused = [](std::uint32_t buffer, std::uint32_t source, std::int64_t op) {
    return Failure(StatusCode::kPlanAliasOperator, buffer, source, 0, op);
  };
  EXPECT_EQ(Allocate(FourOperators(), {Alias(2, 1, 1, 2)}), refused(2, 1, 2)) << "another operator";
  EXPECT_EQ(Allocate(FourOperators(), {Alias(2, 1, 1, 9)}), refused(2, 1, 9)) << "no operator";
  EXPECT_EQ(Allocate(FourOperators(), {Alias(2, 1, 1, -1)}), refused(2, 1, -1));
  EXPECT_EQ(Allocate(FourOperators(), {Alias(2, 1, 1, 1, 1)}), refused(2, 1, 1)) << "another input";
  BufferAlias unmodified = Alias(2, 1, 1, 1);
  unmodified.modifies = false;
  EXPECT_EQ(Allocate(FourOperators(), {unmodified}), refused(2, 1, 1)) << "NEG writes other data";
  BufferAlias elsewhere = Alias(2, 1, 1, 1);
  elsewhere.subgraph = 1;
  EXPECT_EQ(Allocate(FourOperators(), {elsewhere}), Failure(StatusCode::kPlanAliasOperator, 2, 1, 1, 1));

  SmallSubgraph graph = FourOperators();
  graph.operators[1].code = BuiltinOperator::kZerosLike;
  EXPECT_EQ(Allocate(graph, {Alias(2, 1, 1, 1)}), refused(2, 1, 1)) << "a kernel that shares nothing";
}

TEST_F(Sharing, SmallTensorsAreNotModifiedInPlace) {
  SmallSubgraph graph = FourOperators();
  for (SmallTensor& tensor : graph.tensors) tensor = Floats(1);
  EXPECT_EQ(Allocate(graph, {Alias(2, 1, 1, 1)}).code, StatusCode::kPlanAliasOperator);
  for (SmallTensor& tensor : graph.tensors) tensor = Floats(2);
  EXPECT_EQ(Allocate(graph, {Alias(2, 1, 1, 1)}), Ok());
}

TEST_F(Sharing, ARefusalLeavesTheAllocatorReadyForAnother) {
  ScriptedSharing poor({});
  poor.without_memory = true;
  EXPECT_EQ(Allocate(FourOperators(), poor), Failure(StatusCode::kHostPlannerMemory, 5));
  EXPECT_EQ(interpreter_->head_bytes(), 0u);
  poor.without_memory = false;
  ASSERT_EQ(interpreter_->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter_->Invoke(), Ok());
}

}  // namespace
}  // namespace arenaproof::testing
