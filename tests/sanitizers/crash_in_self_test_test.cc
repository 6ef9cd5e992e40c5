// A thread that a kernel has left behind may end the process while an instrument tests itself between two runs: what
// the test has planted is no access of a kernel.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sanitizers/instrument/access_instrument.h"
#include "sanitizers/instrument/checked_memory.h"

namespace arenaproof::testing {
namespace {

// Logs one access while it is attached, and is detached in the middle of that, as the report of a crash does it.
class DetachedInSelfTest final : public AccessInstrument {
 public:
  const char* name() const override { return "detached"; }
  Status Available() const override { return Ok(); }
  bool BeginOtherRun() override {
    KeepLog();
    return true;
  }
  void LogOne(const char* operator_name) {
    OperatorScope scope;
    scope.operator_name = operator_name;
    scope.kernel_name = "mock";
    OnOperatorBegins(scope);
    LogRun({.begin = 0, .end = 1, .side = ViolationSide::kFar}, 1, true);
    OnOperatorEnds();
  }
  bool ends = false;
  std::vector<std::string> reported;  // the operators of what the log holds then

 private:
  void Start(std::span<const WatchedRegion>) override {}
  void Close(std::span<const OperandRange>) override {}
  void Open(std::span<const OperandRange>) override {}
  void Stop() override {}
  void MakePlantedAccesses(std::byte*) override {
    LogOne("self-test");
    if (!ends) return;
    OnDetach();
    for (const Violation& group : log().groups()) reported.push_back(group.op.name);
  }
};

TEST(CrashInSelfTest, LeavesTheAccessesOfTheRunBefore) {
  CheckedMemory arena(512), model(64);
  std::memset(arena.data(), 0, arena.bytes());
  DetachedInSelfTest instrument;
  const auto attach = [&] { instrument.OnAttach({arena.data(), arena.bytes()}, {model.data(), model.bytes()}); };
  attach();
  EXPECT_TRUE(instrument.log().groups().empty());
  instrument.LogOne("RELU");
  ASSERT_TRUE(instrument.BeginOtherRun());
  instrument.OnDetach();
  instrument.ends = true;
  attach();
  EXPECT_EQ(instrument.reported, std::vector<std::string>{"RELU"});
}

}  // namespace
}  // namespace arenaproof::testing
