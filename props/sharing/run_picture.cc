#include "props/sharing/run_picture.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>

#include "engine/oracles/planner/reference_picture.h"
#include "props/support/require.h"

namespace arenaproof::testing {

std::vector<std::optional<std::size_t>> GroupsOf(const PlannedRun& run) {
  std::vector<std::optional<std::size_t>> owners(run.plan.size());
  for (const BufferAlias& alias : run.sharing) owners[alias.buffer] = owners[alias.owner] = alias.owner;
  return owners;
}

void RequirePicture(const std::string& text, const PlannedRun& run) {
  const std::vector<std::optional<std::size_t>> owners = GroupsOf(run);
  std::vector<PlacedBuffer> drawn;
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    const PlanEntry& buffer = run.plan[i];
    std::int32_t first = buffer.first, last = buffer.last;
    for (std::size_t k = 0; k < run.plan.size(); ++k) {
      if (owners[i] == i && owners[k] == i) last = std::max(last, run.plan[k].last);
    }
    if (last < 0 || (owners[i] && owners[i] != i)) first = last = -1;
    drawn.push_back({buffer.offset, (buffer.bytes + 15) / 16 * 16, first, last, false, false});
  }
  std::size_t at = text.find("its picture:");
  Require(at != std::string::npos, "there is a picture");
  for (const std::string& line : ReferencePicture(drawn)) {
    at = text.find("\n  " + line, at);
    RC_LOG() << "picture line: " << line << "\n";
    Require(at != std::string::npos, "the picture is that of the plan, each group as long as any of it lives");
  }
}

}  // namespace arenaproof::testing
