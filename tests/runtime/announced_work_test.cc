// What the runtime announces of its own work: exactly the bytes that it touches, before it touches the first of them
// and until it has touched the last. Instruments see no more of it than that.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "control_run_support.h"
#include "core/planner/greedy_planner.h"
#include "core/runtime/interpreter/tensor_copy.h"
#include "kernels/reference/reference_kernels.h"
#include "work_log_support.h"

namespace arenaproof::testing {
namespace {

using enum BuiltinOperator;
using ::testing::ElementsAre;

bool HoldsOnly(const std::vector<std::byte>& bytes, int value) {
  return std::ranges::all_of(bytes, [value](std::byte byte) { return byte == static_cast<std::byte>(value); });
}

TEST(AnnouncedWork, OfRecordsIsEachBlockAsSoonAsItIsHandedOut) {
  const MockScope mock;
  Mock().init = [](PrepareContext& context) -> Status {
    std::byte* block = nullptr;
    return context.services->AllocatePersistent(5, &block);
  };
  Mock().prepare = [](PrepareContext& context) { return context.services->RequestScratch(8); };
  const SmallModel model(Chain(2, 16));
  const TestArena arena(8192);
  std::fill_n(arena.start(), arena.bytes(), std::byte{0x77});
  WorkLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  std::vector<std::size_t> sizes;
  for (const AnnouncedWork& work : log.Of(RuntimeWork::kRecords)) {
    ASSERT_EQ(work.operands.size(), 1U);
    const OperandRange& records = work.operands[0];
    EXPECT_EQ(records.data, work.newest_tail_block.data);
    EXPECT_EQ(records.bytes, work.newest_tail_block.bytes);
    EXPECT_EQ(records.kind, OperandKind::kRecord);
    EXPECT_EQ(records.right, AccessRight::kReadWrite);
    EXPECT_EQ(records.index, 0);
    EXPECT_EQ(work.subgraph, -1);
    EXPECT_TRUE(HoldsOnly(work.before[0], 0x77)) << "nothing was written before " << sizes.size();
    EXPECT_FALSE(std::ranges::count(work.after[0], std::byte{0x77}) > 0) << "everything is written " << sizes.size();
    sizes.push_back(records.bytes);
  }
  EXPECT_THAT(sizes, ElementsAre(sizeof(SubgraphAllocation), 3 * sizeof(EvalTensor), 2 * sizeof(OperatorRecord),
                                 sizeof(PersistentBlock), sizeof(PersistentBlock), 2 * sizeof(std::byte*),
                                 2 * sizeof(std::size_t), sizeof(Operand), sizeof(Operand)));
}

// Plans like the greedy planner, and notes whether it is asked while its work is announced.
class AskedPlanner final : public MemoryPlanner {
 public:
  explicit AskedPlanner(const WorkLog& log) : log_(log) {}
  Status Init(std::span<std::byte> workspace) override {
    workspace_ = workspace;
    Note();
    return greedy_.Init(workspace);
  }
  std::size_t WorkspaceBytes(std::size_t count) const override { return greedy_.WorkspaceBytes(count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offset) override {
    Note();
    return greedy_.AddBuffer(bytes, first, last, offset);
  }
  std::size_t BufferCount() const override { return greedy_.BufferCount(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    Note();
    return fails ? Failure(StatusCode::kPlannerOverflow) : greedy_.MaximumBytes(maximum_bytes);
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    Note();
    return greedy_.OffsetOf(index, offset);
  }
  const char* name() const override { return "asked"; }
  bool supports_offline() const override { return true; }
  bool preserves_all_tensors() const override { return false; }
  std::span<const std::byte> object_bytes() const override { return std::as_bytes(std::span(this, 1)); }

  bool fails = false;
  int asked_inside = 0, asked_outside = 0;
  std::span<std::byte> workspace_;

 private:
  void Note() { ++(log_.open ? asked_inside : asked_outside); }

  const WorkLog& log_;
  GreedyPlanner greedy_;
};

TEST(AnnouncedWork, OfPlanningIsWorkspaceBuffersAndPlanner) {
  const MockScope mock;
  const SmallModel model(Chain(2, 33));
  const TestArena arena(8192);
  for (const bool fails : {false, true}) {
    WorkLog log;
    AskedPlanner planner(log);
    planner.fails = fails;
    const auto interpreter = MakeInterpreter(model, arena, {.planner = &planner, .observer = &log});
    EXPECT_EQ(interpreter->AllocateTensors().ok(), !fails);
    const std::vector<AnnouncedWork> plannings = log.Of(RuntimeWork::kPlanning);
    ASSERT_EQ(plannings.size(), 1U);
    const std::vector<OperandRange>& operands = plannings[0].operands;
    ASSERT_EQ(operands.size(), 3U);
    EXPECT_EQ(operands[0].kind, OperandKind::kWorkspace);
    EXPECT_EQ(planner.workspace_.data(), operands[0].data);
    EXPECT_EQ(planner.workspace_.size(), operands[0].bytes);
    EXPECT_EQ(operands[1].kind, OperandKind::kRecord);
    EXPECT_EQ(operands[1].index, 0);
    EXPECT_EQ(operands[1].bytes, 3 * sizeof(PlacedBuffer));
    EXPECT_EQ(operands[1].data + operands[1].bytes, operands[0].data) << "the buffers lie in front of the workspace";
    EXPECT_EQ(operands[2].kind, OperandKind::kRecord);
    EXPECT_EQ(operands[2].index, 1);
    EXPECT_EQ(operands[2].data, planner.object_bytes().data());
    EXPECT_EQ(operands[2].bytes, sizeof planner);
    for (const OperandRange& operand : operands) EXPECT_EQ(operand.right, AccessRight::kReadWrite);
    EXPECT_EQ(planner.asked_outside, 0);
    EXPECT_GT(planner.asked_inside, 3);
    EXPECT_FALSE(log.open);
    EXPECT_EQ(std::ranges::count(log.lines, "plan 3"), fails ? 0 : 1);
  }
}

TEST(AnnouncedWork, OfACopyIsEachSourceAndItsDestination) {
  std::array<std::byte, 64> memory;
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i);
  const TensorMove moves[] = {{&memory[32], &memory[0], 8}, {&memory[0], &memory[48], 5}};
  WorkLog log;
  ASSERT_EQ(CopyTogether(moves, &log), Ok());
  ASSERT_EQ(log.works.size(), 1U);
  const AnnouncedWork& work = log.works[0];
  EXPECT_EQ(work.work, RuntimeWork::kTensorCopy);
  EXPECT_EQ(work.subgraph, -1);
  ASSERT_EQ(work.operands.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const TensorMove& move = moves[i / 2];
    const OperandRange& operand = work.operands[i];
    const bool source = i % 2 == 0;
    EXPECT_EQ(operand.data, source ? move.from : move.to) << i;
    EXPECT_EQ(operand.bytes, move.bytes) << i;
    EXPECT_EQ(operand.kind, source ? OperandKind::kSource : OperandKind::kDestination) << i;
    EXPECT_EQ(operand.right, source ? AccessRight::kRead : AccessRight::kWrite) << i;
    EXPECT_EQ(operand.index, static_cast<std::int32_t>(i / 2)) << i;
    if (!source) EXPECT_EQ(work.after[i], work.before[i - 1]) << "copied while it was announced";
    if (!source) EXPECT_NE(work.before[i], work.after[i]) << "and not before";
  }
  EXPECT_THAT(log.lines, ElementsAre("work 2", "work ends"));
  // All that an operator may have, and a refusal, whose work ends too.
  std::vector<TensorMove> many(kMaxOperandsPerOperator, {&memory[0], &memory[0], 4});
  EXPECT_EQ(CopyTogether(many, &log), Ok());
  EXPECT_EQ(log.works.back().operands.size(), 2 * kMaxOperandsPerOperator);
  const TensorMove circle[] = {{&memory[0], &memory[8], 8}, {&memory[8], &memory[0], 8}};
  EXPECT_EQ(CopyTogether(circle, &log).code, StatusCode::kSubgraphCopyOverlap);
  EXPECT_FALSE(log.open);
  EXPECT_EQ(CopyTogether(circle, nullptr).code, StatusCode::kSubgraphCopyOverlap);
}

TEST(AnnouncedWork, OfAFirstValueIsEachVariableAlone) {
  const MockScope mock;
  SmallSubgraph graph = Chain(1, 16);
  graph.tensors.push_back({.shape = {8}, .variable = true, .scales = {0.5f}, .zero_points = {-7}});
  graph.tensors.push_back({.shape = {2}, .type = TensorType::kFloat32, .variable = true});
  graph.tensors.push_back({.shape = {0}, .variable = true});
  graph.operators[0].inputs = {0, 2, 3, 4};
  const SmallModel model(graph, {}, /*subgraph_count=*/2);
  const TestArena arena(8192);
  WorkLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(log.Of(RuntimeWork::kVariableFill).size(), 4U) << "one without bytes is not filled";
  for (const bool all : {true, false}) {
    log.works.clear();
    for (std::int32_t subgraph = 0; subgraph < 2; ++subgraph) {
      for (std::int32_t variable = 2; variable < 4; ++variable) {
        std::span<std::byte> bytes;
        ASSERT_TRUE(interpreter->TensorBytes(variable, &bytes, subgraph).ok());
        std::ranges::fill(bytes, std::byte{0x55});
      }
    }
    ASSERT_TRUE((all ? interpreter->Reset() : interpreter->ResetVariable(2, 1)).ok());
    ASSERT_EQ(log.works.size(), all ? 4U : 1U);
    for (std::size_t i = 0; i < log.works.size(); ++i) {
      const AnnouncedWork& work = log.works[i];
      const std::int32_t subgraph = all ? static_cast<std::int32_t>(i / 2) : 1;
      const std::int32_t variable = all ? static_cast<std::int32_t>(i % 2) + 2 : 2;
      std::span<std::byte> bytes;
      ASSERT_TRUE(interpreter->TensorBytes(variable, &bytes, subgraph).ok());
      EXPECT_EQ(work.work, RuntimeWork::kVariableFill);
      EXPECT_EQ(work.subgraph, subgraph);
      ASSERT_EQ(work.operands.size(), 1U);
      EXPECT_EQ(work.operands[0].data, bytes.data());
      EXPECT_EQ(work.operands[0].bytes, bytes.size());
      EXPECT_EQ(work.operands[0].kind, OperandKind::kVariable);
      EXPECT_EQ(work.operands[0].right, AccessRight::kWrite);
      EXPECT_EQ(work.operands[0].index, variable);
      EXPECT_TRUE(HoldsOnly(work.before[0], 0x55));
      EXPECT_TRUE(HoldsOnly(work.after[0], variable == 2 ? -7 : 0));
    }
  }
}

// Two of them, read and assigned in the other order than they are in the table.
TEST(AnnouncedWork, OfResourceVariablesIsTheValueOfOne) {
  ControlModel model;
  model.Subgraph();
  const auto x = model.Value(2), wide = model.Value(3), read = model.Value(3);
  const auto first = model.Handle("first"), second = model.Handle("second");
  model.Apply(kAssignVariable, {second, wide}, {})
      .Apply(kAssignVariable, {first, x}, {})
      .Apply(kReadVariable, {second}, {read})
      .Bounds({x, wide}, {read});
  WorkLog log;
  ControlRun run(model, ReferenceKernels(), {.observer = &log, .resource_variable_count = 3}, 16384);
  ASSERT_TRUE(run.interpreter->AllocateTensors().ok());
  run.SetInput(0, {1, 2});
  run.SetInput(1, {3, 4, 5});
  log.works.clear();
  ASSERT_TRUE(run.interpreter->Invoke().ok());
  const std::vector<AnnouncedWork> copies = log.works;
  ASSERT_EQ(copies.size(), 3U);
  log.works.clear();
  ASSERT_TRUE(run.interpreter->Reset().ok());
  ASSERT_EQ(log.works.size(), 2U);
  const std::byte* values[2] = {};
  for (std::int32_t id = 0; id < 2; ++id) {
    const AnnouncedWork& fill = log.works[static_cast<std::size_t>(id)];
    EXPECT_EQ(fill.work, RuntimeWork::kVariableFill);
    EXPECT_EQ(fill.subgraph, -1);
    ASSERT_EQ(fill.operands.size(), 1U);
    EXPECT_EQ(fill.operands[0].index, id);
    EXPECT_EQ(fill.operands[0].bytes, id == 0 ? 8U : 12U);
    EXPECT_EQ(fill.operands[0].kind, OperandKind::kDestination);
    EXPECT_EQ(fill.operands[0].right, AccessRight::kWrite);
    EXPECT_FALSE(HoldsOnly(fill.before[0], 0));
    EXPECT_TRUE(HoldsOnly(fill.after[0], 0));
    values[id] = fill.operands[0].data;
  }
  const std::pair<const std::byte*, const std::byte*> expected[] = {{run.interpreter->inputs()[1].data, values[1]},
                                                                    {run.interpreter->inputs()[0].data, values[0]},
                                                                    {values[1], run.interpreter->outputs()[0].data}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(copies[i].work, RuntimeWork::kTensorCopy);
    ASSERT_EQ(copies[i].operands.size(), 2U);
    EXPECT_EQ(copies[i].operands[0].data, expected[i].first) << i;
    EXPECT_EQ(copies[i].operands[1].data, expected[i].second) << i;
    EXPECT_EQ(copies[i].operands[1].bytes, i == 1 ? 8U : 12U);
    EXPECT_EQ(copies[i].after[1], copies[i].before[0]);
  }
}

// Whatever an operator asks for is done between two events, granted or refused; what is asked when none runs is not.
TEST(AnnouncedWork, OfEachServiceIsInABracket) {
  const MockScope mock;
  const SmallModel model(Chain(1, 16));
  const TestArena arena(4096);
  WorkLog log;
  const auto interpreter = MakeInterpreter(model, arena, {.observer = &log});
  RuntimeServices* kept = nullptr;
  const auto expect_bracketed = [&](const char* what, auto ask) {
    log.lines.clear();
    static_cast<void>(ask());
    std::vector<std::string> lines = log.lines;
    std::erase_if(lines, [](const std::string& line) { return line != "enter" && line != "leave"; });
    EXPECT_THAT(lines, ElementsAre("enter", "leave")) << what;
  };
  const auto ask_runtime = [&](RuntimeServices& runtime) {
    SubgraphCounts counts;
    Operand operand;
    std::int32_t id = 0;
    std::byte byte{};
    expect_bracketed("DescribeSubgraph", [&] { return runtime.DescribeSubgraph(0, &counts); });
    expect_bracketed("DescribeOperand", [&] { return runtime.DescribeOperand(0, 0, &operand); });
    expect_bracketed("CopyTensors", [&] { return runtime.CopyTensors({}, {}); });
    expect_bracketed("InvokeSubgraph", [&] { return runtime.InvokeSubgraph(0); });
    expect_bracketed("ReadOutput", [&] { return runtime.ReadOutput(0, 0, {&byte, 1}); });
    expect_bracketed("FindResource", [&] { return runtime.FindResource("", "", &id); });
    expect_bracketed("PlaceOutput", [&] { return runtime.PlaceOutput(0, &byte); });
    expect_bracketed("SizeResource", [&] { return runtime.SizeResource(0, 4, 0); });
    expect_bracketed("ReadResource", [&] { return runtime.ReadResource(0, 0); });
    expect_bracketed("AssignResource", [&] { return runtime.AssignResource(0, 0); });
    expect_bracketed("SetExternalContext", [&] { return runtime.SetExternalContext(&counts); });
  };
  Mock().prepare = [&](PrepareContext& context) {
    ask_runtime(*context.runtime);
    std::byte* block = nullptr;
    expect_bracketed("AllocatePersistent", [&] { return context.services->AllocatePersistent(8, &block); });
    expect_bracketed("AllocateTemporary", [&] { return context.services->AllocateTemporary(SIZE_MAX, 1, &block); });
    expect_bracketed("FreeTemporary", [&] { return context.services->FreeTemporary(nullptr); });
    expect_bracketed("RequestScratch", [&] { return context.services->RequestScratch(8); });
    return Ok();
  };
  Mock().invoke = [&](const InvokeContext& context) {
    ask_runtime(*context.runtime);
    kept = context.runtime;
    return Ok();
  };
  ASSERT_TRUE(interpreter->Invoke().ok());
  log.lines.clear();
  EXPECT_EQ(kept->SetExternalContext(&log).code, StatusCode::kRuntimeState);
  EXPECT_EQ(kept->InvokeSubgraph(0).code, StatusCode::kRuntimeState);
  EXPECT_THAT(log.lines, ::testing::IsEmpty());
}

}  // namespace
}  // namespace arenaproof::testing
