// Whether the operators of a model allow that their outputs share bytes as a list says. The other half of what makes a
// sharing right, lifetimes, is the certifier's.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/buffer_alias.h"
#include "core/base/status.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

// For each alias: the operator exists, its output 0 is the buffer's tensor and the input the source's; its kernel
// allows that input, and modifies data or not as the alias says; both have as many bytes. One that modifies data reads
// the source nowhere else, and shares no more than kScalarBytes. kPlanAliasOperator.
Status CheckSharingOperators(const ModelAllocation& allocation, std::span<const std::uint32_t> buffer_of_tensor,
                             std::span<const BufferAlias> aliases);

}  // namespace arenaproof
