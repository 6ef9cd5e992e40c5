// No plan is trusted, whoever made it.
#include <gtest/gtest.h>

#include "engine/harness/event_log.h"
#include "test_arena_support.h"

namespace arenaproof::testing {
namespace {

// Gives the offsets that a test sets.
class ScriptedPlanner final : public MemoryPlanner {
 public:
  explicit ScriptedPlanner(std::vector<std::size_t> offsets, std::size_t maximum_bytes)
      : offsets_(std::move(offsets)), maximum_bytes_(maximum_bytes) {}
  Status Init(std::span<std::byte>) override {
    count_ = 0;
    return Ok();
  }
  std::size_t WorkspaceBytes(std::size_t) const override { return 0; }
  Status AddBuffer(std::size_t, std::int32_t, std::int32_t, std::int64_t) override {
    ++count_;
    return Ok();
  }
  std::size_t BufferCount() const override { return forgetful ? count_ - 1 : count_; }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    *maximum_bytes = maximum_bytes_;
    return Ok();
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override {
    *offset = offsets_[index];
    return Ok();
  }
  const char* name() const override { return "scripted"; }
  bool supports_offline() const override { return false; }
  bool preserves_all_tensors() const override { return claims_to_preserve; }

  bool forgetful = false;
  bool claims_to_preserve = false;

 private:
  std::vector<std::size_t> offsets_;
  std::size_t maximum_bytes_;
  std::size_t count_ = 0;
};

class Planners : public ::testing::Test {
 protected:
  // Three tensors of 32 bytes: 0 lives with 1, 1 with 2.
  Status AllocateWith(ScriptedPlanner& planner, bool preserve_all_tensors = false) {
    const MockScope mock;
    log_.lines.clear();
    interpreter_ = MakeInterpreter(
        model_, arena_, {.planner = &planner, .observer = &log_, .preserve_all_tensors = preserve_all_tensors});
    return interpreter_->AllocateTensors();
  }
  // No plan was announced, the head is empty, and no tensor got an address.
  void ExpectNothingReserved() {
    for (const std::string& line : log_.lines) EXPECT_NE(line.substr(0, 4), "plan") << line;
    EXPECT_EQ(interpreter_->head_bytes(), 0u);
    EXPECT_EQ(interpreter_->Invoke().code, StatusCode::kRuntimeState);
  }

  SmallModel model_{Chain(2, 32)};
  TestArena arena_{4096};
  EventLog log_;
  std::unique_ptr<Interpreter> interpreter_;
};

TEST_F(Planners, AUsersSoundPlanIsUsedAsItIs) {
  ScriptedPlanner planner({64, 0, 64}, 128);
  ASSERT_TRUE(AllocateWith(planner).ok());
  EXPECT_EQ(interpreter_->head_bytes(), 128u);
  std::size_t offset = 0;
  ASSERT_TRUE(interpreter_->TensorOffset(2, &offset).ok());
  EXPECT_EQ(offset, 64u);
  EXPECT_EQ(interpreter_->planner(), &planner);
}

TEST_F(Planners, TensorsAliveTogetherMayNotShareAByte) {
  ScriptedPlanner planner({0, 16, 64}, 96);
  EXPECT_EQ(AllocateWith(planner).code, StatusCode::kPlanSharedBytes);
  ExpectNothingReserved();
}

TEST_F(Planners, AMisalignedPlanIsRefused) {
  ScriptedPlanner planner({0, 40, 0}, 128);
  EXPECT_EQ(AllocateWith(planner).code, StatusCode::kPlanMisaligned);
  ExpectNothingReserved();
}

TEST_F(Planners, APlanLargerThanItSaysIsRefused) {
  ScriptedPlanner planner({0, 32, 0}, 48);
  EXPECT_EQ(AllocateWith(planner).code, StatusCode::kPlanOutsideHead);
  ExpectNothingReserved();
}

TEST_F(Planners, AnOffsetNearTheEndOfTheAddressSpaceIsRefused) {
  ScriptedPlanner planner({0, SIZE_MAX - 15, 0}, 64);
  EXPECT_EQ(AllocateWith(planner).code, StatusCode::kPlanOutsideHead);
  ExpectNothingReserved();
}

TEST_F(Planners, APlanThatDoesNotFitTheArenaIsRefusedBeforeAnyAddressIsWritten) {
  ScriptedPlanner planner({0, 8192, 0}, 16384);
  EXPECT_EQ(AllocateWith(planner).code, StatusCode::kPlanDoesNotFit);
  ExpectNothingReserved();
}

TEST_F(Planners, APlannerThatForgetsABufferIsRefused) {
  ScriptedPlanner planner({0, 32, 0}, 64);
  planner.forgetful = true;
  EXPECT_EQ(AllocateWith(planner), Failure(StatusCode::kPlannerBufferCount, 3, 2));
  ExpectNothingReserved();
}

TEST_F(Planners, OneThatSaysItPreservesAllTensorsIsHeldToIt) {
  ScriptedPlanner sharing({64, 0, 64}, 128);
  ASSERT_TRUE(AllocateWith(sharing).ok()) << "0 and 2 are never alive together";
  sharing.claims_to_preserve = true;
  EXPECT_EQ(AllocateWith(sharing, true), Failure(StatusCode::kPlanSharedBytes, 0, 64, 2, 64));
  ExpectNothingReserved();
  EXPECT_EQ(AllocateWith(sharing).code, StatusCode::kPlanSharedBytes) << "also when nobody asked for it";
  ScriptedPlanner partly({16, 64, 0}, 128);
  partly.claims_to_preserve = true;
  EXPECT_EQ(AllocateWith(partly, true), Failure(StatusCode::kPlanSharedBytes, 0, 16, 2, 0));
  ScriptedPlanner preserving({64, 0, 32}, 128);
  preserving.claims_to_preserve = true;
  EXPECT_EQ(AllocateWith(preserving, true), Ok());
}

}  // namespace
}  // namespace arenaproof::testing
