// The dilated layout spreads the plan of the planner that was chosen, and of no other: tensors that are apart in it are
// apart with closed bytes between them, in the same order; a group stays together. The linear planner keeps all apart.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/reference/reference_kernels.h"
#include "props/sharing/sharing_draws.h"
#include "props/support/draws.h"
#include "props/support/require.h"
#include "tools/command/size.h"

namespace arenaproof::testing {
namespace {

constexpr std::size_t kLeastDistance = 128;  // 64 closed bytes of each of the two

std::vector<std::size_t> OwnersIn(const MemoryNeed& need) {
  std::vector<std::size_t> owners(need.plan.size());
  std::iota(owners.begin(), owners.end(), std::size_t{0});
  for (const BufferAlias& alias : need.sharing) owners[alias.buffer] = alias.owner;
  return owners;
}

bool AliveTogether(const PlanEntry& a, const PlanEntry& b) {
  return a.first <= b.last && b.first <= a.last && a.last >= 0 && b.last >= 0;
}

void RequireSpread(const MemoryNeed& faithful, const MemoryNeed& dilated, bool all_apart) {
  Require(dilated.plan.size() == faithful.plan.size(), "both layouts have the same buffers");
  const std::vector<std::size_t> owners = OwnersIn(faithful);
  Require(OwnersIn(dilated) == owners, "the same buffers share bytes in both layouts");
  for (std::size_t i = 0; i < owners.size(); ++i) {
    for (std::size_t k = 0; k < owners.size(); ++k) {
      const PlanEntry& low = faithful.plan[i];
      const PlanEntry& high = faithful.plan[k];
      if (i == k || low.bytes == 0 || high.bytes == 0) continue;
      RC_LOG() << "buffers " << i << " and " << k << " lie at " << low.offset << " and " << high.offset
               << ", spread at " << dilated.plan[i].offset << " and " << dilated.plan[k].offset << "\n";
      if (owners[i] == owners[k]) {
        Require(dilated.plan[i].offset == dilated.plan[k].offset, "a group stays together");
      } else if ((all_apart || AliveTogether(low, high)) && low.offset < high.offset) {
        Require(low.offset + low.bytes <= high.offset, "tensors alive together are apart");
        Require(dilated.plan[i].offset + low.bytes + kLeastDistance <= dilated.plan[k].offset,
                "the layout spreads the chosen planner's own plan");
      }
    }
  }
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
  RequireSpread(measured.faithful, *measured.dilated, size.planner == "linear");
}

}  // namespace
}  // namespace arenaproof::testing
