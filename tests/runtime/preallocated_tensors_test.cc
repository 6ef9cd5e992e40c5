// Buffers of the application that serve tensors: what is refused, that the plan goes without them, and that nobody
// else writes there.
#include "core/runtime/interpreter/preallocated_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/model/offline_plan.h"
#include "engine/harness/event_log.h"
#include "test_arena_support.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof::testing {
namespace {

struct alignas(64) Buffer {
  Buffer() { bytes.fill(std::byte{0xC3}); }
  std::byte* at(std::size_t offset) { return bytes.data() + offset; }
  std::array<std::byte, 1024> bytes;
};

// Chain of three operators over tensors of 100 bytes, with a constant, a variable, and a resource handle in it.
class PreallocatedTensorsTest : public ::testing::Test {
 protected:
  PreallocatedTensorsTest() {
    SubgraphSpec& graph = builder_.AddSubgraph();
    for (int i = 0; i < 4; ++i) graph.AddTensor({.type = TensorType::kInt8, .shape = {{100}}});
    const std::uint32_t data = builder_.AddBufferOf(std::vector<std::int8_t>(100));
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{100}}, .buffer = data});
    graph.AddTensor({.type = TensorType::kInt8, .shape = {{100}}, .is_variable = true});
    graph.AddTensor({.type = TensorType::kResource, .shape = {{1}}});
    const std::uint32_t abs = builder_.AddCode(BuiltinOperator::kAbs);
    graph.AddOperator({.code = abs, .inputs = {0, 4, 5}, .outputs = {1}});
    graph.AddOperator({.code = abs, .inputs = {1}, .outputs = {2}});
    graph.AddOperator({.code = abs, .inputs = {2}, .outputs = {3}});
    graph.AddOperator(
        {.code = builder_.AddCode(BuiltinOperator::kVarHandle), .outputs = {6}, .options = VarHandleOptions{"a", "b"}});
    graph.inputs = {0};
    graph.outputs = {3};
  }

  const ModelView& Model() {
    if (file_.empty()) {
      file_ = builder_.Finish();
      EXPECT_TRUE(ModelView::Open(file_, &view_).ok());
      tensors_.KeepClearOf({arena_.start(), arena_.bytes()});
    }
    return view_;
  }
  void AddOfflinePlan(const std::vector<std::int32_t>& offsets) {
    std::vector<std::byte> plan(OfflinePlanBytes(offsets.size()));
    EncodeOfflinePlan({1, 0}, offsets, plan);
    builder_.AddMetadata(std::string(kOfflinePlanName), plan);
  }
  Status Register(std::int32_t tensor, std::byte* buffer, std::size_t bytes, std::int32_t subgraph = 0) {
    return tensors_.Register(Model(), subgraph, tensor, buffer, bytes);
  }

  ModelBuilder builder_;
  std::vector<std::byte> file_;
  ModelView view_;
  TestArena arena_{4096};
  Buffer buffer_;
  PreallocatedTensors tensors_;
};

TEST_F(PreallocatedTensorsTest, MayBeInputsOutputsAndWhatIsBetween) {
  EXPECT_EQ(Register(0, buffer_.at(0), 100), Ok());
  EXPECT_EQ(Register(3, buffer_.at(112), 100), Ok());
  EXPECT_EQ(Register(1, buffer_.at(224), 800), Ok()) << "a buffer may be longer than its tensor";
  EXPECT_EQ(tensors_.count(), 3u);
}

TEST_F(PreallocatedTensorsTest, HaveToExist) {
  EXPECT_EQ(Register(0, buffer_.at(0), 100, 1), Failure(StatusCode::kPreallocatedSubgraph, 1, 1));
  EXPECT_EQ(Register(0, buffer_.at(0), 100, -1).code, StatusCode::kPreallocatedSubgraph);
  EXPECT_EQ(Register(7, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedTensor, 0, 7, 7));
  EXPECT_EQ(Register(-1, buffer_.at(0), 100).code, StatusCode::kPreallocatedTensor);
  EXPECT_EQ(tensors_.count(), 0u);
}

