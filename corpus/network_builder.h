// Builds small convolutional networks whose weights come from a fixed seed and whose scales fit.
//
// Every layer is run on a few generated samples in plain arithmetic while the network is built: weights and biases are
// scaled so that each channel has mean 0 and deviation 1 before its activation, as training with batch normalisation
// leaves it, and quantised ranges cover what was seen. So activations do not saturate and outputs depend on the input.
// Only addition, multiplication, division and square roots are used: the same bytes on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/operator_options.h"
#include "tools/model_builder/model_builder.h"

namespace arenaproof {

// A tensor that flows through the network, with its values for each sample.
struct Flow {
  std::int32_t tensor = -1;
  std::vector<std::int32_t> shape;  // [1, height, width, channels] or [1, units]
  QuantizationSpec quantization;    // empty in a float network
  std::vector<std::vector<float>> samples;

  std::int32_t extent(std::size_t axis) const { return shape[axis]; }
  std::size_t element_count() const;
};

struct Window {
  std::int32_t height = 1, width = 1;
  std::int32_t stride_height = 1, stride_width = 1;
};

class NetworkBuilder {
 public:
  enum class Arithmetic { kInt8, kFloat };

  NetworkBuilder(std::string description, std::uint32_t seed, Arithmetic arithmetic);

  Flow Input(const std::vector<std::int32_t>& shape);
  // Padding SAME. `relu`: fused activation.
  Flow Convolution(const Flow& input, std::int32_t filters, const Window& window, bool relu);
  Flow DepthwiseConvolution(const Flow& input, const Window& window, bool relu);
  Flow FullyConnected(const Flow& input, std::int32_t units, bool relu);
  // Takes weights [units][inputs] and biases as they are, for networks that are trained elsewhere.
  Flow FullyConnectedOf(const Flow& input, const std::vector<float>& weights, const std::vector<float>& bias,
                        bool relu);
  // Over the whole window, no padding.
  Flow AveragePool(const Flow& input, const Window& window);
  Flow Reshape(const Flow& input, const std::vector<std::int32_t>& shape);
  Flow Add(const Flow& first, const Flow& second, bool relu);
  Flow Softmax(const Flow& input);

  std::vector<std::byte> Finish(const Flow& output);

 private:
  // One weighted layer: which input elements each output element sums up, `for_each_term(output_index, visit)` with
  // visit(input_index, weight_index); the channel of an output element is its index modulo `channels`.
  struct Weights {
    std::vector<std::int32_t> shape;
    std::int32_t channel_dimension = 0;
    std::int32_t channels = 0;
    std::vector<float> values;
  };
  template <typename ForEachTerm>
  Flow Weighted(const Flow& input, const std::vector<std::int32_t>& output_shape, Weights weights, bool relu,
                BuiltinOperator code, OperatorOptions options, const ForEachTerm& for_each_term);
  Weights RandomWeights(std::vector<std::int32_t> shape, std::int32_t channel_dimension);
  std::int32_t AddWeights(const Weights& weights, std::vector<float>& scales);
  std::int32_t AddBias(const std::vector<float>& bias, const std::vector<float>& scales);
  // A new tensor for what the samples hold, with a range that covers it.
  Flow Produced(const std::vector<std::int32_t>& shape, std::vector<std::vector<float>> samples, bool relu);
  Flow ProducedLike(const Flow& like, const std::vector<std::int32_t>& shape, std::vector<std::vector<float>> samples);
  void AddOperator(BuiltinOperator code, std::vector<std::int32_t> inputs, const Flow& output, OperatorOptions options);
  TensorSpec ActivationTensor(const std::vector<std::int32_t>& shape, const QuantizationSpec& quantization);
  float Uniform();  // in [-1, 1)

  Arithmetic arithmetic_;
  std::uint32_t state_;
  ModelBuilder builder_;
  SubgraphSpec& graph_;
};

}  // namespace arenaproof
