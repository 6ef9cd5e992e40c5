// Which outputs of a model its operators let lie in the bytes of an input, whatever else is alive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/buffer_alias.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

// Every output 0 with every input that CheckSharingOperators() lets it share with, by buffer, then source; owners are
// not set. Tensors that several operators write are left out: their lifetimes do not tell when.
std::vector<BufferAlias> AllowedByOperators(const ModelAllocation& allocation,
                                            std::span<const std::uint32_t> buffer_of_tensor);

}  // namespace arenaproof
