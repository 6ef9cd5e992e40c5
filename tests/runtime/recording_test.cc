// The recording allocator: categories, counts and the log, with the sizes of our own structures.
#include "core/runtime/storage/recording.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"
#include "tools/memory/memory_record_text.h"

namespace arenaproof::testing {
namespace {

// Three operators, ten tensors, three variables, two of them inputs or outputs: the description of the reference's
// example. All but the variables are quantised.
SmallSubgraph ThreeOperators() {
  SmallSubgraph graph;
  for (int i = 0; i < 10; ++i) {
    const bool variable = i == 1 || i == 4 || i == 7;
    const bool weight = i == 2 || i == 5 || i == 8;
    SmallTensor tensor{.shape = {1}, .type = weight ? TensorType::kInt8 : TensorType::kInt32, .variable = variable};
    if (weight) tensor.data = {21};
    if (!variable) {
      tensor.scales = {0.5f};
      tensor.zero_points = {3};
    }
    graph.tensors.push_back(tensor);
  }
  for (std::int32_t i = 0; i < 9; i += 3) {
    graph.operators.push_back({BuiltinOperator::kConcatenation, {i, i + 1, i + 2}, {i + 3}});
  }
  graph.inputs = {0};
  graph.outputs = {9};
  return graph;
}

struct Recording : ::testing::Test {
  Recording() {
    Mock().init = [](PrepareContext& context) -> Status {
      std::byte* block = nullptr;
      return context.services->AllocatePersistent(5, &block);
    };
  }
  RecordedMemory Of(const Interpreter& interpreter, MemoryCategory category) const {
    return interpreter.allocator()->record()->of(category);
  }
  std::size_t Sum(const Interpreter& interpreter) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
      sum += Of(interpreter, static_cast<MemoryCategory>(i)).used_bytes;
    }
    return sum;
  }

  const MockScope mock;
  const SmallModel model{ThreeOperators()};
  const TestArena arena{8192};
};

TEST_F(Recording, L15CountsEveryCategory) {
  const auto interpreter = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kEvalTensors),
            (RecordedMemory{10 * sizeof(EvalTensor), 10 * sizeof(EvalTensor), 10}));
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kOperators).count, 3u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kOperators).requested_bytes, 3 * sizeof(OperatorRecord));
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentTensors).count, 2u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentTensors).requested_bytes, 2 * sizeof(Operand));
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kVariables).count, 3u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kVariables).requested_bytes, 12u);
  EXPECT_GE(Of(*interpreter, MemoryCategory::kVariables).used_bytes, 3 * 16u - 15);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentBuffers).count, 3u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentBuffers).requested_bytes, 15u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentTensorQuantization), RecordedMemory())
      << "the reference copies quantisation of input and output into the tail, here it is read in the file";
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kOperatorData), RecordedMemory());
  EXPECT_LE(Sum(*interpreter), interpreter->tail_bytes());
  EXPECT_EQ(interpreter->allocator()->arena().counters()->used_bytes, interpreter->arena_used_bytes());
}

TEST_F(Recording, ASecondAllocationDoublesTheCounts) {
  const auto interpreter = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kEvalTensors).count, 20u);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kEvalTensors).requested_bytes, 20 * sizeof(EvalTensor));
  EXPECT_LE(Sum(*interpreter), interpreter->tail_bytes());
}

TEST_F(Recording, AFailedAllocationIsTakenBack) {
  const auto interpreter = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const std::string before = MemoryRecordText(*interpreter->allocator());
  const ArenaCounters counters = *interpreter->allocator()->arena().counters();
  Mock().prepare = [](PrepareContext&) { return Failure(StatusCode::kKernelRank, 0, 1, 2, 3); };
  EXPECT_FALSE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(MemoryRecordText(*interpreter->allocator()), before);
  EXPECT_EQ(interpreter->allocator()->arena().counters()->requested_tail_bytes, counters.requested_tail_bytes);
  EXPECT_EQ(interpreter->allocator()->arena().counters()->allocation_count, counters.allocation_count);
}

// One operator of so many inputs that the structs of the graph's tensors do not fit where its planning did.
SmallSubgraph ManyGraphInputs() {
  SmallSubgraph graph;
  for (std::int32_t i = 0; i < 60; ++i) {
    graph.tensors.push_back({.shape = {1}});
    graph.inputs.push_back(i);
  }
  graph.tensors.push_back({.shape = {1}});
  graph.operators.push_back({BuiltinOperator::kConcatenation, graph.inputs, {60}});
  graph.outputs = {60};
  return graph;
}

