// Which bytes the running operator may touch, sent to the observer before its code starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/runtime/kernel_interface/operator_frame.h"
#include "core/runtime/storage/model_allocation.h"

namespace arenaproof {

// Inputs to read, outputs to read and write (a kernel may read back what it wrote), variables to read and write,
// constants to read, the operator's own persistent blocks; in init and prepare (where only constants have addresses)
// also the operands' quantisation lists; in invoke also the scratch buffers and, where their addresses are handed out
// from the tail, the list of these addresses (to read, as one more persistent block). A tensor listed twice is one
// range with the union of the rights. An input in whose very bytes the plan lets the operator write output 0, and that
// output, are in place (not so what a trusted offline plan lays on each other). A persistent block that is one of the
// tensors is that tensor's range. Ranges of no bytes are left out. The ranges lie in the frame or in the allocation's
// wide_ranges.
std::span<const OperandRange> BuildAccessList(OperatorPhase phase, std::int32_t subgraph, const OperatorRecord& record,
                                              const ModelAllocation& allocation, OperatorFrame& frame);

}  // namespace arenaproof
