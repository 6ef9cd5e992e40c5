// Every reference case of a planner that is called step by step, its state after each call. Where the reference places
// tensors over others that live with them, the planner refuses, and nothing has changed.
#include <gtest/gtest.h>

#include "core/planner/host/arena_planner.h"
#include "engine/oracles/host_planner/graph_run.h"
#include "tests/host_planner/golden_graph_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using nlohmann::json;

class StepwiseReplay {
 public:
  explicit StepwiseReplay(const json& golden)
      : graph_(GraphOf(golden.at("graph"))), planner_(graph_, OptionsOf(golden)), errs_(ReferenceErrs(golden)) {}

  // False when the planner refused what the reference does wrong, after which the two have nothing in common.
  bool Make(const json& call) {
    if (Change(call)) return true;
    const json before = State();
    const Status status = Call(call);
    if (errs_ && !status.ok()) {
      EXPECT_EQ(status.code, StatusCode::kArenaResetNeeded);
      EXPECT_EQ(State(), before) << "a refused call changes nothing";
      return false;
    }
    EXPECT_EQ(status.ok() ? 0 : 1, call.at("status").get<int>());
    json found = State();
    json expected;
    for (const auto& [key, value] : found.items()) expected[key] = call.at(key);
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {  // a left-over of the reference says nothing
      if (expected["offsets"][i] == "stale") found["offsets"][i] = "stale";
    }
    if (errs_) {
      differs_ = differs_ || found != expected;
    } else {
      EXPECT_EQ(found, expected);
    }
    return true;
  }

  // Of a whole graph that has been placed: no data are lost.
  std::string Faults() { return RunFaults(graph_); }
  bool differs() const { return differs_; }

 private:
  bool Change(const json& call) {
    const std::string name = call.at("call");
    if (name == "set_bytes") {
      graph_.tensors.at(call.at("tensor")).bytes = call.at("bytes");
    } else if (name == "set_type") {
      graph_.tensors.at(call.at("tensor")).kind = KindOf(call.at("type"));
      graph_.tensors.at(call.at("tensor")).data = nullptr;
    } else if (name == "add_tensor") {
      graph_.tensors.push_back({call.at("bytes").get<std::size_t>(), KindOf(call.at("type")), nullptr});
    } else if (name == "set_temporaries") {
      graph_.nodes.at(call.at("node")).temporaries = call.at("temporaries").get<std::vector<std::int32_t>>();
    } else if (name == "swap_graph") {
      graph_ = GraphOf(call.at("graph"));
    } else {
      return false;
    }
    return true;
  }

  Status Call(const json& call) {
    const std::string name = call.at("call");
    if (name == "PlanAllocations") return planner_.PlanAllocations();
    if (name == "ExecuteAllocations") return planner_.ExecuteAllocations(call.at("first"), call.at("last"));
    if (name == "ResetAllocations") return planner_.ResetAllocations();
    if (name == "ResetAllocationsAfter") return planner_.ResetAllocationsAfter(call.at("node"));
    if (name == "ReleaseNonPersistentMemory") return planner_.ReleaseNonPersistentMemory();
    if (name == "AcquireNonPersistentMemory") return planner_.AcquireNonPersistentMemory();
    ADD_FAILURE() << "no call is named '" << name << "'";
    return Ok();
  }

  json State() {
    return {{"offsets", OffsetsOf(planner_, graph_)},
            {"arena_bytes", planner_.GetAllocInfo().non_persistent},
            {"persistent_bytes", planner_.GetAllocInfo().persistent},
            {"has_memory", planner_.HasNonPersistentMemory()},
            {"base_null", planner_.BasePointer(ArenaTensorKind::kArena) == nullptr},
            {"persistent_base_null", planner_.BasePointer(ArenaTensorKind::kPersistentArena) == nullptr},
            {"shares", SharesOf(planner_)}};
  }

  SyntheticGraph graph_;
  ArenaPlanner planner_;
  bool errs_;
  bool differs_ = false;
};

TEST(ArenaPlanner, EqualsEveryReferenceCaseStepByStep) {
  const auto cases = GoldenCases("stepwise");
  if (cases.empty()) GTEST_SKIP() << SharedAbsent(kArenaPlannerCases);
  for (const json& golden : cases) {
    StepwiseReplay replay(golden);
    bool refused = false;
    for (std::size_t i = 0; i < golden.at("calls").size() && !refused; ++i) {
      SCOPED_TRACE(Title(golden) + ", call " + std::to_string(i));
      refused = !replay.Make(golden.at("calls")[i]);
    }
    SCOPED_TRACE(Title(golden));
    if (ReferenceErrs(golden)) {
      EXPECT_TRUE(refused || (replay.differs() && replay.Faults().empty())) << replay.Faults();
    }
  }
}

}  // namespace
}  // namespace arenaproof::testing
