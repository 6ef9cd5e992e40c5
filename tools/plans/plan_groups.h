// Who shares with whom in a plan that somebody else has made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tools/plans/labelled_problem.h"

namespace arenaproof {

// A plan that does not say it: of what the problem's rules allow, all that lies in one place.
std::vector<BufferAlias> SharingOfOffsets(const LabelledProblem& problem, std::span<const std::int64_t> offsets);

// A plan that says of each buffer which one owns its bytes, itself or nobody when it shares with none. The source is a
// buffer of the same group that an operator allows; where there is none, the owner, which no certificate lets pass.
std::vector<BufferAlias> SharingOfGroups(const LabelledProblem& problem,
                                         std::span<const std::optional<std::size_t>> owners);

// Of each buffer the owner of its group, itself for an owner; nothing for a buffer that shares with none.
std::vector<std::optional<std::size_t>> OwnersOf(const LabelledProblem& problem);

}  // namespace arenaproof
