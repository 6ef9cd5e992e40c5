#include "corpus/network_builder.h"

#include <algorithm>
#include <cmath>

#include "tools/model/input_generator.h"

namespace arenaproof {
namespace {

constexpr std::size_t kSamples = 24;
constexpr std::uint32_t kFirstSampleSeed = 1001;
constexpr float kInputScale = 1.0f / 128.0f;

Activation Fused(bool relu) { return relu ? Activation::kRelu : Activation::kNone; }

std::int32_t SameExtent(std::int32_t input, std::int32_t stride) { return (input + stride - 1) / stride; }

// Rows or columns before the first one: SAME padding, the smaller half first.
std::int32_t PaddingBefore(std::int32_t input, std::int32_t output, std::int32_t stride, std::int32_t window) {
  return std::max(0, (output - 1) * stride + window - input) / 2;
}

std::int8_t Quantized(float value, float scale, std::int64_t zero_point) {
  const float scaled = std::nearbyintf(value / scale) + static_cast<float>(zero_point);
  return static_cast<std::int8_t>(std::clamp(scaled, -128.0f, 127.0f));
}

// Calls visit(output, input, window row, window column) for every pair that a window of SAME padding covers; output and
// input are indices of a pixel.
template <typename Visit>
void ForEachWindowPixel(const Flow& input, std::int32_t output_height, std::int32_t output_width, const Window& window,
                        const Visit& visit) {
  const std::int32_t height = input.extent(1), width = input.extent(2);
  const std::int32_t top = PaddingBefore(height, output_height, window.stride_height, window.height);
  const std::int32_t left = PaddingBefore(width, output_width, window.stride_width, window.width);
  for (std::int32_t row = 0; row < output_height; ++row) {
    for (std::int32_t column = 0; column < output_width; ++column) {
      for (std::int32_t r = 0; r < window.height; ++r) {
        for (std::int32_t c = 0; c < window.width; ++c) {
          const std::int32_t y = row * window.stride_height - top + r, x = column * window.stride_width - left + c;
          if (y < 0 || y >= height || x < 0 || x >= width) continue;
          visit(row * output_width + column, y * width + x, r, c);
        }
      }
    }
  }
}

std::size_t Index(std::int32_t value) { return static_cast<std::size_t>(value); }

}  // namespace

std::size_t Flow::element_count() const {
  std::size_t count = 1;
  for (const std::int32_t one : shape) count *= Index(one);
  return count;
}

NetworkBuilder::NetworkBuilder(std::string description, std::uint32_t seed, Arithmetic arithmetic)
    : arithmetic_(arithmetic), state_(seed), graph_(builder_.AddSubgraph("main")) {
  builder_.description = std::move(description);
}

float NetworkBuilder::Uniform() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 17;
  state_ ^= state_ << 5;
  return static_cast<float>(state_ >> 8) / 8388608.0f - 1.0f;
}

TensorSpec NetworkBuilder::ActivationTensor(const std::vector<std::int32_t>& shape,
                                            const QuantizationSpec& quantization) {
  TensorSpec tensor;
  tensor.name = "activation_" + std::to_string(graph_.tensors.size());
  tensor.type = arithmetic_ == Arithmetic::kInt8 ? TensorType::kInt8 : TensorType::kFloat32;
  tensor.shape = shape;
  if (arithmetic_ == Arithmetic::kInt8) tensor.quantization = quantization;
  return tensor;
}

Flow NetworkBuilder::Input(const std::vector<std::int32_t>& shape) {
  Flow flow;
  flow.shape = shape;
  flow.quantization = Scale(kInputScale, 0);
  flow.tensor = graph_.AddTensor(ActivationTensor(shape, flow.quantization));
  graph_.tensors.back().name = "input";
  graph_.inputs = {flow.tensor};
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    std::vector<float> sample(flow.element_count());
    InputGenerator(kFirstSampleSeed + i).Fill(TensorType::kFloat32, std::as_writable_bytes(std::span(sample)));
    flow.samples.push_back(std::move(sample));
  }
  return flow;
}

Flow NetworkBuilder::ProducedLike(const Flow& like, const std::vector<std::int32_t>& shape,
                                  std::vector<std::vector<float>> samples) {
  Flow flow;
  flow.shape = shape;
  flow.quantization = like.quantization;
  flow.samples = std::move(samples);
  flow.tensor = graph_.AddTensor(ActivationTensor(shape, flow.quantization));
  return flow;
}

