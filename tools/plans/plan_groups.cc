#include "tools/plans/plan_groups.h"

#include <algorithm>

#include "tools/model/model_sharing.h"

namespace arenaproof {

std::vector<BufferAlias> SharingOfOffsets(const LabelledProblem& problem, std::span<const std::int64_t> offsets) {
  return SharingOfPlaces(problem.rules.allowed, problem.rules.buffers, offsets);
}

std::vector<BufferAlias> SharingOfGroups(const LabelledProblem& problem,
                                         std::span<const std::optional<std::size_t>> owners) {
  std::vector<BufferAlias> aliases;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (!owners[i] || *owners[i] == i) continue;
    BufferAlias alias;
    alias.buffer = static_cast<std::uint32_t>(i);
    alias.source = static_cast<std::uint32_t>(*owners[i]);
    alias.operator_index = -1;
    const std::vector<BufferAlias>& allowed = problem.rules.allowed;
    auto each = std::lower_bound(allowed.begin(), allowed.end(), alias.buffer,
                                 [](const BufferAlias& a, std::uint32_t buffer) { return a.buffer < buffer; });
    for (; each != allowed.end() && each->buffer == alias.buffer; ++each) {
      if (each->source != *owners[i] && owners[each->source] != owners[i]) continue;
      alias = *each;
      break;
    }
    alias.owner = static_cast<std::uint32_t>(*owners[i]);
    aliases.push_back(alias);
  }
  return aliases;
}

std::vector<std::optional<std::size_t>> OwnersOf(const LabelledProblem& problem) {
  std::vector<std::optional<std::size_t>> owners(problem.buffers.size());
  for (const BufferAlias& alias : problem.sharing) owners[alias.buffer] = owners[alias.owner] = alias.owner;
  return owners;
}

}  // namespace arenaproof