TEST_F(PreallocatedTensorsTest, AreNotWhatNoPlannerPlaces) {
  EXPECT_EQ(Register(4, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedConstant, 0, 4));
  EXPECT_EQ(Register(5, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedVariable, 0, 5));
  EXPECT_EQ(Register(6, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedResource, 0, 6, 3));
  EXPECT_EQ(tensors_.count(), 0u);
}

TEST_F(PreallocatedTensorsTest, TakeOneBufferEach) {
  ASSERT_EQ(Register(1, buffer_.at(0), 100), Ok());
  EXPECT_EQ(Register(1, buffer_.at(512), 100), Failure(StatusCode::kPreallocatedTwice, 0, 1, 0));
  EXPECT_EQ(tensors_.count(), 1u);
}

TEST_F(PreallocatedTensorsTest, NeedABufferThatIsThereAlignedAndLongEnough) {
  EXPECT_EQ(Register(1, nullptr, 100), Failure(StatusCode::kPreallocatedNull, 0, 1));
  EXPECT_EQ(Register(1, buffer_.at(8), 100), Failure(StatusCode::kPreallocatedMisaligned, 0, 1, 8, 16));
  EXPECT_EQ(Register(1, buffer_.at(0), 99), Failure(StatusCode::kPreallocatedTooShort, 0, 1, 99, 100));
  const std::size_t endless = ~std::size_t{0} - reinterpret_cast<std::uintptr_t>(buffer_.at(0)) + 1;
  EXPECT_EQ(Register(1, buffer_.at(0), endless), Failure(StatusCode::kPreallocatedWraps, 0, 1, endless));
  EXPECT_EQ(tensors_.count(), 0u);
}

TEST_F(PreallocatedTensorsTest, MayNotLieInTheArenaOrReachIntoIt) {
  EXPECT_EQ(Register(1, arena_.start() + 16, 100), Failure(StatusCode::kPreallocatedOverlapsArena, 0, 1));
  EXPECT_EQ(Register(1, arena_.start() + 4080, 100), Failure(StatusCode::kPreallocatedOverlapsArena, 0, 1));
  PreallocatedTensors of_two;
  of_two.KeepClearOf({arena_.start(), 1024});
  of_two.KeepClearOf({buffer_.at(512), 512});
  EXPECT_EQ(of_two.Register(Model(), 0, 1, buffer_.at(416), 112).code, StatusCode::kPreallocatedOverlapsArena);
  EXPECT_EQ(of_two.Register(Model(), 0, 1, buffer_.at(400), 112), Ok());
}

TEST_F(PreallocatedTensorsTest, MayNotShareBytesWithTheModelOrEachOther) {
  const std::byte* inside = Model().bytes().data() + 15;
  inside -= reinterpret_cast<std::uintptr_t>(inside) % 16;
  EXPECT_EQ(Register(1, const_cast<std::byte*>(inside), 100), Failure(StatusCode::kPreallocatedOverlapsModel, 0, 1));
  ASSERT_EQ(Register(1, buffer_.at(256), 128), Ok());
  EXPECT_EQ(Register(2, buffer_.at(368), 100), Failure(StatusCode::kPreallocatedOverlapsBuffer, 0, 2, 0, 1));
  EXPECT_EQ(Register(2, buffer_.at(160), 100), Failure(StatusCode::kPreallocatedOverlapsBuffer, 0, 2, 0, 1));
  EXPECT_EQ(Register(2, buffer_.at(144), 112), Ok()) << "neighbours share nothing";
}

TEST_F(PreallocatedTensorsTest, MayNotHaveAPlaceInAnOfflinePlan) {
  AddOfflinePlan({-1, 128, 0, -1, -1, -1, -1});
  EXPECT_EQ(Register(1, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedOfflinePlanned, 0, 1, 128));
  EXPECT_EQ(Register(2, buffer_.at(0), 100), Failure(StatusCode::kPreallocatedOfflinePlanned, 0, 2, 0));
  EXPECT_EQ(tensors_.count(), 0u);
  EXPECT_EQ(Register(3, buffer_.at(0), 100), Ok()) << "planned at run time";
}

