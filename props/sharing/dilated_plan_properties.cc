// The dilated layout spreads the plan of the planner that was chosen, and of no other: tensors that are apart in it are
// apart with closed bytes between them, in the same order; a group stays together. The linear planner keeps all apart.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "engine/harness/sharing/spread_check.h"
#include "kernels/reference/reference_kernels.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/size.h"

namespace arenaproof::testing {
namespace {

std::vector<std::size_t> OwnersIn(const MemoryNeed& need) {
  std::vector<std::size_t> owners(need.plan.size());
  std::iota(owners.begin(), owners.end(), std::size_t{0});
  for (const BufferAlias& alias : need.sharing) owners[alias.buffer] = alias.owner;
  return owners;
}

RC_GTEST_PROP(DilatedPlans, AreTheChosenPlannersOwn, ()) {
  const SharingCase subject = DrawSharingCase();
  SizeOptions size;
  size.planner = OneIn(3) ? "linear" : OneIn(2) ? "arena" : "greedy";
  size.no_sharing = OneIn(3);
  size.two_arenas = OneIn(4);
  RC_LOG() << WordsOf(size) << "\n";
  const SizeResult measured = MeasureModel(size, *subject.model, ReferenceKernels());
  Require(measured.problem.empty(), "a sound model is measured in both layouts: " + measured.problem);
  Require(measured.dilated.has_value(), "there is a dilated layout on this machine");
  Require(OwnersIn(*measured.dilated) == OwnersIn(measured.faithful), "the same buffers share bytes in both layouts");
  const std::string wrong =
      WrongSpread(measured.faithful.plan, measured.dilated->plan, measured.faithful.sharing, size.planner == "linear");
  Require(wrong.empty(), wrong);
}

}  // namespace
}  // namespace arenaproof::testing
