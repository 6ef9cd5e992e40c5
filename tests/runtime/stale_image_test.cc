// An image goes back into an arena that stands where it stood, or that was lost, and into no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/arena_image.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

using Image = std::vector<std::byte>;

Image Save(const Interpreter& interpreter) {
  Image image(interpreter.image_bytes());
  std::size_t image_bytes = 0;
  EXPECT_EQ(interpreter.SaveImage(image, &image_bytes), Ok());
  return image;
}

Image BytesOf(const TestArena& arena) { return {arena.start(), arena.start() + arena.bytes()}; }

void ExpectRuns(Interpreter& interpreter) {
  std::memset(interpreter.inputs()[0].data, 7, interpreter.inputs()[0].bytes);
  ASSERT_TRUE(interpreter.Invoke().ok());
  EXPECT_EQ(interpreter.outputs()[0].data[0], std::byte{10});
}

class StaleImage : public ::testing::Test {
 protected:
  void SetUp() override {
    Mock().invoke = [](const InvokeContext& context) -> Status {
      for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
        context.outputs[0].data[i] = std::byte((int(context.inputs[0].data[i]) + 1) & 0xff);
      }
      return Ok();
    };
  }

  const MockScope mock_;
  const SmallModel model_{Chain(3, 64)};
  const SmallModel other_model_{Chain(3, 200)};
  const TestArena arena_{16384, 4};  // an unaligned start, whose first bytes are nobody's
};

TEST_F(StaleImage, OnASharedAllocatorDoesNotTakeALaterModelsMemoryBack) {
  ModelAllocator* allocator = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(arena_.start(), arena_.bytes(), {}, &allocator).ok());
  Interpreter first(model_.view(), MockKernels(), *allocator), second(other_model_.view(), MockKernels(), *allocator);
  ASSERT_TRUE(first.AllocateTensors().ok());
  const Image image = Save(first);
  ASSERT_TRUE(second.AllocateTensors().ok());
  const Image before = BytesOf(arena_);
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()).code, StatusCode::kArenaImageStale);
  EXPECT_EQ(BytesOf(arena_), before) << "a refused image changes nothing";
  ExpectRuns(second);
  ExpectRuns(first);
  const Image both = Save(first);
  EXPECT_EQ(RestoreArena(both, arena_.start(), arena_.bytes()), Ok());
  ExpectRuns(second);
}

TEST_F(StaleImage, OfTheAllocationBeforeThisOneIsRefused) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const Image image = Save(*interpreter);
  const std::size_t head_bytes = interpreter->head_bytes(), tail_bytes = interpreter->tail_bytes();
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()),
            Failure(StatusCode::kArenaImageStale, interpreter->head_bytes(), head_bytes, interpreter->tail_bytes(),
                    tail_bytes));
  ExpectRuns(*interpreter);
}

TEST_F(StaleImage, InTwoArenasIsRefusedToo) {
  const TestArena persistent(8192, 4);
  const ArenaBuffers buffers{persistent.start(), persistent.bytes(), arena_.start(), arena_.bytes()};
  Interpreter interpreter(model_.view(), MockKernels(), buffers);
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  const Image image = Save(interpreter);
  EXPECT_EQ(RestoreArena(image, buffers), Ok());
  ASSERT_TRUE(interpreter.AllocateTensors().ok());
  EXPECT_EQ(RestoreArena(image, buffers).code, StatusCode::kArenaImageStale);
  ExpectRuns(interpreter);
}

TEST_F(StaleImage, IsNoneAfterAnAllocationThatFailedAndGaveAllBack) {
  ModelAllocator* allocator = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(arena_.start(), arena_.bytes(), {}, &allocator).ok());
  Interpreter first(model_.view(), MockKernels(), *allocator), second(other_model_.view(), MockKernels(), *allocator);
  ASSERT_TRUE(first.AllocateTensors().ok());
  const Image image = Save(first);
  Mock().prepare = [](PrepareContext&) { return Failure(StatusCode::kKernelUnsupported); };
  ASSERT_EQ(second.AllocateTensors().code, StatusCode::kKernelUnsupported);
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()), Ok());
  ExpectRuns(first);
}

TEST_F(StaleImage, IsNotTakenIntoAnArenaWhoseTemporariesAreInUse) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  const Image image = Save(*interpreter);
  TensorArena arena = interpreter->allocator()->arena();
  std::byte* block = nullptr;
  ASSERT_EQ(arena.AllocateTemporary(32, 16, &block), Ok());
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()).code, StatusCode::kArenaImageBusy);
  ASSERT_EQ(arena.DeallocateTemporary(block), Ok());
  ASSERT_EQ(arena.ResetTemporaries(), Ok());
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()), Ok());
}

struct alignas(16) ApplicationBuffer {
  std::array<std::byte, 64> bytes{};
};

