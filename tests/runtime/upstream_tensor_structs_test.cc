// What the reference's tests of its micro allocator say of tensor structs, restated. The reference has eval tensors,
// persistent structs and temporary ones. Here a struct is an Operand; what a kernel sees lies outside the arena. Where
// that changes a result, the test says so.
#include <gtest/gtest.h>

#include <set>

#include "core/model/schema_generated.h"
#include "core/planner/greedy_planner.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

// One int32 tensor [100] without data, input and output of its subgraph.
ModelBuilder RuntimeTensor() {
  ModelBuilder builder;
  SubgraphSpec& graph = builder.AddSubgraph();
  graph.inputs = graph.outputs = {graph.AddTensor({.type = TensorType::kInt32, .shape = {{100}}})};
  return builder;
}

// The same with minimum 0.1, maximum 0.2, scale 0.3 and zero point 100.
std::vector<std::byte> QuantizedRuntimeTensor() {
  ModelBuilder builder = RuntimeTensor();
  builder.subgraphs[0].tensors[0].quantization = Scale(0.3f, 100);
  const std::vector<std::byte> file = builder.Finish();
  const auto object = wire::UnPackModel(file.data());
  object->subgraphs[0]->tensors[0]->quantization->min = {0.1f};
  object->subgraphs[0]->tensors[0]->quantization->max = {0.2f};
  flatbuffers::FlatBufferBuilder packed;
  wire::FinishModelBuffer(packed, wire::Model::Pack(packed, object.get()));
  const auto* const begin = reinterpret_cast<const std::byte*>(packed.GetBufferPointer());
  return {begin, begin + packed.GetSize()};
}

template <typename Tensor>
void ExpectList(const Tensor& tensor, TensorType type, int count, std::size_t bytes) {
  EXPECT_EQ(tensor.type, type);
  EXPECT_EQ(tensor.rank, 1);
  EXPECT_EQ(tensor.dims[0], count);
  EXPECT_EQ(tensor.bytes, bytes);
}

template <typename Tensor>
void ExpectRuntimeTensor(const Tensor& tensor) {
  ExpectList(tensor, TensorType::kInt32, 100, 400);
  EXPECT_EQ(tensor.data, nullptr);
  EXPECT_FALSE(tensor.constant);
  EXPECT_FALSE(tensor.variable);
}

void ExpectDescribed(const UpstreamModel& model, bool quantized) {
  AllocatorIn allocator(1024);
  ModelAllocation allocation;
  ASSERT_EQ(allocator->StartModelAllocation(model.view(), &allocation), Ok());
  std::vector<const Operand*> structs;
  ASSERT_EQ(allocator.PersistentStructs(model, allocation, {0}, &structs), Ok());
  ExpectRuntimeTensor(TensorsOf(allocation)[0]);
  EXPECT_TRUE(TensorsOf(allocation)[0].needs_planning()) << "it lives in the arena";
  ExpectRuntimeTensor(*structs[0]);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(structs[0]), allocator->arena().persistent().state().tail_begin);
  EXPECT_EQ(structs[0]->quantization.present(), quantized);
  if (!quantized) return;
  EXPECT_EQ(structs[0]->quantization.scale(), 0.3f);
  EXPECT_EQ(structs[0]->quantization.zero_point(), 100);
}

TEST(UpstreamTensorStructs, DescribeARuntimeTensorOfTheFile) { ExpectDescribed(UpstreamModel(RuntimeTensor()), false); }

TEST(UpstreamTensorStructs, DescribeAQuantizedTensorOfTheFileAlike) {
  const std::vector<std::byte> file = QuantizedRuntimeTensor();
  const auto& stored = *wire::GetModel(file.data())->subgraphs()->Get(0)->tensors()->Get(0)->quantization();
  ASSERT_EQ(stored.min()->Get(0), 0.1f);
  ASSERT_EQ(stored.max()->Get(0), 0.2f);
  ExpectDescribed(UpstreamModel(file), true);
}

template <typename Tensor>
void ExpectOrdinaryInt32(const Tensor& tensor, bool variable) {
  ExpectList(tensor, TensorType::kInt32, 1, 4);
  EXPECT_EQ(tensor.variable, variable);
  EXPECT_FALSE(tensor.constant);
  ASSERT_NE(tensor.data, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data) % 16, 0u);
}

template <typename Tensor>
void ExpectWeight(const Tensor& tensor) {
  ExpectList(tensor, TensorType::kInt8, 1, 1);
  EXPECT_TRUE(tensor.constant);
  EXPECT_FALSE(tensor.variable);
  ASSERT_NE(tensor.data, nullptr);
  EXPECT_EQ(*tensor.data, std::byte{21});
}

