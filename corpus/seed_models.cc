#include "corpus/seed_models.h"

#include "corpus/control_models.h"
#include "corpus/fixed_plan_model.h"
#include "corpus/network_builder.h"
#include "corpus/sine_regressor.h"

namespace arenaproof {
namespace {

using Arithmetic = NetworkBuilder::Arithmetic;

constexpr Window kThreeByThree = {3, 3, 1, 1};
constexpr Window kOneByOne = {1, 1, 1, 1};

// A depthwise-separable network over 49 frames of 10 coefficients, 12 words.
std::vector<std::byte> KeywordSpotting(Arithmetic arithmetic) {
  NetworkBuilder network("keyword spotting, depthwise separable", 20240601, arithmetic);
  Flow flow = network.Input({1, 49, 10, 1});
  flow = network.Convolution(flow, 64, {10, 4, 2, 2}, true);
  for (int block = 0; block < 4; ++block) {
    flow = network.DepthwiseConvolution(flow, kThreeByThree, true);
    flow = network.Convolution(flow, 64, kOneByOne, true);
  }
  flow = network.AveragePool(flow, {25, 5, 25, 5});
  flow = network.Reshape(flow, {1, 64});
  flow = network.FullyConnected(flow, 12, false);
  return network.Finish(network.Softmax(flow));
}

// MobileNet v1 with a quarter of its channels, over a grey picture of 96 by 96, two classes.
std::vector<std::byte> PersonDetection() {
  struct Block {
    std::int32_t filters, stride;
  };
  constexpr Block kBlocks[] = {{16, 1},  {32, 2},  {32, 1},  {64, 2},  {64, 1},  {128, 2}, {128, 1},
                               {128, 1}, {128, 1}, {128, 1}, {128, 1}, {256, 2}, {256, 1}};
  NetworkBuilder network("person detection, MobileNet 0.25", 20240602, Arithmetic::kInt8);
  Flow flow = network.Input({1, 96, 96, 1});
  flow = network.Convolution(flow, 8, {3, 3, 2, 2}, true);
  for (const Block& block : kBlocks) {
    flow = network.DepthwiseConvolution(flow, {3, 3, block.stride, block.stride}, true);
    flow = network.Convolution(flow, block.filters, kOneByOne, true);
  }
  flow = network.AveragePool(flow, kThreeByThree);
  flow = network.Convolution(flow, 2, kOneByOne, false);
  flow = network.Reshape(flow, {1, 2});
  return network.Finish(network.Softmax(flow));
}

// Rows of 20 bytes do not start on a vector's alignment.
std::vector<std::byte> FullyConnected20To64() {
  NetworkBuilder network("two fully connected layers, 20 to 64 to 4", 20240603, Arithmetic::kInt8);
  Flow flow = network.Input({1, 20});
  flow = network.FullyConnected(flow, 64, true);
  return network.Finish(network.FullyConnected(flow, 4, false));
}

// Three residual blocks: branches that are alive together.
std::vector<std::byte> Residual() {
  NetworkBuilder network("residual network, 32 by 32", 20240604, Arithmetic::kInt8);
  Flow flow = network.Input({1, 32, 32, 3});
  flow = network.Convolution(flow, 16, kThreeByThree, true);
  std::int32_t filters = 16;
  for (const std::int32_t stride : {1, 2, 2}) {
    filters *= stride;
    Flow branch = network.Convolution(flow, filters, {3, 3, stride, stride}, true);
    branch = network.Convolution(branch, filters, kThreeByThree, false);
    if (stride != 1) flow = network.Convolution(flow, filters, {1, 1, stride, stride}, false);
    flow = network.Add(flow, branch, true);
  }
  flow = network.AveragePool(flow, {8, 8, 8, 8});
  flow = network.Reshape(flow, {1, 64});
  flow = network.FullyConnected(flow, 10, false);
  return network.Finish(network.Softmax(flow));
}

// Three layers, trained to give sin(pi x) for x in [-1, 1).
std::vector<std::byte> SineRegressor(Arithmetic arithmetic) {
  const TrainedRegressor trained = TrainSineRegressor();
  NetworkBuilder network("sine regressor, trained", 20240605, arithmetic);
  Flow flow = network.Input({1, 1});
  for (std::size_t i = 0; i < trained.layers.size(); ++i) {
    const TrainedLayer& layer = trained.layers[i];
    flow = network.FullyConnectedOf(flow, layer.weights, layer.bias, i + 1 < trained.layers.size());
  }
  return network.Finish(flow);
}

constexpr SeedModel kModels[] = {
    {"control_branches_float", &ControlBranches},
    {"control_loop_float", &ControlLoop},
    {"control_variables_float", &ControlVariables},
    {"fixed_plan_float", &FixedPlan},
    {"fully_connected_20_to_64_int8", &FullyConnected20To64},
    {"keyword_spotting_float", [] { return KeywordSpotting(Arithmetic::kFloat); }},
    {"keyword_spotting_int8", [] { return KeywordSpotting(Arithmetic::kInt8); }},
    {"person_detection_int8", &PersonDetection},
    {"residual_int8", &Residual},
    {"sine_regressor_float", [] { return SineRegressor(Arithmetic::kFloat); }},
    {"sine_regressor_int8", [] { return SineRegressor(Arithmetic::kInt8); }},
};

}  // namespace

std::span<const SeedModel> AllSeedModels() { return kModels; }

}  // namespace arenaproof
