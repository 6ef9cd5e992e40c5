// What a model file with a plan inside has to keep, and where its variables get their memory from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/model/model_view.h"

namespace arenaproof::testing {

// Whether `before` is the end of `after`, unchanged and as far behind a multiple of 64 as it was, every constant its
// very bytes, and the data of each buffer that metadata other than plans, or the root's list metadata_buffer, refer to.
// Empty, or what is not so.
std::string WhatIsNotKept(const ModelView& before, const ModelView& after);

// Whether the bytes of a plan that was taken out are gone, where nothing but it referred to them. Empty, or which
// buffer still has them.
std::string WhatIsLeftOfThePlan(const ModelView& before, const ModelView& stripped);

struct VariableHomes {
  std::string problem;    // a variable that has no memory, or has it twice
  std::size_t later = 0;  // variables behind the first subgraph
};

// By TensorFlow Lite Micro's two readings of a plan, whose entries are one for each tensor of all subgraphs:
// MicroAllocator::AllocateVariables gives variable i of any subgraph a block of its own where entry i is -1;
// AllocationInfoBuilder::InitializeAllocationInfo counts entries over all subgraphs.
VariableHomes HomesInPublicRuntime(const ModelView& model, std::span<const std::int32_t> entries);

}  // namespace arenaproof::testing
