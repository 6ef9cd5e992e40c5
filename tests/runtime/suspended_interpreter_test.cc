// A suspended interpreter reads no byte of its arena, and resumes with its own whole seal only.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "core/runtime/interpreter/model_allocator.h"
#include "core/runtime/storage/arena_image.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kLosableArenaBytes = 16384;  // whole pages

// Memory that can be lost, and closed so that whoever reads it is killed.
class LosableArena {
 public:
  LosableArena()
      : start_(static_cast<std::byte*>(
            mmap(nullptr, kLosableArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    EXPECT_NE(static_cast<void*>(start_), MAP_FAILED);
  }
  ~LosableArena() { munmap(start_, kLosableArenaBytes); }
  LosableArena(const LosableArena&) = delete;
  LosableArena& operator=(const LosableArena&) = delete;

  std::byte* start() const { return start_; }
  void LoseAndClose() {
    kept_.assign(start_, start_ + kLosableArenaBytes);
    std::memset(start_, 0xDB, kLosableArenaBytes);
    Protect(PROT_NONE);
  }
  void OpenAsLost() { Protect(PROT_READ | PROT_WRITE); }
  void BringBack() {
    OpenAsLost();
    std::memcpy(start_, kept_.data(), kLosableArenaBytes);
  }

 private:
  void Protect(int rights) { ASSERT_EQ(mprotect(start_, kLosableArenaBytes, rights), 0); }

  std::byte* const start_;
  std::vector<std::byte> kept_;
};

// Every operator adds one, with a scratch buffer.
void BehaveLikeAdders() {
  Mock().prepare = [](PrepareContext& context) { return context.services->RequestScratch(40); };
  Mock().invoke = [](const InvokeContext& context) -> Status {
    for (std::size_t i = 0; i < context.outputs[0].bytes; ++i) {
      context.outputs[0].data[i] = std::byte((int(context.inputs[0].data[i]) + 1) & 0xff);
    }
    return Ok();
  };
}

class SuspendedInterpreter : public ::testing::Test {
 protected:
  void SetUp() override {
    BehaveLikeAdders();
    ASSERT_TRUE(interpreter_.AllocateTensors().ok());
    ExpectRuns(interpreter_);
  }
  static void ExpectRuns(Interpreter& interpreter, int first = 7) {
    std::memset(interpreter.inputs()[0].data, first, interpreter.inputs()[0].bytes);
    ASSERT_TRUE(interpreter.Invoke().ok());
    EXPECT_EQ(interpreter.outputs()[0].data[0], std::byte(first + 3));
  }

  const MockScope mock_;
  const SmallModel model_{Chain(3, 64)};
  LosableArena arena_;
  Interpreter interpreter_{
      model_.view(), MockKernels(), arena_.start(), kLosableArenaBytes, {.resource_variable_count = 2}};
};

TEST_F(SuspendedInterpreter, AnswersEveryQueryWithoutReadingTheLostArena) {
  ArenaSeal seal;
  ASSERT_EQ(interpreter_.Suspend(&seal), Ok());
  arena_.LoseAndClose();
  Interpreter& suspended = interpreter_;
  EXPECT_EQ(suspended.state(), InterpreterState::kSuspended);

  EXPECT_EQ(suspended.arena_used_bytes(), 0u);
  EXPECT_EQ(suspended.head_bytes(), 0u);
  EXPECT_EQ(suspended.tail_bytes(), 0u);
  EXPECT_EQ(suspended.lost_tail_bytes(), 0u);
  EXPECT_EQ(suspended.image_bytes(), 0u);
  EXPECT_EQ(suspended.resource_variable_count(), 0u);
  EXPECT_EQ(suspended.scratch_count(), 0u);
  EXPECT_EQ(suspended.planner(), nullptr);
  EXPECT_EQ(suspended.allocator(), nullptr);
  EXPECT_EQ(suspended.kernel_of(0), nullptr);
  EXPECT_TRUE(suspended.inputs().empty());
  EXPECT_TRUE(suspended.outputs().empty());
  EXPECT_FALSE(suspended.failed_operator().known());

  std::span<std::byte> bytes;
  std::size_t number = 0;
  std::array<std::byte, 16> buffer{};
  ArenaSeal another;
  EXPECT_EQ(suspended.TensorBytes(0, &bytes).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.TensorOffset(0, &number).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.ScratchBytes(0, &bytes).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.SaveImage(buffer, &number).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.Suspend(&another).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.Invoke().code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.AllocateTensors().code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.Reset().code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.ResetVariable(0).code, StatusCode::kRuntimeState);
  EXPECT_EQ(suspended.RegisterPreallocatedTensor(0, 1, buffer.data(), buffer.size()).code,
            StatusCode::kPreallocatedTooLate);
  EXPECT_EQ(suspended.SetExternalContext(&number), Ok());

  arena_.BringBack();
  ASSERT_EQ(suspended.Resume(seal), Ok());
  EXPECT_GT(suspended.arena_used_bytes(), 0u);
  EXPECT_EQ(suspended.scratch_count(), 3u);
  ExpectRuns(suspended);
}

TEST_F(SuspendedInterpreter, CanBeDestroyedWhileItsArenaIsLost) {
  LosableArena arena;
  {
    Interpreter interpreter(model_.view(), MockKernels(), arena.start(), kLosableArenaBytes);
    ASSERT_TRUE(interpreter.AllocateTensors().ok());
    ArenaSeal seal;
    ASSERT_EQ(interpreter.Suspend(&seal), Ok());
    arena.LoseAndClose();
  }
}

TEST_F(SuspendedInterpreter, ResumesWithNoOtherInterpretersSeal) {
  LosableArena whole;
  Interpreter other(model_.view(), MockKernels(), whole.start(), kLosableArenaBytes);
  ASSERT_TRUE(other.AllocateTensors().ok());
  ArenaSeal own, foreign;
  ASSERT_EQ(interpreter_.Suspend(&own), Ok());
  ASSERT_EQ(other.Suspend(&foreign), Ok());
  arena_.LoseAndClose();
  EXPECT_EQ(interpreter_.Resume(foreign).code, StatusCode::kArenaImageForeign);
  EXPECT_EQ(interpreter_.state(), InterpreterState::kSuspended);
  EXPECT_EQ(interpreter_.Invoke().code, StatusCode::kRuntimeState);
  arena_.OpenAsLost();
  EXPECT_EQ(interpreter_.Resume(own).code, StatusCode::kArenaImageDamaged);
  arena_.BringBack();
  ASSERT_EQ(interpreter_.Resume(own), Ok());
  ExpectRuns(interpreter_);
  ASSERT_EQ(other.Resume(foreign), Ok());
  ExpectRuns(other);
}

TEST_F(SuspendedInterpreter, ResumesWithNoEarlierSealOfItsOwn) {
  ArenaSeal earlier, latest;
  ASSERT_EQ(interpreter_.Suspend(&earlier), Ok());
  ASSERT_EQ(interpreter_.Resume(earlier), Ok());
  ExpectRuns(interpreter_, 40);
  ASSERT_EQ(interpreter_.Suspend(&latest), Ok());
  EXPECT_EQ(interpreter_.Resume(earlier).code, StatusCode::kArenaImageForeign);
  EXPECT_EQ(interpreter_.Resume(latest), Ok());
}

TEST_F(SuspendedInterpreter, TellsADamagedSealFromAGoodOneBeforeItReadsAnything) {
  ArenaSeal seal;
  ASSERT_EQ(interpreter_.Suspend(&seal), Ok());
  arena_.LoseAndClose();
  for (std::size_t bit = 0; bit < 8 * sizeof seal; ++bit) {
    std::array<std::byte, sizeof(ArenaSeal)> bytes;
    std::memcpy(bytes.data(), &seal, sizeof seal);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    ArenaSeal damaged;
    std::memcpy(&damaged, bytes.data(), sizeof damaged);
    ASSERT_EQ(interpreter_.Resume(damaged).code, StatusCode::kArenaImageMalformed) << "bit " << bit;
    ASSERT_EQ(CheckSeal(damaged).code, StatusCode::kArenaImageMalformed) << "bit " << bit;
  }
  arena_.BringBack();
  EXPECT_EQ(CheckSeal(seal), Ok());
  ASSERT_EQ(interpreter_.Resume(seal), Ok());
  ExpectRuns(interpreter_);
}

TEST_F(SuspendedInterpreter, NoticesEveryByteOfHeadAndTailThatDidNotComeBack) {
  ArenaSeal seal;
  const std::size_t head_bytes = interpreter_.head_bytes(), tail_bytes = interpreter_.tail_bytes();
  ASSERT_EQ(interpreter_.Suspend(&seal), Ok());
  for (std::size_t i = 0; i < kLosableArenaBytes; ++i) {
    if (i >= head_bytes && i < kLosableArenaBytes - tail_bytes) continue;
    arena_.start()[i] ^= std::byte{4};
    ASSERT_EQ(interpreter_.Resume(seal).code, StatusCode::kArenaImageDamaged) << "byte " << i;
    arena_.start()[i] ^= std::byte{4};
  }
  ASSERT_EQ(interpreter_.Resume(seal), Ok());
  ExpectRuns(interpreter_);
}

TEST_F(SuspendedInterpreter, HasAnAllocatorOfItsOwn) {
  LosableArena arena;
  ModelAllocator* allocator = nullptr;
  ASSERT_TRUE(ModelAllocator::Create(arena.start(), kLosableArenaBytes, {}, &allocator).ok());
  Interpreter one(model_.view(), MockKernels(), *allocator), other(model_.view(), MockKernels(), *allocator);
  ASSERT_TRUE(one.AllocateTensors().ok());
  ArenaSeal seal;
  EXPECT_EQ(one.Suspend(&seal).code, StatusCode::kSuspendShared);
  EXPECT_EQ(one.state(), InterpreterState::kInvoke);
  EXPECT_EQ(one.Resume(seal).code, StatusCode::kRuntimeState);
  ASSERT_TRUE(other.AllocateTensors().ok());
  ExpectRuns(one);
  ExpectRuns(other);
}

}  // namespace
}  // namespace arenaproof::testing
