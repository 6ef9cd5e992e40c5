// A small model of everything that oracles have to distinguish, for their self-tests: two subgraphs that number their
// tensors and operators alike, constants, variables, quantisation, and kernels with scratch buffers and persistent
// blocks. With what else several self-tests need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/runtime/kernel_interface/kernel.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {

// Memory for one interpreter at a time; it starts on a multiple of 64.
inline constexpr std::size_t kSelfTestArenaBytes = 16384;
std::byte* SelfTestArena();

// Of a tensor, where no self-test needs another number.
inline constexpr std::int32_t kSelfTestElements = 8;

// The first is right for any operator of one output, the second leaves the last byte of it.
Status WriteZeros(const InvokeContext& context);
Status LeaveAByte(const InvokeContext& context);

// int8 and quantised, of `elements`; a constant when `buffer` is not 0.
std::int32_t AddSelfTestTensor(SubgraphSpec& graph, std::int32_t elements, std::uint32_t buffer = 0,
                               bool is_variable = false);

// x, constant and variable -> y, by an operator of every kind of memory; y -> z, by one that calls subgraph 1, which is
// the first operator again. Tensors: 0 x, 1 constant, 2 y, 3 variable, 4 z.
std::vector<std::byte> SelfTestNetwork();
const KernelSet& SelfTestNetworkKernels();

}  // namespace arenaproof