TEST_F(PreallocatedTensorsTest, AreRefusedWithAnOfflinePlanThatCannotBeRead) {
  AddOfflinePlan({-1, -1, -1});
  const Status status = Register(1, buffer_.at(0), 100);
  EXPECT_FALSE(status.ok());
  std::int32_t offset = 0;
  EXPECT_EQ(status, OfflineOffsetOf(Model(), 0, 1, &offset));
  EXPECT_EQ(tensors_.count(), 0u);
}

TEST(PreallocatedTensors, AreAsManyAsAnInterpreterKeeps) {
  const SmallModel model(Chain(40, 4));
  Buffer buffer;
  PreallocatedTensors tensors;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(kMaxPreallocatedTensors); ++i) {
    ASSERT_EQ(tensors.Register(model.view(), 0, i, buffer.at(16 * static_cast<std::size_t>(i)), 16), Ok());
  }
  EXPECT_EQ(tensors.Register(model.view(), 0, 39, buffer.at(1008), 16),
            Failure(StatusCode::kPreallocatedLimit, 0, 39, kMaxPreallocatedTensors));
}

// ---- in an interpreter: every operator adds one to each byte

void AddOne() {
  Mock().prepare = [](PrepareContext& context) -> Status {
    EXPECT_EQ(context.inputs[0].data, nullptr) << "no operator's prepare sees the data";
    EXPECT_EQ(context.outputs[0].data, nullptr);
    return Ok();
  };
  Mock().invoke = [](const InvokeContext& context) -> Status {
    for (std::size_t i = 0; i < context.inputs[0].bytes; ++i) {
      context.outputs[0].data[i] = static_cast<std::byte>(std::to_integer<int>(context.inputs[0].data[i]) + 1);
    }
    return Ok();
  };
}

class PreallocatedInAnInterpreter : public ::testing::Test {
 protected:
  PreallocatedInAnInterpreter() { AddOne(); }

  void Run(Interpreter& interpreter, int value) {
    std::fill_n(interpreter.inputs()[0].data, 100, static_cast<std::byte>(value));
    ASSERT_EQ(interpreter.Invoke(), Ok());
    for (std::size_t i = 0; i < 100; ++i) {
      ASSERT_EQ(interpreter.outputs()[0].data[i], static_cast<std::byte>(value + 3));
    }
  }
  bool Untouched(std::size_t from, std::size_t to) const {
    return std::all_of(buffer_.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                       buffer_.bytes.begin() + static_cast<std::ptrdiff_t>(to),
                       [](std::byte byte) { return byte == std::byte{0xC3}; });
  }

  const MockScope scope_;
  SmallModel model_{Chain(3, 100)};
  TestArena arena_{8192};
  Buffer buffer_;
  EventLog log_;
};

TEST_F(PreallocatedInAnInterpreter, ATensorsPointerIsTheRegisteredOneAndThePlannerNeverSeesIt) {
  const auto interpreter = MakeInterpreter(model_, arena_, {.observer = &log_});
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer_.at(64), 200), Ok());
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  std::span<std::byte> bytes;
  ASSERT_EQ(interpreter->TensorBytes(1, &bytes), Ok());
  EXPECT_EQ(bytes.data(), buffer_.at(64));
  EXPECT_EQ(bytes.size(), 100u);
  std::size_t offset = 0;
  EXPECT_EQ(interpreter->TensorOffset(1, &offset).code, StatusCode::kTensorNotPlanned);
  EXPECT_EQ(interpreter->planner()->BufferCount(), 3u) << "of four tensors";
  Run(*interpreter, 5);
  EXPECT_EQ(buffer_.bytes[64], std::byte{6});
  EXPECT_TRUE(Untouched(0, 64));
  EXPECT_TRUE(Untouched(164, 1024));
}