// Eval tensors and structs agree.
void ExpectSameData(std::span<const EvalTensor> tensors, const std::vector<const Operand*>& structs) {
  ASSERT_EQ(tensors.size(), structs.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(structs[i]->data, tensors[i].data) << "tensor " << i;
    EXPECT_EQ(structs[i]->tensor_index, static_cast<std::int32_t>(i));
  }
}

void ExpectSimpleModelsStructs(AllocatorIn& allocator) {
  const auto model = SimpleModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  const std::span<const EvalTensor> tensors = TensorsOf(allocation);
  ASSERT_EQ(tensors.size(), 4u);
  std::vector<const Operand*> structs;
  ASSERT_EQ(allocator.PersistentStructs(*model, allocation, {0, 1, 2, 3}, &structs), Ok());
  ExpectSameData(tensors, structs);
  std::set<const std::byte*> addresses;
  for (const std::size_t i : {0u, 2u, 3u}) {
    ExpectOrdinaryInt32(tensors[i], false);
    ExpectOrdinaryInt32(*structs[i], false);
  }
  ExpectWeight(tensors[1]);
  ExpectWeight(*structs[1]);
  for (const Operand* each : structs) addresses.insert(each->data);
  EXPECT_EQ(addresses.size(), 4u) << "pairwise distinct";
}

TEST(UpstreamTensorStructs, OfTheSimpleModelAgreeWithItsEvalTensors) {
  AllocatorIn with_own_planner(SimpleModelArenaBytes());
  ExpectSimpleModelsStructs(with_own_planner);
  GreedyPlanner planner;
  AllocatorIn with_given_planner(1024, {.planner = &planner});
  ExpectSimpleModelsStructs(with_given_planner);
}

TEST(UpstreamTensorStructs, OfTheComplexModelAgreeWithItsEvalTensors) {
  AllocatorIn allocator(2048);
  const auto model = ComplexModel();
  ModelAllocation allocation;
  ASSERT_EQ(allocator.Allocate(*model, &allocation), Ok());
  const std::span<const EvalTensor> tensors = TensorsOf(allocation);
  ASSERT_EQ(tensors.size(), 10u);
  std::vector<const Operand*> structs;
  ASSERT_EQ(allocator.PersistentStructs(*model, allocation, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, &structs), Ok());
  ExpectSameData(tensors, structs);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i % 3 == 2) {
      ExpectWeight(tensors[i]);
      ExpectWeight(*structs[i]);
      continue;
    }
    ExpectOrdinaryInt32(tensors[i], i % 3 == 1);
    ExpectOrdinaryInt32(*structs[i], i % 3 == 1);
  }
  for (const std::size_t variable : {1u, 4u, 7u}) {
    for (std::size_t other = 0; other < tensors.size(); ++other) {
      if (other != variable) EXPECT_NE(structs[variable]->data, structs[other]->data) << variable << " and " << other;
    }
  }
}

// Room for the allocator's own objects, their alignments and 16 bytes more.
TEST(UpstreamTensorStructs, DoNotFitAnArenaThatHasRoomForTheAllocatorOnly) {
  AllocatorIn allocator(sizeof(GreedyPlanner) + sizeof(ModelAllocator) + sizeof(SingleArena) + alignof(GreedyPlanner) +
                        alignof(ModelAllocator) + alignof(SingleArena) + 16);
  ASSERT_EQ(allocator.creation(), Ok());
  const auto model = SimpleModel();
  const Operand* described = nullptr;
  EXPECT_EQ(allocator->AllocatePersistentTensor(model->view(), nullptr, 0, 1, &described).code,
            StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_EQ(described, nullptr);
  ModelAllocation allocation;
  const Status status = allocator->StartModelAllocation(model->view(), &allocation);
  EXPECT_TRUE(status.code == StatusCode::kArenaHeadDoesNotFit || status.code == StatusCode::kArenaPersistentDoesNotFit);
  EXPECT_FALSE(allocator->allocating());
}

// Tensors are described from the file before any start and without eval tensors.
TEST(UpstreamTensorStructs, InTemporariesFormAChain) {
  const AllocatorIn allocator(1024);
  const auto model = SimpleModel();
  const Operand* structs[2] = {};
  for (const std::int32_t tensor : {1, 2}) {
    const Operand*& described = structs[tensor - 1];
    ASSERT_EQ(allocator->AllocateTemporaryTensor(model->view(), nullptr, 0, tensor, &described), Ok());
    ASSERT_NE(described, nullptr);
    EXPECT_EQ(described->type, tensor == 1 ? TensorType::kInt8 : TensorType::kInt32);
  }
  EXPECT_GE(structs[1], structs[0] + 1);
}

}  // namespace
}  // namespace arenaproof::testing
