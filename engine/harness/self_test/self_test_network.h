// A small model of everything that oracles have to distinguish, for their self-tests: two subgraphs that number their
// tensors and operators alike, constants, variables, quantisation, and kernels with scratch buffers and persistent
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {

// int8 and quantised, of `elements`; a constant when `buffer` is not 0.
std::int32_t AddSelfTestTensor(SubgraphSpec& graph, std::int32_t elements, std::uint32_t buffer = 0,
                               bool is_variable = false);

// x, constant and variable -> y, by an operator of every kind of memory; y -> z, by one that calls subgraph 1, which is
// the first operator again. Tensors: 0 x, 1 constant, 2 y, 3 variable, 4 z.
std::vector<std::byte> SelfTestNetwork();
const KernelSet& SelfTestNetworkKernels();

}  // namespace arenaproof
