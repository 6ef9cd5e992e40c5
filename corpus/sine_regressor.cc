#include "corpus/sine_regressor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace arenaproof {
namespace {

constexpr std::size_t kPoints = 128;
constexpr int kSteps = 4000;
constexpr double kRate = 0.01;
constexpr std::array<std::size_t, 4> kWidths = {1, 16, 16, 1};
constexpr std::size_t kLayers = kWidths.size() - 1;

// The libraries' sines differ in their last bits; a power series over [-pi, pi] is the same everywhere.
double Sine(double x) {
  double term = x, sum = x;
  for (int n = 1; n <= 14; ++n) {
    term *= -x * x / static_cast<double>((2 * n) * (2 * n + 1));
    sum += term;
  }
  return sum;
}

// A list of numbers with what Adam remembers of each.
struct Parameters {
  std::vector<double> values, gradients, first_moments, second_moments;

  explicit Parameters(std::size_t count)
      : values(count), gradients(count), first_moments(count), second_moments(count) {}

  // `decay_1` and `decay_2`: the moments' decays to the power of the step's number.
  void Step(double decay_1, double decay_2, double rate) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      first_moments[i] = 0.9 * first_moments[i] + 0.1 * gradients[i];
      second_moments[i] = 0.999 * second_moments[i] + 0.001 * gradients[i] * gradients[i];
      const double mean = first_moments[i] / (1.0 - decay_1), square = second_moments[i] / (1.0 - decay_2);
      values[i] -= rate * mean / (std::sqrt(square) + 1e-8);
      gradients[i] = 0.0;
    }
  }
};

struct Layer {
  std::size_t inputs, units;
  Parameters weights{inputs * units};
  Parameters bias{units};
};

std::vector<Layer> RandomLayers() {
  std::uint32_t state = 20240606;
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < kLayers; ++i) {
    Layer& layer = layers.emplace_back(Layer{kWidths[i], kWidths[i + 1]});
    const double reach = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.units));
    const auto uniform = [&] {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      return reach * (static_cast<double>(state) / 2147483648.0 - 1.0);
    };
    for (double& weight : layer.weights.values) weight = uniform();
    for (double& bias : layer.bias.values) bias = 0.5 * uniform();
  }
  return layers;
}

// Adds one point's gradients.
void Learn(std::vector<Layer>& layers, double x, double target) {
  std::array<std::vector<double>, kWidths.size()> values;
  values[0] = {x};
  for (std::size_t l = 0; l < kLayers; ++l) {
    const Layer& layer = layers[l];
    values[l + 1] = layer.bias.values;
    for (std::size_t u = 0; u < layer.units; ++u) {
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        values[l + 1][u] += layer.weights.values[u * layer.inputs + i] * values[l][i];
      }
      if (l + 1 < kLayers) values[l + 1][u] = std::max(values[l + 1][u], 0.0);
    }
  }
  std::vector<double> errors = {2.0 * (values[kLayers][0] - target) / static_cast<double>(kPoints)};
  for (std::size_t l = kLayers; l-- > 0;) {
    Layer& layer = layers[l];
    std::vector<double> below(layer.inputs, 0.0);
    for (std::size_t u = 0; u < layer.units; ++u) {
      if (l + 1 < kLayers && values[l + 1][u] <= 0.0) continue;
      layer.bias.gradients[u] += errors[u];
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        layer.weights.gradients[u * layer.inputs + i] += errors[u] * values[l][i];
        below[i] += errors[u] * layer.weights.values[u * layer.inputs + i];
      }
    }
    errors = std::move(below);
  }
}

}  // namespace

TrainedRegressor TrainSineRegressor() {
  std::vector<Layer> layers = RandomLayers();
  double decay_1 = 1.0, decay_2 = 1.0;
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double x = 2.0 * (static_cast<double>(i) + 0.5) / static_cast<double>(kPoints) - 1.0;
      Learn(layers, x, Sine(std::numbers::pi * x));
    }
    decay_1 *= 0.9;
    decay_2 *= 0.999;
    // Smaller steps in the second half.
    const double rate = step < kSteps / 2 ? kRate : 0.1 * kRate;
    for (Layer& layer : layers) {
      layer.weights.Step(decay_1, decay_2, rate);
      layer.bias.Step(decay_1, decay_2, rate);
    }
  }
  TrainedRegressor trained;
  for (const Layer& layer : layers) {
    trained.layers.push_back({{layer.weights.values.begin(), layer.weights.values.end()},
                              {layer.bias.values.begin(), layer.bias.values.end()}});
  }
  return trained;
}

}  // namespace arenaproof
