// Tensor structs by index, of an interpreter's application and of an allocator's.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/runtime/interpreter/model_allocator.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"
#include "upstream_models_support.h"

namespace arenaproof::testing {
namespace {

void ExpectSame(const Operand& found, const Operand& expected) {
  EXPECT_EQ(found.data, expected.data);
  EXPECT_EQ(found.bytes, expected.bytes);
  EXPECT_EQ(found.type, expected.type);
  EXPECT_TRUE(std::ranges::equal(found.shape(), expected.shape()));
  EXPECT_EQ(found.tensor_index, expected.tensor_index);
  EXPECT_TRUE(found.present);
}

TEST(TensorStructs, OfAnInterpreterSayWhatItsInputsAndOutputsSay) {
  const MockChain chain(3, 20, 8192, {.record_memory = true});
  const Operand* described = nullptr;
  EXPECT_EQ(chain->AllocateTemporaryTensor(0, &described).code, StatusCode::kRuntimeState)
      << "before tensors have places";
  EXPECT_EQ(chain->AllocatePersistentTensor(0, &described).code, StatusCode::kRuntimeState);
  EXPECT_EQ(chain->FreeTemporaryTensor(described).code, StatusCode::kRuntimeState);
  ASSERT_EQ(chain->AllocateTensors(), Ok());
  const std::size_t tail_bytes = chain->tail_bytes();
  const std::size_t used_bytes = chain->arena_used_bytes();
  const std::size_t count = chain->allocator()->record()->of(MemoryCategory::kPersistentTensors).count;

  ASSERT_EQ(chain->AllocateTemporaryTensor(0, &described), Ok());
  ExpectSame(*described, chain->inputs()[0]);
  ASSERT_EQ(chain->FreeTemporaryTensor(described), Ok());
  EXPECT_EQ(chain->FreeTemporaryTensor(described).code, StatusCode::kForeignTemporary) << "freed already";
  EXPECT_EQ(chain->arena_used_bytes(), used_bytes);

  ASSERT_EQ(chain->AllocatePersistentTensor(3, &described), Ok());
  ExpectSame(*described, chain->outputs()[0]);
  EXPECT_EQ(chain->tail_bytes(), tail_bytes + sizeof(Operand));
  EXPECT_EQ(chain->allocator()->record()->of(MemoryCategory::kPersistentTensors).count, count + 1);

  std::span<std::byte> bytes;
  ASSERT_EQ(chain->TensorBytes(1, &bytes), Ok());
  ASSERT_EQ(chain->AllocatePersistentTensor(1, &described), Ok());
  EXPECT_EQ(described->data, bytes.data()) << "one that is neither input nor output";
}

TEST(TensorStructs, OfNoTensorAreRefusedAndTakeNothing) {
  const MockChain chain(2, 20, 8192);
  ASSERT_EQ(chain->AllocateTensors(), Ok());
  const auto before = chain->allocator()->arena().state();
  const Operand* described = nullptr;
  for (const std::int32_t tensor : {-2, -1, 3, INT32_MAX}) {
    const Status expected = Failure(StatusCode::kRuntimeTensorIndex, std::int64_t{tensor}, 3);
    EXPECT_EQ(chain->AllocatePersistentTensor(tensor, &described), expected);
    EXPECT_EQ(chain->AllocateTemporaryTensor(tensor, &described), expected);
  }
  for (const std::int32_t subgraph : {-1, 1}) {
    const Status expected = Failure(StatusCode::kRuntimeSubgraphIndex, std::int64_t{subgraph}, 1);
    EXPECT_EQ(chain->AllocatePersistentTensor(0, &described, subgraph), expected);
    EXPECT_EQ(chain->AllocateTemporaryTensor(0, &described, subgraph), expected);
  }
  EXPECT_EQ(described, nullptr);
  EXPECT_EQ(chain->allocator()->arena().state(), before);
}

TEST(TensorStructs, InTheTemporaryRegionLetTheModelRunAndNotBeAllocatedAnew) {
  const MockChain chain(2, 20, 8192);
  ASSERT_EQ(chain->AllocateTensors(), Ok());
  const Operand* first = nullptr;
  const Operand* second = nullptr;
  ASSERT_EQ(chain->AllocateTemporaryTensor(1, &first), Ok());
  ASSERT_EQ(chain->AllocateTemporaryTensor(2, &second), Ok());
  EXPECT_EQ(chain->Invoke(), Ok());
  const auto held = chain->allocator()->arena().state();
  const Status refused = chain->AllocateTensors();
  EXPECT_EQ(refused.code, StatusCode::kArenaTemporariesLive);
  EXPECT_EQ(refused.detail[1], 2u);
  EXPECT_EQ(chain->allocator()->arena().state(), held);
  EXPECT_EQ(chain->state(), InterpreterState::kInvoke) << "nothing has changed";
  EXPECT_EQ(chain->Invoke(), Ok());
  ArenaSeal seal;
  EXPECT_EQ(chain->Suspend(&seal).code, StatusCode::kArenaImageBusy);
  EXPECT_EQ(first->tensor_index, 1);
  ASSERT_EQ(chain->FreeTemporaryTensor(first), Ok());
  EXPECT_EQ(chain->AllocateTensors().code, StatusCode::kArenaTemporariesLive);
  ASSERT_EQ(chain->FreeTemporaryTensor(second), Ok());
  EXPECT_EQ(chain->AllocateTensors(), Ok());
  ASSERT_EQ(chain->Suspend(&seal), Ok());
  EXPECT_EQ(chain->AllocateTemporaryTensor(1, &first).code, StatusCode::kRuntimeState);
  EXPECT_EQ(chain->FreeTemporaryTensor(first).code, StatusCode::kRuntimeState);
}

TEST(TensorStructs, FindNoRoomInAnArenaThatIsFull) {
  const MockChain roomy(2, 20, 8192);
  ASSERT_EQ(roomy->AllocateTensors(), Ok());
  std::size_t need_bytes = roomy->arena_used_bytes();
  const SmallModel model(Chain(2, 20));
  const TestArena memory(8192);
  const auto make = [&] {
    return std::make_unique<Interpreter>(model.view(), MockKernels(), memory.start(), need_bytes, InterpreterOptions());
  };
  while (!make()->AllocateTensors().ok()) ++need_bytes;
  const auto full = make();
  ASSERT_EQ(full->AllocateTensors(), Ok());
  // Planning has needed room that is free again; it goes to structs, until there is none.
  const Operand* described = nullptr;
  Status status;
  while (status.ok()) status = full->AllocatePersistentTensor(0, &described);
  EXPECT_EQ(status.code, StatusCode::kTailWouldCrossHead);
  const auto before = full->allocator()->arena().state();
  EXPECT_EQ(full->AllocateTemporaryTensor(0, &described).code, StatusCode::kArenaTemporaryDoesNotFit);
  EXPECT_EQ(full->allocator()->arena().state(), before);
  EXPECT_EQ(full->Invoke(), Ok());
}

TEST(TensorStructs, OfAnAllocatorDescribeAModelInAnyPhase) {
  AllocatorIn allocator(4096);
  const auto model = ComplexModel();
  const Operand* described = nullptr;
  ASSERT_EQ(allocator->AllocateTemporaryTensor(model->view(), nullptr, 0, 2, &described), Ok());
  EXPECT_TRUE(described->constant);
  EXPECT_EQ(*described->data, std::byte{21});
  ASSERT_EQ(allocator->FreeTemporaryTensor(described), Ok());

  ModelAllocation allocation;
  ASSERT_EQ(allocator->StartModelAllocation(model->view(), &allocation), Ok());
  ASSERT_EQ(allocator->AllocateTemporaryTensor(model->view(), &allocation, 0, 0, &described), Ok());
  EXPECT_EQ(described->data, nullptr) << "not placed yet";
  EXPECT_EQ(allocator->FinishModelAllocation(model->view(), &allocation),
            Failure(StatusCode::kPrepareUnfinished, 0, 1));
  ASSERT_EQ(allocator->FreeTemporaryTensor(described), Ok());
  ASSERT_EQ(allocator->AllocatePersistentTensor(model->view(), &allocation, 0, 3, &described), Ok());
  ASSERT_EQ(allocator->FinishPrepareNodeAllocations(0, 0), Ok());
  ASSERT_EQ(allocator->FinishModelAllocation(model->view(), &allocation), Ok());
  EXPECT_EQ(described->data, nullptr) << "a struct stays as it was made";
  ASSERT_EQ(allocator->AllocatePersistentTensor(model->view(), &allocation, 0, 3, &described), Ok());
  EXPECT_EQ(described->data, TensorsOf(allocation)[3].data);
}

}  // namespace
}  // namespace arenaproof::testing