TEST_F(PreallocatedInAnInterpreter, GraphInputsAndOutputsShowTheCallersAddress) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 0, buffer_.at(0), 100), Ok());
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 3, buffer_.at(112), 100), Ok());
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->inputs()[0].data, buffer_.at(0));
  EXPECT_EQ(interpreter->outputs()[0].data, buffer_.at(112));
  ASSERT_EQ(interpreter->Reset(), Ok());
  EXPECT_TRUE(Untouched(0, 1024)) << "neither set-up nor reset writes there";
  Run(*interpreter, 200);
}

TEST_F(PreallocatedInAnInterpreter, WithEveryTensorOutsideThereIsNoHead) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  for (std::int32_t i = 0; i < 4; ++i) {
    ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, i, buffer_.at(112 * static_cast<std::size_t>(i)), 100), Ok());
  }
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->head_bytes(), 0u);
  Run(*interpreter, 0);
}

TEST_F(PreallocatedInAnInterpreter, AnAllocationThatPreservesAllTensorsSkipsThemAlike) {
  const TestArena large(16384);
  const auto interpreter = MakeInterpreter(model_, large, {.preserve_all_tensors = true});
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer_.at(0), 100), Ok());
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->planner()->BufferCount(), 3u);
  EXPECT_EQ(interpreter->head_bytes(), 3u * 112);
  Run(*interpreter, 9);
}

TEST_F(PreallocatedInAnInterpreter, EveryAllocateTensorsAppliesTheRegistrationsAgain) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 2, buffer_.at(0), 100), Ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(interpreter->AllocateTensors(), Ok());
    std::span<std::byte> bytes;
    ASSERT_EQ(interpreter->TensorBytes(2, &bytes), Ok());
    EXPECT_EQ(bytes.data(), buffer_.at(0));
    EXPECT_EQ(interpreter->planner()->BufferCount(), 3u);
    Run(*interpreter, i);
  }
}

TEST_F(PreallocatedInAnInterpreter, ARegistrationAfterTheAllocationIsTooLate) {
  const auto interpreter = MakeInterpreter(model_, arena_);
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer_.at(0), 100),
            Failure(StatusCode::kPreallocatedTooLate, 0, 1));
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  EXPECT_EQ(interpreter->planner()->BufferCount(), 4u);
}

TEST_F(PreallocatedInAnInterpreter, AfterAFailedAllocationThereIsStillTimeToRegister) {
  const TestArena small(sizeof(void*) == 8 ? 1100 : 550);
  const auto interpreter = MakeInterpreter(model_, small);
  const Status too_small = interpreter->AllocateTensors();
  ASSERT_FALSE(too_small.ok());
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer_.at(0), 100), Ok());
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 2, buffer_.at(112), 100), Ok());
}

TEST_F(PreallocatedInAnInterpreter, TheListOfAnOperatorOpensTheBufferWhileItRunsAndNotInPrepare) {
  const auto interpreter = MakeInterpreter(model_, arena_, {.observer = &log_});
  ASSERT_EQ(interpreter->RegisterPreallocatedTensor(0, 1, buffer_.at(0), 100), Ok());
  ASSERT_EQ(interpreter->AllocateTensors(), Ok());
  ASSERT_EQ(interpreter->Invoke(), Ok());
  int in_invoke = 0;
  for (std::size_t i = 0; i < log_.scopes.size(); ++i) {
    for (const OperandRange& range : log_.ranges[i]) {
      if (range.data != buffer_.at(0)) continue;
      EXPECT_EQ(log_.scopes[i].phase, OperatorPhase::kInvoke);
      EXPECT_EQ(range.bytes, 100u);
      EXPECT_EQ(range.right, log_.scopes[i].operator_index == 0 ? AccessRight::kReadWrite : AccessRight::kRead);
      ++in_invoke;
    }
  }
  EXPECT_EQ(in_invoke, 2) << "its writer and its reader";
}

}  // namespace
}  // namespace arenaproof::testing
