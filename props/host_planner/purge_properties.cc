// Purging changes nothing but speed (A13), executing twice changes nothing (A12), and a plan does not depend on where
// memory lies.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/planner/host/arena_planner.h"
#include "engine/harness/host_planner/session_graph.h"
#include "props/host_planner/session_draws.h"
#include "props/support/require.h"

namespace arenaproof::testing {
namespace {

// Allocations whose first nodes never go down, with and without a purge before each.
RC_GTEST_PROP(PurgeActive, ChangesNoOffset, ()) {
  SimpleArena purged(64);
  SimpleArena plain(64);
  std::int32_t node = 0;
  for (const SessionDraw& draw : *SessionDraws(60)) {
    node += draw.what % 3;
    if (draw.what >= 128) purged.PurgeActive(node);
    Allocation with;
    Allocation without;
    const std::size_t alignment = std::size_t{1} << (draw.c % 7);
    const std::size_t bytes = draw.a * (draw.c >= 128 ? 7u : 1u);
    const std::int32_t last = node + draw.b % 6;
    Require(purged.Allocate(alignment, bytes, 0, node, last, &with).ok(), "an allocation after a purge is granted");
    Require(plain.Allocate(alignment, bytes, 0, node, last, &without).ok(), "an allocation without a purge is granted");
    Require(with == without, "A13: a purge moves no allocation");
  }
  Require(purged.high_water() == plain.high_water(), "A13: a purge changes no size");
}

RC_GTEST_PROP(ArenaPlanner, ExecutingTwiceChangesNothing, ()) {
  PlannerSession session;
  session.tensors = *SessionDraws(6);
  session.nodes = *SessionDraws(12);
  SyntheticGraph graph = SessionGraph(session);
  ArenaPlanner planner(graph, {.tensor_alignment = 16});
  const auto last = static_cast<std::int32_t>(graph.nodes.size()) - 1;
  for (const ArenaTensor& tensor : graph.tensors) RC_PRE(tensor.bytes < 1000000);
  Require(planner.PlanAllocations().ok() && planner.ExecuteAllocations(0, last).ok(), "the graph is placed");
  std::vector<const std::byte*> addresses;
  for (const ArenaTensor& tensor : graph.tensors) addresses.push_back(tensor.data);
  const std::size_t bytes = planner.GetAllocInfo().non_persistent;
  Require(planner.ExecuteAllocations(0, last).ok(), "A12: a second time is no error");
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    Require(graph.tensors[i].data == addresses[i], "A12: a second time moves nothing");
  }
  Require(planner.GetAllocInfo().non_persistent == bytes, "A12: a second time takes no memory");
}

}  // namespace
}  // namespace arenaproof::testing
