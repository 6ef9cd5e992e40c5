#include "engine/harness/sharing/spread_check.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/unguided.h"

ARENAPROOF_UNGUIDED_BEGIN
namespace arenaproof::testing {
namespace {

constexpr std::size_t kLeastDistance = 128;  // 64 closed bytes of each of the two

bool AliveTogether(const PlanEntry& a, const PlanEntry& b) {
  return a.first <= b.last && b.first <= a.last && a.last >= 0 && b.last >= 0;
}

}  // namespace

std::string WrongSpread(std::span<const PlanEntry> faithful, std::span<const PlanEntry> dilated,
                        std::span<const BufferAlias> sharing, bool all_apart) {
  if (dilated.size() != faithful.size()) return "both layouts have the same buffers";
  std::vector<std::size_t> owners(faithful.size());
  std::iota(owners.begin(), owners.end(), std::size_t{0});
  for (const BufferAlias& alias : sharing) owners[alias.buffer] = alias.owner;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    for (std::size_t k = 0; k < owners.size(); ++k) {
      const PlanEntry& low = faithful[i];
      const PlanEntry& high = faithful[k];
      if (i == k || low.bytes == 0 || high.bytes == 0) continue;
      const std::string where = ": buffers " + std::to_string(i) + " and " + std::to_string(k) + " lie at " +
                                std::to_string(low.offset) + " and " + std::to_string(high.offset) + ", spread at " +
                                std::to_string(dilated[i].offset) + " and " + std::to_string(dilated[k].offset);
      if (owners[i] == owners[k]) {
        if (dilated[i].offset != dilated[k].offset) return "a group stays together" + where;
      } else if ((all_apart || AliveTogether(low, high)) && low.offset < high.offset) {
        if (low.offset + low.bytes > high.offset) return "tensors alive together are apart" + where;
        if (dilated[i].offset + low.bytes + kLeastDistance > dilated[k].offset) {
          return "the layout spreads the chosen planner's own plan" + where;
        }
      }
    }
  }
  return {};
}

}  // namespace arenaproof::testing
ARENAPROOF_UNGUIDED_END
