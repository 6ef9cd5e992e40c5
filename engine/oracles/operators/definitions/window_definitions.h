// The definitions of operators whose outputs are made of windows, products or neighbours; window_definitions.cc lists
// them.
#pragma once

#include "engine/oracles/operators/definitions/definition.h"

namespace arenaproof::props {

// product_definitions.cc
std::vector<Expected> ConvolutionOf(const OperatorCase& k);  // DEPTHWISE_CONV_2D too
std::vector<Expected> TransposeConvolutionOf(const OperatorCase& k);
std::vector<Expected> FullyConnectedOf(const OperatorCase& k);
std::vector<Expected> BatchMatMulOf(const OperatorCase& k);
// pool_definitions.cc
std::vector<Expected> PoolOf(const OperatorCase& k);
std::vector<Expected> L2PoolOf(const OperatorCase& k);
// resize_definitions.cc
std::vector<Expected> NearestNeighborOf(const OperatorCase& k);
std::vector<Expected> BilinearOf(const OperatorCase& k);

}  // namespace arenaproof::props
