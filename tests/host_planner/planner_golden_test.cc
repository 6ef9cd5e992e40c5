// Every reference case of the arena planner on whole graphs, with and without sharing. Where the file says that the
// reference errs, the planner has to differ and be right.
#include <gtest/gtest.h>

#include "core/planner/host/arena_planner.h"
#include "engine/oracles/host_planner/graph_run.h"
#include "tests/host_planner/golden_graph_support.h"
#include "tests/support/shared_files.h"

namespace arenaproof::testing {
namespace {

using nlohmann::json;

struct Planned {
  json shares_after_plan;
  json found;  // what the file has of a case
};

Planned PlanWhole(SyntheticGraph& graph, ArenaPlanner& planner) {
  Planned planned;
  const Status plan_status = planner.PlanAllocations();
  planned.shares_after_plan = SharesOf(planner);
  const Status status = planner.ExecuteAllocations(0, static_cast<std::int32_t>(graph.nodes.size()) - 1);
  planned.found = {{"plan_status", plan_status.ok() ? 0 : 1},
                   {"execute_status", status.ok() ? 0 : 1},
                   {"offsets", OffsetsOf(planner, graph)},
                   {"lifetimes", LifetimesOf(planner)},
                   {"arena_bytes", planner.GetAllocInfo().non_persistent},
                   {"persistent_bytes", planner.GetAllocInfo().persistent}};
  return planned;
}

void ExpectEqual(const json& golden, const Planned& planned) {
  for (const auto& [key, value] : planned.found.items()) EXPECT_EQ(value, golden.at(key)) << key;
  if (golden.contains("shares_after_plan")) {
    EXPECT_EQ(planned.shares_after_plan, golden.at("shares_after_plan"));
  }
}

// The reference leaves persistent tensors without memory: they have some, and all others lie where they do there.
void ExpectMemoryInstead(const json& golden, const Planned& planned) {
  std::size_t without = 0;
  for (const auto& [key, value] : planned.found.items()) {
    if (key == "persistent_bytes") continue;
    json expected = golden.at(key);
    for (std::size_t i = 0; key == "offsets" && i < expected.size(); ++i) {
      const json& tensor = golden.at("graph").at("tensors").at(i);
      if (tensor.at(1) != "persistent") continue;
      EXPECT_FALSE(value[i].is_null() && !expected[i].is_null()) << "tensor " << i;
      without += expected[i].is_null() && !value[i].is_null() ? 1 : 0;
      expected[i] = value[i];
    }
    EXPECT_EQ(value, expected) << key;
  }
  EXPECT_GT(without, 0u);
  EXPECT_GT(planned.found.at("persistent_bytes"), golden.at("persistent_bytes"));
  EXPECT_EQ(planned.shares_after_plan, golden.at("shares_after_plan"));
}

// The reference loses data: not so here.
void ExpectRightInstead(const json& golden, const Planned& planned) {
  if (golden.at("defect_kind") == "no_memory") return ExpectMemoryInstead(golden, planned);
  EXPECT_EQ(planned.found.at("execute_status"), 0);
  EXPECT_NE(planned.shares_after_plan, golden.at("shares_after_plan")) << "fewer tensors share their bytes";
  EXPECT_NE(planned.found.at("offsets"), golden.at("offsets"));
}

// One place instead of two, so no more memory; the tensor keeps its place for all of its nodes.
void ExpectPlacedOnce(const json& golden, const ArenaPlanner& planner) {
  EXPECT_LE(planner.GetAllocInfo().non_persistent, golden.at("arena_bytes").get<std::size_t>());
  std::vector<int> places(planner.tensors().size());
  for (const Allocation& each : planner.arena(ArenaTensorKind::kArena).active()) {
    places[static_cast<std::size_t>(each.tensor)] += 1;
  }
  for (const int count : places) EXPECT_LE(count, 1);
}

void RunKind(const std::string& kind) {
  const auto cases = GoldenCases(kind);
  if (cases.empty()) GTEST_SKIP() << SharedAbsent(kArenaPlannerCases);
  for (const json& golden : cases) {
    SCOPED_TRACE(Title(golden));
    SyntheticGraph graph = GraphOf(golden.at("graph"));
    ArenaPlanner planner(graph, OptionsOf(golden));
    const Planned planned = PlanWhole(graph, planner);
    EXPECT_EQ(RunFaults(graph), "");
    if (ReferenceErrs(golden)) {
      ExpectRightInstead(golden, planned);
    } else if (PlacesTwice(golden)) {
      ExpectPlacedOnce(golden, planner);
    } else {
      ExpectEqual(golden, planned);
      if (golden.contains("shares")) {
        EXPECT_EQ(SharesOf(planner), golden.at("shares"));
      }
    }
  }
}

TEST(ArenaPlanner, EqualsEveryReferenceCaseOfAWholeGraph) { RunKind("static"); }
TEST(ArenaPlanner, EqualsEveryReferenceCaseOfSharing) { RunKind("sharing"); }

}  // namespace
}  // namespace arenaproof::testing
