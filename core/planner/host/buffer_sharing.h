// Which outputs may lie in the very bytes of an input (A11).
//
// An operator allows it by its flags; the rules below say when it is right. For operators with flags, inputs 0, 1 and 2
// are tried in order and the first that passes is taken:
//   - the operator leaves the data as they are; or it modifies them, input and output have as many bytes, more than 4,
//     and nothing else ever reads the input, or needs it kept;
//   - the input is no graph input, the output no graph output;
//   - both are of one arena, or the input is in the non-persistent one;
//   - not all tensors are to be preserved.
// The owner is the input's own owner: chains collapse. An operator that modifies the data also needs an owner that
// nothing else reads.
//
// So far TensorFlow Lite, whose order and choice these are. It errs where bytes have more names than the first and the
// last of a chain. Here, too, nothing is shared when
//   - data are modified, and any other name of these bytes is read by the operator itself or by a later one, or kept;
//   - the output is a variable, which has to keep its value beyond the input's life, or a graph input, which is read
//     before it is written;
//   - nobody has written the input yet, and it is no variable: it has no memory to share;
//   - one of the two is written again by another operator.
//
// An output in the persistent arena never lies in another's bytes. Where those rules let it, it has an owner all the
// same, which lives as long as the output is read: so it does in TensorFlow Lite, where such an output, if it has as
// many bytes, is left without memory. Here it has memory of its own.
#pragma once

#include "core/planner/host/arena_plan.h"

namespace arenaproof {

// Fills owner and source of plan.tensors, which are -1. Precondition: plan.uses is counted.
void IdentifySharing(ArenaGraph& graph, ArenaPlan& plan);

// Whether some name of the owner's bytes, other than `tensor` and what shares through it, is read at `node` or behind,
// or kept: then what is written at `node` must not lie there.
bool OtherNameIsRead(ArenaGraph& graph, const ArenaPlan& plan, std::int32_t owner, std::int32_t tensor,
                     std::int32_t node);

}  // namespace arenaproof