Flow NetworkBuilder::Produced(const std::vector<std::int32_t>& shape, std::vector<std::vector<float>> samples,
                              bool relu) {
  float largest = 1e-3f;
  for (auto& sample : samples) {
    for (float& value : sample) {
      if (relu) value = std::max(value, 0.0f);
      largest = std::max(largest, std::fabs(value));
    }
  }
  Flow like;
  // A margin: other inputs reach a little further than the samples.
  like.quantization = relu ? Scale(largest * 1.25f / 255.0f, -128) : Scale(largest * 1.25f / 127.0f, 0);
  return ProducedLike(like, shape, std::move(samples));
}

NetworkBuilder::Weights NetworkBuilder::RandomWeights(std::vector<std::int32_t> shape, std::int32_t channel_dimension) {
  Weights weights;
  weights.channel_dimension = channel_dimension;
  weights.channels = shape[Index(channel_dimension)];
  std::size_t count = 1;
  for (const std::int32_t extent : shape) count *= Index(extent);
  weights.shape = std::move(shape);
  weights.values.resize(count);
  for (float& value : weights.values) value = Uniform();
  return weights;
}

std::int32_t NetworkBuilder::AddWeights(const Weights& weights, std::vector<float>& scales) {
  TensorSpec tensor;
  tensor.name = "weights_" + std::to_string(graph_.tensors.size());
  tensor.shape = weights.shape;
  if (arithmetic_ == Arithmetic::kFloat) {
    tensor.buffer = builder_.AddBufferOf(weights.values);
    return graph_.AddTensor(tensor);
  }
  // The channel is the first dimension or the last.
  const auto channels = Index(weights.channels);
  const std::size_t per_channel = weights.values.size() / channels;
  const auto channel_of = [&](std::size_t i) {
    return weights.channel_dimension == 0 ? i / per_channel : i % channels;
  };
  scales.assign(channels, 1e-6f);
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    float& scale = scales[channel_of(i)];
    scale = std::max(scale, std::fabs(weights.values[i]) / 127.0f);
  }
  std::vector<std::int8_t> quantized(weights.values.size());
  for (std::size_t i = 0; i < quantized.size(); ++i) {
    quantized[i] = Quantized(weights.values[i], scales[channel_of(i)], 0);
  }
  tensor.type = TensorType::kInt8;
  tensor.buffer = builder_.AddBufferOf(quantized);
  tensor.quantization = ScalesAlong(weights.channel_dimension, scales);
  return graph_.AddTensor(tensor);
}

std::int32_t NetworkBuilder::AddBias(const std::vector<float>& bias, const std::vector<float>& scales) {
  TensorSpec tensor;
  tensor.name = "bias_" + std::to_string(graph_.tensors.size());
  tensor.shape = {{static_cast<std::int32_t>(bias.size())}};
  if (arithmetic_ == Arithmetic::kFloat) {
    tensor.buffer = builder_.AddBufferOf(bias);
    return graph_.AddTensor(tensor);
  }
  std::vector<std::int32_t> quantized(bias.size());
  for (std::size_t i = 0; i < bias.size(); ++i) {
    quantized[i] = static_cast<std::int32_t>(std::nearbyintf(bias[i] / scales[i]));
  }
  tensor.type = TensorType::kInt32;
  tensor.buffer = builder_.AddBufferOf(quantized);
  tensor.quantization = ScalesAlong(0, scales);
  return graph_.AddTensor(tensor);
}

void NetworkBuilder::AddOperator(BuiltinOperator code, std::vector<std::int32_t> inputs, const Flow& output,
                                 OperatorOptions options) {
  OperatorSpec spec;
  spec.code = builder_.AddCode(code);
  spec.inputs = std::move(inputs);
  spec.outputs = {output.tensor};
  spec.options = options;
  graph_.AddOperator(std::move(spec));
}

