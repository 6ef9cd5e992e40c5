// A buffer of the application's lies in none of an interpreter's arenas, whichever it has and whoever made them.
#include <gtest/gtest.h>

#include <memory>

#include "core/runtime/interpreter/model_allocator.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

class PreallocatedBesideArenas : public ::testing::Test {
 protected:
  // The first and the last 16 bytes of the memory.
  void ExpectRefused(Interpreter& interpreter, const TestArena& memory) {
    for (std::byte* const buffer : {memory.start(), memory.start() + memory.bytes() - 16}) {
      EXPECT_EQ(interpreter.RegisterPreallocatedTensor(0, 1, buffer, 16),
                Failure(StatusCode::kPreallocatedOverlapsArena, 0, 1));
    }
  }
  void ExpectGranted(Interpreter& interpreter) {
    EXPECT_EQ(interpreter.RegisterPreallocatedTensor(0, 1, elsewhere_.start(), 16), Ok());
  }

  const MockScope mock_;
  const SmallModel model_{Chain(2, 16)};
  const TestArena one_{4096}, other_{4096}, elsewhere_{64};
};

TEST_F(PreallocatedBesideArenas, OfAnInterpretersOwn) {
  const auto interpreter = MakeInterpreter(model_, one_);
  ExpectRefused(*interpreter, one_);
  ExpectGranted(*interpreter);
}

TEST_F(PreallocatedBesideArenas, OfAPair) {
  const ArenaBuffers pair{one_.start(), one_.bytes(), other_.start(), other_.bytes()};
  Interpreter interpreter(model_.view(), MockKernels(), pair);
  ExpectRefused(interpreter, one_);
  ExpectRefused(interpreter, other_);
  ExpectGranted(interpreter);
}

TEST_F(PreallocatedBesideArenas, OfASharedAllocator) {
  ModelAllocator* allocator = nullptr;
  ASSERT_EQ(ModelAllocator::Create(one_.start(), one_.bytes(), {}, &allocator), Ok());
  Interpreter interpreter(model_.view(), MockKernels(), *allocator);
  ExpectRefused(interpreter, one_);
  ExpectGranted(interpreter);
}

TEST_F(PreallocatedBesideArenas, OfASharedAllocatorInTwo) {
  ModelAllocator* allocator = nullptr;
  ASSERT_EQ(ModelAllocator::Create({one_.start(), one_.bytes(), other_.start(), other_.bytes()}, {}, &allocator), Ok());
  Interpreter interpreter(model_.view(), MockKernels(), *allocator);
  ExpectRefused(interpreter, one_);
  ExpectRefused(interpreter, other_);
  ExpectGranted(interpreter);
}

}  // namespace
}  // namespace arenaproof::testing
