// The runtime is a subject too: while it plans, sets up records, copies tensors or fills variables it may touch its own
// list of bytes only, and what crosses a boundary is named.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/sanitizers/checked_model.h"
#include "tests/sanitizers/mock_operator.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

// Plans like the greedy planner, and touches what it was not given.
class StrayPlanner final : public MemoryPlanner {
 public:
  enum class Stray : std::uint8_t { kNone, kWritesBehind, kReadsBehind };

  explicit StrayPlanner(Stray stray) : stray_(stray) {}
  Status Init(std::span<std::byte> workspace) override {
    workspace_ = workspace;
    return greedy_.Init(workspace);
  }
  std::size_t WorkspaceBytes(std::size_t count) const override { return greedy_.WorkspaceBytes(count); }
  Status AddBuffer(std::size_t bytes, std::int32_t first, std::int32_t last, std::int64_t offset) override {
    return greedy_.AddBuffer(bytes, first, last, offset);
  }
  std::size_t BufferCount() const override { return greedy_.BufferCount(); }
  Status MaximumBytes(std::size_t* maximum_bytes) override {
    volatile std::byte* const end = workspace_.data() + workspace_.size();
    const std::byte lies_there = stray_ == Stray::kNone ? std::byte{} : end[16];
    if (stray_ == Stray::kWritesBehind) end[16] = lies_there;
    return greedy_.MaximumBytes(maximum_bytes);
  }
  Status OffsetOf(std::size_t index, std::size_t* offset) override { return greedy_.OffsetOf(index, offset); }
  const char* name() const override { return "stray"; }
  bool supports_offline() const override { return true; }
  bool preserves_all_tensors() const override { return false; }

 private:
  const Stray stray_;
  GreedyPlanner greedy_;
  std::span<std::byte> workspace_;
};