TEST_F(StaleImage, OfAnEarlierInterpreterIsRefused) {
  ApplicationBuffer of_first, of_second;
  auto first = MakeInterpreter(model_, arena_);
  ASSERT_EQ(first->RegisterPreallocatedTensor(0, 0, of_first.bytes.data(), 64), Ok());
  ASSERT_EQ(first->AllocateTensors(), Ok());
  const Image image = Save(*first);
  const std::size_t head_bytes = first->head_bytes(), tail_bytes = first->tail_bytes();
  first.reset();
  const auto second = MakeInterpreter(model_, arena_);
  ASSERT_EQ(second->RegisterPreallocatedTensor(0, 0, of_second.bytes.data(), 64), Ok());
  ASSERT_EQ(second->AllocateTensors(), Ok());
  ASSERT_EQ(second->head_bytes(), head_bytes);
  ASSERT_EQ(second->tail_bytes(), tail_bytes) << "by its extents it could be the same";
  const Image before = BytesOf(arena_);
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()).code, StatusCode::kArenaImageOtherSetUp);
  EXPECT_EQ(BytesOf(arena_), before);
  EXPECT_EQ(second->inputs()[0].data, of_second.bytes.data());
  ExpectRuns(*second);
  EXPECT_EQ(RestoreArena(Save(*second), arena_.start(), arena_.bytes()), Ok());
}

TEST_F(StaleImage, OfAnEarlierInterpreterWithTheSameTensorsIsRefused) {
  auto first = MakeInterpreter(model_, arena_);
  ASSERT_EQ(first->AllocateTensors(), Ok());
  const Image image = Save(*first);
  first->~Interpreter();  // keeps its place, so that the next one gets another
  auto* const place = first.release();
  const auto second = MakeInterpreter(model_, arena_);
  ASSERT_EQ(second->AllocateTensors(), Ok());
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()).code, StatusCode::kArenaImageOtherSetUp);
  ::operator delete(place, sizeof(Interpreter));
}

TEST_F(StaleImage, IsNotSavedIntoTheArenaNorRestoredFromThere) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  const std::size_t bytes = interpreter->image_bytes();
  std::byte* const free = arena_.start() + interpreter->head_bytes() + 64;
  const Image before = BytesOf(arena_);
  std::size_t image_bytes = 7;
  for (std::byte* const place : {arena_.start() + 12, free}) {
    EXPECT_EQ(interpreter->SaveImage({place, bytes}, &image_bytes).code, StatusCode::kArenaImageOverlaps);
    EXPECT_EQ(image_bytes, 7u);
    EXPECT_EQ(BytesOf(arena_), before);
  }
  const Image image = Save(*interpreter);
  std::copy(image.begin(), image.end(), free);
  const Image with_image = BytesOf(arena_);
  EXPECT_EQ(RestoreArena(std::span(free, bytes), arena_.start(), arena_.bytes()).code, StatusCode::kArenaImageOverlaps);
  EXPECT_EQ(BytesOf(arena_), with_image);
  ExpectRuns(*interpreter);
}

TEST_F(StaleImage, MayLieNextToTheArenaButShareNoByteWithIt) {
  constexpr std::size_t kBytes = 8192;
  const TestArena memory(3 * kBytes);
  std::byte* const start = memory.start() + kBytes;
  Interpreter interpreter(model_.view(), MockKernels(), start, kBytes);
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  const std::size_t bytes = interpreter.image_bytes();
  std::size_t image_bytes = 0;
  EXPECT_EQ(interpreter.SaveImage({start - bytes + 1, bytes}, &image_bytes).code, StatusCode::kArenaImageOverlaps);
  EXPECT_EQ(interpreter.SaveImage({start + kBytes - 1, bytes}, &image_bytes).code, StatusCode::kArenaImageOverlaps);
  for (std::byte* const place : {start - bytes, start + kBytes}) {
    EXPECT_EQ(interpreter.SaveImage({place, bytes}, &image_bytes), Ok());
    EXPECT_EQ(RestoreArena(std::span(place, bytes), start, kBytes), Ok());
  }
  ExpectRuns(interpreter);
}

TEST_F(StaleImage, IsNotSavedIntoEitherOfTwoArenas) {
  const TestArena persistent(8192, 4);
  const ArenaBuffers buffers{persistent.start(), persistent.bytes(), arena_.start(), arena_.bytes()};
  Interpreter interpreter(model_.view(), MockKernels(), buffers);
  ASSERT_EQ(interpreter.AllocateTensors(), Ok());
  std::size_t image_bytes = 0;
  for (const TestArena* arena : {&persistent, &arena_}) {
    EXPECT_EQ(interpreter.SaveImage({arena->start() + 1024, interpreter.image_bytes()}, &image_bytes).code,
              StatusCode::kArenaImageOverlaps);
  }
  ExpectRuns(interpreter);
}

TEST_F(StaleImage, IsNoneWhenTheArenaWasLost) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_TRUE(interpreter->AllocateTensors().ok());
  ExpectRuns(*interpreter);
  const Image image = Save(*interpreter);
  ArenaSeal seal;
  ASSERT_EQ(interpreter->Suspend(&seal), Ok());
  std::memset(arena_.start(), 0xDB, arena_.bytes());
  EXPECT_EQ(RestoreArena(image, arena_.start(), arena_.bytes()), Ok());
  ASSERT_EQ(interpreter->Resume(seal), Ok());
  ExpectRuns(*interpreter);
}

}  // namespace
}  // namespace arenaproof::testing