// Wherever a set-up fails: when it starts, in an operator, in the planning or behind it.
TEST_F(Recording, AnAllocationThatFailsAnywhereIsTakenBack) {
  const SmallModel many_inputs(ManyGraphInputs());
  const TestArena room(32768);
  std::size_t refused_count = 0, planned_count = 0;
  for (const SmallModel* const subject : {&model, &many_inputs}) {
    bool allocated = false;
    for (std::size_t bytes = 0; !allocated; bytes += subject == &model ? 1 : 32) {
      ASSERT_LT(bytes, room.bytes());
      EventLog log;
      Interpreter interpreter(subject->view(), MockKernels(), room.start(), bytes,
                              {.observer = &log, .record_memory = true});
      if (interpreter.allocator() == nullptr) continue;
      const ArenaCounters before = *interpreter.allocator()->arena().counters();
      allocated = interpreter.AllocateTensors().ok();
      if (allocated) continue;
      ++refused_count;
      planned_count += log.plan.empty() ? 0 : 1;
      for (std::size_t i = 0; i < kMemoryCategoryCount; ++i) {
        EXPECT_EQ(Of(interpreter, static_cast<MemoryCategory>(i)), RecordedMemory()) << i << ", arena of " << bytes;
      }
      const ArenaCounters& after = *interpreter.allocator()->arena().counters();
      EXPECT_EQ(after.used_bytes, before.used_bytes) << bytes;
      EXPECT_EQ(after.requested_tail_bytes, before.requested_tail_bytes) << bytes;
    }
  }
  EXPECT_GT(refused_count, 500U);
  EXPECT_GT(planned_count, 10U) << "behind the planning";
}

TEST_F(Recording, CountsWhatResourceVariablesHoldAsPersistentBuffers) {
  Mock().init = nullptr;
  Mock().prepare = [](PrepareContext& context) -> Status {
    std::int32_t id = 0;
    ARENAPROOF_RETURN_IF_ERROR(context.runtime->FindResource("own", "own", &id));
    return context.runtime->SizeResource(id, 24, 0);  // of three operators, one value
  };
  const auto interpreter = MakeInterpreter(model, arena, {.resource_variable_count = 1, .record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentBuffers).requested_bytes, 24U);
  EXPECT_EQ(Of(*interpreter, MemoryCategory::kPersistentBuffers).count, 1U);
}

TEST_F(Recording, TheSameModelIsPlannedTheSameAndPaysOnlyForTheRecord) {
  const TestArena other(8192);
  const auto plain = MakeInterpreter(model, other);
  const auto recorded = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(plain->AllocateTensors().ok());
  ASSERT_TRUE(recorded->AllocateTensors().ok());
  EXPECT_EQ(plain->head_bytes(), recorded->head_bytes());
  // Less than 16 bytes more or less, by where the 16-aligned blocks come to lie.
  const auto paid_bytes = static_cast<std::ptrdiff_t>(recorded->tail_bytes() - plain->tail_bytes());
  EXPECT_LT(std::abs(paid_bytes - static_cast<std::ptrdiff_t>(sizeof(ArenaCounters) + sizeof(MemoryRecord))), 16);
  EXPECT_EQ(plain->allocator()->record(), nullptr);
  EXPECT_EQ(MemoryRecordText(*plain->allocator()), "");
}

TEST_F(Recording, TheLogHasTheReferencesWords) {
  const auto interpreter = MakeInterpreter(model, arena, {.record_memory = true});
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const auto number = [](std::size_t value) { return std::to_string(value); };
  const auto line = [&](MemoryCategory category, const std::string& name, const std::string& word) {
    const RecordedMemory memory = Of(*interpreter, category);
    return "[RecordingMicroAllocator] '" + name + "' used " + number(memory.used_bytes) +
           " bytes with alignment overhead (requested " + number(memory.requested_bytes) + " bytes for " +
           number(memory.count) + " " + word + ")\n";
  };
  EXPECT_EQ(MemoryRecordText(*interpreter->allocator()),
            "[RecordingMicroAllocator] Arena allocation total " + number(interpreter->arena_used_bytes()) + " bytes\n" +
                "[RecordingMicroAllocator] Arena allocation head " + number(interpreter->head_bytes()) + " bytes\n" +
                "[RecordingMicroAllocator] Arena allocation tail " + number(interpreter->tail_bytes()) + " bytes\n" +
                line(MemoryCategory::kEvalTensors, "TfLiteEvalTensor data", "allocations") +
                line(MemoryCategory::kPersistentTensors, "Persistent TfLiteTensor data", "tensors") +
                line(MemoryCategory::kPersistentBuffers, "Persistent buffer data", "allocations") +
                line(MemoryCategory::kVariables, "TfLiteTensor variable buffer data", "allocations") +
                line(MemoryCategory::kOperators, "NodeAndRegistration struct", "NodeAndRegistration structs"));
}

TEST_F(Recording, RecordsAPairToo) {
  const TestArena fast(4096);
  Interpreter pair(model.view(), MockKernels(), ArenaBuffers{arena.start(), 8192, fast.start(), 4096},
                   {.record_memory = true});
  ASSERT_TRUE(pair.AllocateTensors().ok());
  EXPECT_EQ(Of(pair, MemoryCategory::kEvalTensors).count, 10u);
  EXPECT_EQ(pair.allocator()->arena().counters()->used_bytes, pair.arena_used_bytes());
}

}  // namespace
}  // namespace arenaproof::testing
