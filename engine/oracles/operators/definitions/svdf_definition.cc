// SVDF: each filter's feature of the input is remembered for a while; the memory of each filter is weighted by its age,
// and neighbouring filters make a unit.
#include <algorithm>
#include <cmath>

#include "engine/oracles/operators/definitions/sequence_outputs.h"
#include "engine/oracles/operators/exact_floats.h"
#include "engine/oracles/operators/fixed_point_definition.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

enum SvdfOperand : std::size_t { kSvdfInput, kSvdfFeatures, kSvdfTime, kSvdfBias, kSvdfState };

// float for floats; double holds every sum of integers exactly.
template <typename Number>
Numbers<Number> NumbersOf(const Values& values) {
  return Numbers<Number>(values.begin(), values.end());
}

// Of float32, and in steps of the quantised operator.
template <typename Number>
struct SvdfRules {
  Number (*newest)(const OperatorCase& k, Number feature);     // what is stored of a feature
  Number (*remembered)(const OperatorCase& k, Number stored);  // what it counts
  Number (*finished)(const OperatorCase& k, Number sum);
};

struct SvdfResult {
  Values output, state;
};

template <typename Number>
SvdfResult SvdfOf(const OperatorCase& k, const SvdfRules<Number>& rules) {
  const auto& features = k.inputs[kSvdfFeatures].shape;
  const auto filters = static_cast<std::size_t>(features[0]), inputs = static_cast<std::size_t>(features[1]);
  const auto memory = static_cast<std::size_t>(k.inputs[kSvdfTime].shape[1]);
  const auto rank = static_cast<std::size_t>(std::get<SvdfOptions>(k.options).rank);
  const auto input = NumbersOf<Number>(CenteredValues(k.inputs[kSvdfInput]));
  const auto feature_weights = NumbersOf<Number>(CenteredValues(k.inputs[kSvdfFeatures]));
  const auto time_weights = NumbersOf<Number>(CenteredValues(k.inputs[kSvdfTime]));
  auto state = NumbersOf<Number>(StoredValues(k.inputs[kSvdfState]));
  const CaseTensor& bias = k.inputs[kSvdfBias];
  const Values biases = bias.present ? StoredValues(bias) : Values(filters / rank, 0.0);
  Numbers<Number> output(k.output.count());
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<Number>(biases[i % biases.size()]);
  // Each filter forgets its oldest feature.
  for (std::size_t filter = 0; filter < state.size() / memory; ++filter) {
    const std::size_t batch = filter / filters, row = filter % filters;
    Number feature = 0;
    for (std::size_t i = 0; i < inputs; ++i) {
      feature += feature_weights[row * inputs + i] * input[batch * inputs + i];
    }
    Number sum = 0;
    for (std::size_t age = 0; age < memory; ++age) {
      const std::size_t at = filter * memory + age;
      state[at] = age + 1 < memory ? state[at + 1] : rules.newest(k, feature);
      sum += time_weights[row * memory + age] * rules.remembered(k, state[at]);
    }
    output[filter / rank] += sum;
  }
  for (Number& value : output) value = rules.finished(k, value);
  return {Values(output.begin(), output.end()), Values(state.begin(), state.end())};
}

float Activated(const OperatorCase& k, float value) { return Clamped(value, FusedActivation(k)); }

float Itself(const OperatorCase&, float value) { return value; }

// The ratios are made in float. What leaves the type after the zero point is added loses its upper bits.
double NewestStep(const OperatorCase& k, double feature) {
  const CaseTensor& state = k.inputs[kSvdfState];
  const float step = k.inputs[kSvdfInput].scales[0] * k.inputs[kSvdfFeatures].scales[0] / state.scales[0];
  const auto steps = static_cast<double>(Rescaled(static_cast<std::int64_t>(feature), RatioOf(double{step})));
  const double count = MostOf(state.type) - LeastOf(state.type) + 1;
  const double stored = std::clamp(steps, LeastOf(state.type), MostOf(state.type)) + state.zero_point;
  if (stored > MostOf(state.type)) return stored - count;
  return stored < LeastOf(state.type) ? stored + count : stored;
}

double CenteredStep(const OperatorCase& k, double stored) { return stored - k.inputs[kSvdfState].zero_point; }

double OutputStep(const OperatorCase& k, double sum) {
  const float step = k.inputs[kSvdfState].scales[0] * k.inputs[kSvdfTime].scales[0] / k.output.scales[0];
  const auto steps = static_cast<double>(Rescaled(static_cast<std::int64_t>(sum), RatioOf(double{step})));
  return std::clamp(steps + k.output.zero_point, -128.0, 127.0);
}

SvdfResult SvdfOf(const OperatorCase& k) {
  if (k.output.type == TensorType::kFloat32) return SvdfOf<float>(k, {Itself, Itself, Activated});
  return SvdfOf<double>(k, {NewestStep, CenteredStep, OutputStep});
}

}  // namespace

std::vector<Expected> SvdfOutputs(const OperatorCase& k) { return {Exactly(SvdfOf(k).output)}; }
std::vector<Expected> SvdfVariables(const OperatorCase& k) { return {Exactly(SvdfOf(k).state)}; }

// A sum for each filter, and of int8 one for each unit.
std::vector<std::size_t> SvdfScratch(const OperatorCase& k) {
  const auto rank = static_cast<std::size_t>(std::get<SvdfOptions>(k.options).rank);
  const std::size_t units = 4 * k.output.count();
  if (k.output.type == TensorType::kFloat32) return {units * rank};
  return {units * rank, units};
}

}  // namespace arenaproof::props
