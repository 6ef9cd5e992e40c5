// The reference's tests of its recording micro allocator, restated: counts as given there, bytes made of our
// structures. Where our structure changes a result, the test says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/runtime/interpreter/interpreter.h"
#include "kernels/kernel_sets.h"
#include "tools/memory/arena_memory.h"
#include "tools/memory/memory_record_text.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kUpstreamArenaBytes = 12 * 1024;
constexpr std::size_t kTensorCount = 15;

RecordedMemory Of(const ModelAllocator& allocator, MemoryCategory category) { return allocator.record()->of(category); }

TEST(UpstreamRecordingMicroAllocator, CountsTheEvalTensors) {
  AllocatorIn allocator(kUpstreamArenaBytes, {.record_memory = true});
  ASSERT_EQ(allocator.creation(), Ok());
  const auto model = ConvModel();
  ASSERT_EQ(model->view().operator_count(0), 7u);
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  const RecordedMemory recorded = Of(*allocator, MemoryCategory::kEvalTensors);
  EXPECT_EQ(recorded.count, kTensorCount);
  EXPECT_EQ(recorded.requested_bytes, kTensorCount * sizeof(EvalTensor));
  EXPECT_GE(recorded.used_bytes, recorded.requested_bytes);
  EXPECT_THAT(MemoryRecordText(*allocator),
              HasSubstr("(requested " + std::to_string(recorded.requested_bytes) + " bytes for 15 allocations)"));
}

TEST(UpstreamRecordingMicroAllocator, AddsUpTwoModels) {
  AllocatorIn allocator(2 * kUpstreamArenaBytes, {.record_memory = true});
  const auto model = ConvModel();
  ModelAllocation first;
  ModelAllocation second;
  ASSERT_EQ(allocator.Allocate(*model, &first), Ok());
  ASSERT_EQ(allocator.Allocate(*model, &second), Ok());
  const RecordedMemory recorded = Of(*allocator, MemoryCategory::kEvalTensors);
  EXPECT_EQ(recorded.count, 2 * kTensorCount);
  EXPECT_EQ(recorded.requested_bytes, 2 * kTensorCount * sizeof(EvalTensor));
  EXPECT_GE(recorded.used_bytes, recorded.requested_bytes);
}

// The reference copies a persistent tensor's quantisation into the tail: 2 allocations for tensor 0. Here the struct
// has views of the lists in the model file, so the category stays empty for a quantised tensor too.
TEST(UpstreamRecordingMicroAllocator, SpendsNothingOnTheQuantizationOfAPersistentTensor) {
  const auto model = ConvModel();
  ArenaMemory arena;
  ASSERT_TRUE(arena.Grow(kUpstreamArenaBytes));
  Interpreter interpreter(model->view(), *FindKernelSet("reference"), arena.start(), kUpstreamArenaBytes,
                          {.record_memory = true});
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  const ModelAllocator& allocator = *interpreter.allocator();
  const RecordedMemory structs = Of(allocator, MemoryCategory::kPersistentTensors);
  EXPECT_EQ(structs.count, 2u) << "of the graph's input, which is tensor 0, and of its output";
  EXPECT_EQ(structs.requested_bytes, 2 * sizeof(Operand));
  EXPECT_GE(structs.used_bytes, structs.requested_bytes);
  EXPECT_EQ(Of(allocator, MemoryCategory::kPersistentTensorQuantization), RecordedMemory());
  EXPECT_THAT(MemoryRecordText(allocator), Not(HasSubstr("quantization")));

  ASSERT_EQ(interpreter.inputs()[0].tensor_index, 0);
  const QuantizationView& quantization = interpreter.inputs()[0].quantization;
  ASSERT_TRUE(quantization.present());
  EXPECT_EQ(quantization.scale(), 0.5f);
  EXPECT_EQ(quantization.zero_point(), 3);
  const std::span<const std::byte> file = model->view().bytes();
  for (const auto* list :
       {reinterpret_cast<const std::byte*>(quantization.scales.data()), quantization.zero_point_bytes}) {
    EXPECT_GE(list, file.data());
    EXPECT_LT(list, file.data() + file.size());
  }
  std::fill_n(interpreter.inputs()[0].data, interpreter.inputs()[0].bytes, std::byte{7});
  EXPECT_EQ(interpreter.Invoke(), Ok());
}

TEST(UpstreamRecordingMicroAllocator, CountsTheOperatorsAndTensorsOfEverySubgraph) {
  AllocatorIn allocator(2048, {.record_memory = true});
  const auto model = NullInputOutputModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  const RecordedMemory operators = Of(*allocator, MemoryCategory::kOperators);
  EXPECT_EQ(operators.count, 2u);
  EXPECT_EQ(operators.requested_bytes, 2 * sizeof(OperatorRecord));
  EXPECT_GE(operators.used_bytes, operators.requested_bytes);
  const RecordedMemory tensors = Of(*allocator, MemoryCategory::kEvalTensors);
  EXPECT_EQ(tensors.count, model->view().tensor_count(0) + model->view().tensor_count(1));
  EXPECT_EQ(tensors.count, 2u);
  EXPECT_EQ(tensors.requested_bytes, 2 * sizeof(EvalTensor));
  EXPECT_GE(tensors.used_bytes, tensors.requested_bytes);
}

// What no model fills today has its line and its word all the same.
TEST(UpstreamRecordingMicroAllocator, HasALineForEveryCategory) {
  for (const auto& [category, line] :
       {std::pair{MemoryCategory::kPersistentTensorQuantization,
                  "'Persistent TfLiteTensor quantization data' used 24 bytes with alignment overhead (requested 24 "
                  "bytes for 2 allocations)"},
        std::pair{MemoryCategory::kOperatorData,
                  "'Operator runtime data' used 24 bytes with alignment overhead (requested 24 bytes for 2 OpData "
                  "structs)"}}) {
    const AllocatorIn allocator(4096, {.record_memory = true});
    for (const std::size_t bytes : {16u, 8u}) {
      const RecordingScope scope = allocator->RecordAs(category);
      std::byte* block = nullptr;
      ASSERT_EQ(allocator->tail().Allocate(bytes, 1, &block), Ok());
    }
    EXPECT_THAT(MemoryRecordText(*allocator), HasSubstr(line));
  }
}

}  // namespace
}  // namespace arenaproof::testing
