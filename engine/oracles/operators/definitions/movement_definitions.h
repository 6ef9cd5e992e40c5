// Definitions of the operators that move data, by the file that they stand in.
#pragma once

#include <vector>

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

// part_definitions.cc
std::vector<Expected> DefinedConcatenation(const OperatorCase& subject);
std::vector<Expected> DefinedPack(const OperatorCase& subject);
std::vector<Expected> DefinedUnpack(const OperatorCase& subject);
std::vector<Expected> DefinedSplit(const OperatorCase& subject);
std::vector<Expected> DefinedSplitV(const OperatorCase& subject);
// selection_definitions.cc
std::vector<Expected> DefinedSlice(const OperatorCase& subject);
std::vector<Expected> DefinedStridedSlice(const OperatorCase& subject);
std::vector<Expected> DefinedMirrorPad(const OperatorCase& subject);
std::vector<Expected> DefinedReverse(const OperatorCase& subject);
std::vector<Expected> DefinedBroadcastTo(const OperatorCase& subject);
// block_definitions.cc
std::vector<Expected> DefinedSpaceToDepth(const OperatorCase& subject);
std::vector<Expected> DefinedDepthToSpace(const OperatorCase& subject);
std::vector<Expected> DefinedSpaceToBatch(const OperatorCase& subject);
std::vector<Expected> DefinedBatchToSpace(const OperatorCase& subject);

}  // namespace arenaproof::props