class WatchedRuntime : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!MakeInstrument(GetParam())->Available().ok()) {
      GTEST_SKIP() << "the instrument " << GetParam() << " is not compiled into this build";
    }
  }
  static std::filesystem::path SeedModel(const char* name) {
    return SourceFolder() / "corpus/models" / (std::string(name) + ".tflite");
  }
};
INSTANTIATE_TEST_SUITE_P(By, WatchedRuntime, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(WatchedRuntime, NamesThePlannerThatWritesBehindItsWorkspace) {
  StrayPlanner planner(StrayPlanner::Stray::kWritesBehind);
  CheckedModel model(GetParam(), Layout::kFaithful);
  model.PlanWith(planner);
  ASSERT_TRUE(model.Run(SeedModel("sine_regressor_int8"), "reference").ok());
  ASSERT_FALSE(model.groups().empty());
  const Violation& written = model.groups().back();
  EXPECT_TRUE(written.write);
  EXPECT_EQ(written.op.phase, OperatorPhase::kRuntime);
  EXPECT_EQ(written.op.index, -1);
  EXPECT_EQ(written.operand.kind, OperandKind::kWorkspace);
  EXPECT_EQ(written.side, ViolationSide::kAfter);
  EXPECT_EQ(written.distance_bytes, 17U);
  EXPECT_EQ(written.state_kind, ByteState::kTail);
  EXPECT_THAT(ViolationSentence(written, ""),
              ::testing::StartsWith("the runtime, planning, writes up to 17 bytes after workspace 0"));
}

TEST_P(WatchedRuntime, NamesThePlannerThatReadsBehindItsWorkspace) {
  StrayPlanner planner(StrayPlanner::Stray::kReadsBehind);
  CheckedModel model(GetParam(), Layout::kFaithful);
  model.PlanWith(planner);
  ASSERT_TRUE(model.Run(SeedModel("sine_regressor_int8"), "reference").ok());
  ASSERT_EQ(model.groups().size(), 1U);
  EXPECT_FALSE(model.groups()[0].write);
  EXPECT_EQ(model.groups()[0].operand.kind, OperandKind::kWorkspace);
  EXPECT_EQ(model.groups()[0].distance_bytes, 17U);
}

TEST_P(WatchedRuntime, IsCleanOverModelsWithVariablesCallsAndAPlannerOfTheirOwn) {
  for (const char* name : {"sine_regressor_int8", "fixed_plan_float", "control_loop_float", "control_branches_float",
                           "control_variables_float"}) {
    if (!std::filesystem::exists(SeedModel(name))) FAIL() << name;
    StrayPlanner planner(StrayPlanner::Stray::kNone);
    for (const bool own : {false, true}) {
      CheckedModel model(GetParam(), Layout::kFaithful);
      if (own) model.PlanWith(planner);
      const Status status = model.Run(SeedModel(name), "reference");
      ASSERT_TRUE(status.ok()) << name;
      EXPECT_THAT(model.groups(), ::testing::IsEmpty()) << name;
    }
  }
}

// Scopes as the runtime sends them, with accesses made by hand.
class HandmadeRuntimeWork : public MockOperators {
 protected:
  void SetUpAnew() {
    instrument_->OnDetach();
    instrument_ = MakeInstrument(GetParam());
    SetUp();
  }
  template <typename Work>
  void RunWork(RuntimeWork what, const std::vector<OperandRange>& operands, Work work) {
    instrument_->OnRuntimeWorkBegins({what, -1, operands});
    work();
    instrument_->OnRuntimeWorkEnds();
  }
};
INSTANTIATE_TEST_SUITE_P(By, HandmadeRuntimeWork, ::testing::Values("shadow", "asan"),
                         [](const auto& instance) { return instance.param; });

TEST_P(HandmadeRuntimeWork, OpensWhatItListsAndNothingElse) {
  const std::vector<OperandRange> copied = {{arena(128), 16, AccessRight::kRead, OperandKind::kSource, 0},
                                            {arena(256), 16, AccessRight::kWrite, OperandKind::kDestination, 0}};
  RunWork(RuntimeWork::kTensorCopy, copied, [&] {
    Load<std::uint64_t>(arena(128 + 8));
    Store<std::uint64_t>(arena(256 + 8));
  });
  EXPECT_EQ(groups().size(), 0U);
  RunWork(RuntimeWork::kTensorCopy, copied, [&] { Store<std::uint64_t>(arena(256 + 16)); });
  ASSERT_EQ(groups().size(), 1U);
  EXPECT_EQ(groups()[0].op.name, "the runtime, copying tensors");
  EXPECT_EQ(groups()[0].operand.kind, OperandKind::kDestination);
  EXPECT_EQ(groups()[0].distance_bytes, 8U);
  Store<std::uint64_t>(arena(512));  // everything is the runtime's again
  EXPECT_EQ(groups().size(), 1U);
}

// Accesses of every width, up to 64 bytes beside what a work lists.
struct StrayAccess {
  std::int64_t at;  // from the first byte of the list's only range, of 64
  std::size_t bytes;
  bool write;
};

constexpr std::int64_t kListedBytes = 64;

std::vector<StrayAccess> StrayAccesses() {
  std::vector<StrayAccess> accesses;
  for (const std::size_t bytes : {1U, 2U, 4U, 8U, 16U}) {
    const auto width = static_cast<std::int64_t>(bytes);
    for (const std::int64_t distance : {1, 2, 7, 8, 9, 16, 31, 64}) {
      for (const bool write : {false, true}) {
        accesses.push_back({-distance - width + 1, bytes, write});
        accesses.push_back({kListedBytes + distance - 1, bytes, write});
      }
    }
  }
  return accesses;
}

template <typename Word>
void Touch(std::byte* address, bool write) {
  write ? Store<Word>(address) : Load<Word>(address);
}

void Touch(std::byte* address, const StrayAccess& access) {
  switch (access.bytes) {
    case 1:
      return Touch<std::uint8_t>(address, access.write);
    case 2:
      return Touch<std::uint16_t>(address, access.write);
    case 4:
      return Touch<std::uint32_t>(address, access.write);
    case 8:
      return Touch<std::uint64_t>(address, access.write);
    default:
      return Touch<Vector16>(address, access.write);
  }
}

TEST_P(HandmadeRuntimeWork, NamesEveryAccessBesideWhatItLists) {
  const std::vector<std::pair<RuntimeWork, const char*>> works = {
      {RuntimeWork::kRecords, "the runtime, setting up records"},
      {RuntimeWork::kPlanning, "the runtime, planning"},
      {RuntimeWork::kTensorCopy, "the runtime, copying tensors"},
      {RuntimeWork::kVariableFill, "the runtime, filling variables"}};
  for (const auto& [work, words] : works) {
    SetUpAnew();
    std::int32_t index = 0;
    for (const StrayAccess& access : StrayAccesses()) {
      SCOPED_TRACE(std::string(words) + ": " + std::to_string(access.bytes) + (access.write ? " written" : " read") +
                   " at " + std::to_string(access.at));
      std::byte* const listed = arena(1024);
      const OperandRange range = {listed, kListedBytes, AccessRight::kReadWrite, OperandKind::kDestination, index};
      RunWork(work, {range}, [&] { Touch(listed + access.at, access); });
      ASSERT_EQ(groups().size(), static_cast<std::size_t>(index) + 1);
      const Violation& found = groups().back();
      const bool before = access.at < 0;
      const std::int64_t furthest =
          before ? -access.at : access.at + static_cast<std::int64_t>(access.bytes) - kListedBytes;
      EXPECT_EQ(found.op.phase, OperatorPhase::kRuntime);
      EXPECT_EQ(found.op.name, words);
      EXPECT_EQ(found.operand.index, index);
      EXPECT_EQ(found.write, access.write);
      EXPECT_EQ(found.count, 1U);
      EXPECT_EQ(found.side, before ? ViolationSide::kBefore : ViolationSide::kAfter);
      EXPECT_EQ(found.distance_bytes, static_cast<std::size_t>(furthest));
      EXPECT_EQ(found.max_width_bytes, access.bytes);
      ++index;
    }
  }
}

TEST_P(HandmadeRuntimeWork, InACallIsChargedToTheRuntimeAndThenTheCallerHasItsOwnAgain) {
  const std::vector<OperandRange> caller = {Input(arena(128), 16), Output(arena(256), 16)};
  const std::vector<OperandRange> filled = {{arena(512), 16, AccessRight::kWrite, OperandKind::kDestination, 3}};
  RunIn(0, 7, caller, [&] {
    instrument_->OnRuntimeEnters();
    RunWork(RuntimeWork::kVariableFill, filled, [&] {
      Store<std::uint64_t>(arena(512));
      Store<std::uint64_t>(arena(256));
    });
    instrument_->OnRuntimeLeaves();
    Load<std::uint64_t>(arena(128));
    Store<std::uint64_t>(arena(256));
    Load<std::uint64_t>(arena(512));
  });
  ASSERT_EQ(groups().size(), 2U);
  EXPECT_EQ(groups()[0].op.phase, OperatorPhase::kRuntime);
  EXPECT_EQ(groups()[0].operand.index, 3);
  EXPECT_EQ(groups()[1].op.index, 7);
  EXPECT_EQ(groups()[1].op.phase, OperatorPhase::kInvoke);
}

}  // namespace
}  // namespace arenaproof::testing
