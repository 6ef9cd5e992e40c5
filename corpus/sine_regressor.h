// A small network that is really trained: 1 to 16 to 16 to 1, to give sin(pi x) for x in [-1, 1). Full-batch training
// in double precision with a sine of its own, so that every machine trains the same weights.
#pragma once

#include <vector>

namespace arenaproof {

struct TrainedLayer {
  std::vector<float> weights;  // [units][inputs]
  std::vector<float> bias;
};

struct TrainedRegressor {
  std::vector<TrainedLayer> layers;  // all but the last with RELU
};

TrainedRegressor TrainSineRegressor();

}  // namespace arenaproof