template <typename ForEachTerm>
Flow NetworkBuilder::Weighted(const Flow& input, const std::vector<std::int32_t>& output_shape, Weights weights,
                              bool relu, BuiltinOperator code, OperatorOptions options,
                              const ForEachTerm& for_each_term) {
  const auto channels = Index(weights.channels);
  std::size_t output_count = 1;
  for (const std::int32_t extent : output_shape) output_count *= Index(extent);

  std::vector<std::vector<float>> samples(input.samples.size(), std::vector<float>(output_count, 0.0f));
  for_each_term([&](std::size_t output, std::size_t from, std::size_t weight) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      samples[i][output] += input.samples[i][from] * weights.values[weight];
    }
  });
  std::vector<double> sums(channels), squares(channels);
  for (const auto& sample : samples) {
    for (std::size_t i = 0; i < output_count; ++i) {
      sums[i % channels] += sample[i];
      squares[i % channels] += double{sample[i]} * sample[i];
    }
  }
  const std::size_t values_per_channel = samples.size() * (output_count / channels);
  const auto count = static_cast<double>(values_per_channel);
  std::vector<float> bias(channels), factor(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = sums[c] / count;
    const double deviation = std::sqrt(std::max(squares[c] / count - mean * mean, 1e-6));
    factor[c] = static_cast<float>(1.0 / deviation);
    bias[c] = static_cast<float>(-mean / deviation) + 0.25f * Uniform();
  }
  for (auto& sample : samples) {
    for (std::size_t i = 0; i < output_count; ++i) sample[i] = sample[i] * factor[i % channels] + bias[i % channels];
  }
  const std::size_t per_channel = weights.values.size() / channels;
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    weights.values[i] *= factor[weights.channel_dimension == 0 ? i / per_channel : i % channels];
  }

  std::vector<float> scales;
  const std::int32_t weights_tensor = AddWeights(weights, scales);
  if (arithmetic_ == Arithmetic::kInt8) {
    for (float& scale : scales) scale *= input.quantization.scales[0];
  }
  const std::int32_t bias_tensor = AddBias(bias, scales);
  Flow output = Produced(output_shape, std::move(samples), relu);
  AddOperator(code, {input.tensor, weights_tensor, bias_tensor}, output, options);
  return output;
}

Flow NetworkBuilder::Convolution(const Flow& input, std::int32_t filters, const Window& window, bool relu) {
  const std::int32_t depth = input.extent(3);
  const std::int32_t height = SameExtent(input.extent(1), window.stride_height);
  const std::int32_t width = SameExtent(input.extent(2), window.stride_width);
  Conv2DOptions options;
  options.stride_h = window.stride_height;
  options.stride_w = window.stride_width;
  options.activation = Fused(relu);
  return Weighted(input, {1, height, width, filters}, RandomWeights({filters, window.height, window.width, depth}, 0),
                  relu, BuiltinOperator::kConv2d, options, [&](const auto& visit) {
                    ForEachWindowPixel(input, height, width, window, [&](auto to, auto from, auto r, auto c) {
                      for (std::int32_t filter = 0; filter < filters; ++filter) {
                        for (std::int32_t d = 0; d < depth; ++d) {
                          visit(Index(to * filters + filter), Index(from * depth + d),
                                Index(((filter * window.height + r) * window.width + c) * depth + d));
                        }
                      }
                    });
                  });
}

Flow NetworkBuilder::DepthwiseConvolution(const Flow& input, const Window& window, bool relu) {
  const std::int32_t depth = input.extent(3);
  const std::int32_t height = SameExtent(input.extent(1), window.stride_height);
  const std::int32_t width = SameExtent(input.extent(2), window.stride_width);
  DepthwiseConv2DOptions options;
  options.stride_h = window.stride_height;
  options.stride_w = window.stride_width;
  options.depth_multiplier = 1;
  options.activation = Fused(relu);
  return Weighted(input, {1, height, width, depth}, RandomWeights({1, window.height, window.width, depth}, 3), relu,
                  BuiltinOperator::kDepthwiseConv2d, options, [&](const auto& visit) {
                    ForEachWindowPixel(input, height, width, window, [&](auto to, auto from, auto r, auto c) {
                      for (std::int32_t d = 0; d < depth; ++d) {
                        visit(Index(to * depth + d), Index(from * depth + d),
                              Index((r * window.width + c) * depth + d));
                      }
                    });
                  });
}

Flow NetworkBuilder::FullyConnected(const Flow& input, std::int32_t units, bool relu) {
  const std::int32_t depth = input.extent(1);
  FullyConnectedOptions options;
  options.activation = Fused(relu);
  Weights weights = RandomWeights({units, depth}, 0);
  return Weighted(input, {1, units}, std::move(weights), relu, BuiltinOperator::kFullyConnected, options,
                  [&](const auto& visit) {
                    for (std::int32_t unit = 0; unit < units; ++unit) {
                      for (std::int32_t d = 0; d < depth; ++d) visit(Index(unit), Index(d), Index(unit * depth + d));
                    }
                  });
}

Flow NetworkBuilder::FullyConnectedOf(const Flow& input, const std::vector<float>& values,
                                      const std::vector<float>& bias, bool relu) {
  const std::size_t depth = input.element_count(), units = bias.size();
  Weights weights;
  weights.channels = static_cast<std::int32_t>(units);
  weights.shape = {weights.channels, static_cast<std::int32_t>(depth)};
  weights.values = values;
  std::vector<std::vector<float>> samples;
  for (const auto& from : input.samples) {
    std::vector<float>& to = samples.emplace_back(bias);
    for (std::size_t unit = 0; unit < units; ++unit) {
      for (std::size_t i = 0; i < depth; ++i) to[unit] += from[i] * values[unit * depth + i];
    }
  }
  std::vector<float> scales;
  const std::int32_t weights_tensor = AddWeights(weights, scales);
  if (arithmetic_ == Arithmetic::kInt8) {
    for (float& scale : scales) scale *= input.quantization.scales[0];
  }
  const std::int32_t bias_tensor = AddBias(bias, scales);
  Flow output = Produced({1, weights.channels}, std::move(samples), relu);
  FullyConnectedOptions options;
  options.activation = Fused(relu);
  AddOperator(BuiltinOperator::kFullyConnected, {input.tensor, weights_tensor, bias_tensor}, output, options);
  return output;
}

Flow NetworkBuilder::AveragePool(const Flow& input, const Window& window) {
  const std::int32_t depth = input.extent(3);
  const std::int32_t height = input.extent(1) / window.height, width = input.extent(2) / window.width;
  std::vector<std::vector<float>> samples(input.samples.size(),
                                          std::vector<float>(Index(height * width * depth), 0.0f));
  const float part = 1.0f / static_cast<float>(window.height * window.width);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::int32_t y = 0; y < height * window.height; ++y) {
      for (std::int32_t x = 0; x < width * window.width; ++x) {
        const std::int32_t to = (y / window.height) * width + x / window.width, from = y * input.extent(2) + x;
        for (std::int32_t d = 0; d < depth; ++d) {
          samples[i][Index(to * depth + d)] += input.samples[i][Index(from * depth + d)] * part;
        }
      }
    }
  }
  Flow output = ProducedLike(input, {1, height, width, depth}, std::move(samples));
  Pool2DOptions options;
  options.padding = Padding::kValid;
  options.filter_height = options.stride_h = window.height;
  options.filter_width = options.stride_w = window.width;
  AddOperator(BuiltinOperator::kAveragePool2d, {input.tensor}, output, options);
  return output;
}

Flow NetworkBuilder::Reshape(const Flow& input, const std::vector<std::int32_t>& shape) {
  Flow output = ProducedLike(input, shape, input.samples);
  AddOperator(BuiltinOperator::kReshape, {input.tensor}, output, ReshapeOptions{});
  return output;
}

Flow NetworkBuilder::Add(const Flow& first, const Flow& second, bool relu) {
  std::vector<std::vector<float>> samples = first.samples;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::size_t j = 0; j < samples[i].size(); ++j) samples[i][j] += second.samples[i][j];
  }
  Flow output = Produced(first.shape, std::move(samples), relu);
  AddOptions options;
  options.activation = Fused(relu);
  AddOperator(BuiltinOperator::kAdd, {first.tensor, second.tensor}, output, options);
  return output;
}

Flow NetworkBuilder::Softmax(const Flow& input) {
  Flow like;
  like.quantization = Scale(1.0f / 256.0f, -128);
  // The network ends here: nobody asks for samples of a softmax, so no exponential is needed.
  Flow output = ProducedLike(like, input.shape, {});
  SoftmaxOptions options;
  options.beta = 1.0f;
  AddOperator(BuiltinOperator::kSoftmax, {input.tensor}, output, options);
  return output;
}

std::vector<std::byte> NetworkBuilder::Finish(const Flow& output) {
  graph_.outputs = {output.tensor};
  graph_.tensors[Index(output.tensor)].name = "output";
  return builder_.Finish();
}

}  // namespace arenaproof
