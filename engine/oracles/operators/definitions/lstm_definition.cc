// UNIDIRECTIONAL_SEQUENCE_LSTM: in each step four gates see the input and the hidden state of the step before; the cell
// state forgets and takes in, the hidden state is what the output gate lets through, and the step's output.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/oracles/operators/definitions/sequence_outputs.h"
#include "engine/oracles/operators/exact_floats.h"
#include "engine/oracles/operators/fixed_point_definition.h"
#include "engine/oracles/operators/operator_sums.h"
#include "engine/oracles/operators/sigmoid_table_definition.h"

namespace arenaproof::props {
namespace {

constexpr std::size_t kFromInput = 1, kFromHidden = 5, kBiases = 12, kHiddenState = 18, kCellState = 19;
enum Gate : std::size_t { kInput, kForget, kCell, kOutput, kGates };

const UnidirectionalSequenceLstmOptions& OptionsOf(const OperatorCase& k) {
  return std::get<UnidirectionalSequenceLstmOptions>(k.options);
}

// What the two kinds of numbers do with sums and gates. Float is rounded to after every operation.
class FloatGates {
 public:
  using Number = float;

  explicit FloatGates(const OperatorCase& k) : clip_(OptionsOf(k).cell_clip) {}

  float Part(std::size_t, float sum, float bias) const { return Clamped(sum + bias, Activation::kNone); }
  float GateOf(Gate gate, float of_input, float of_hidden) const {
    const float sum = of_input + of_hidden;
    return gate == kCell ? std::tanh(sum) : FloatLogistic(sum);
  }
  float CellOf(float forget, float cell, float input, float taken) const {
    const float sum = forget * cell + input * taken;
    if (!(clip_ > 0.0f)) return sum;
    return sum < -clip_ ? -clip_ : sum > clip_ ? clip_ : sum;
  }
  float HiddenOf(float cell, float output) const { return std::tanh(cell) * output; }

 private:
  float clip_;
};

std::int64_t Within16Bits(std::int64_t value) { return std::clamp<std::int64_t>(value, -32768, 32767); }

class IntegerGates {
 public:
  using Number = std::int64_t;

  explicit IntegerGates(const OperatorCase& k)
      : wide_(k.output.type == TensorType::kInt16), hidden_(k.inputs[kHiddenState]) {
    for (std::size_t weights = kFromInput; weights < kFromHidden + kGates; ++weights) {
      const float scale = weights < kFromHidden ? k.inputs[0].scales[0] : hidden_.scales[0];
      // The product in float, as for FULLY_CONNECTED.
      of_sums_[weights] = RatioOf(double{scale * k.inputs[weights].scales[0]} * 4096.0);
    }
    const double cell = double{k.inputs[kCellState].scales[0]};
    of_kept_ = RatioOf(std::ldexp(1.0, -15));
    of_taken_ = RatioOf(std::ldexp(1.0, -30) / cell);
    of_hidden_ = RatioOf(std::ldexp(1.0, -30) / double{hidden_.scales[0]});
    const double clip = double{OptionsOf(k).cell_clip};
    clip_ = clip > 0 ? static_cast<std::int64_t>(std::min(clip / cell, 32767.0)) : 32768;
    static_cast<void>(IsNearPowerOfTwo(cell, &exponent_));
  }

  std::int64_t Part(std::size_t weights, std::int64_t sum, std::int64_t bias) const {
    const Ratio& ratio = of_sums_[weights];
    return Within16Bits(wide_ ? RescaledWide(sum + bias, ratio) : Rescaled(sum + bias, ratio));
  }
  std::int64_t GateOf(Gate gate, std::int64_t of_input, std::int64_t of_hidden) const {
    const std::int64_t sum = 3 * Within16Bits(of_input + of_hidden);
    return gate == kCell ? TanhByTable(sum) : LogisticByTable(sum);
  }
  std::int64_t CellOf(std::int64_t forget, std::int64_t cell, std::int64_t input, std::int64_t taken) const {
    const std::int64_t kept = Within16Bits(Rescaled(forget * cell, of_kept_));
    const std::int64_t sum = Within16Bits(kept + Within16Bits(Rescaled(input * taken, of_taken_)));
    return std::clamp(sum, -clip_, clip_);
  }
  // 3 / 2^12 of the cell's real value, halves up, go into the table.
  std::int64_t HiddenOf(std::int64_t cell, std::int64_t output) const {
    const double argument = std::floor(std::ldexp(static_cast<double>(3 * cell), 12 + exponent_) + 0.5);
    const std::int64_t shown = Rescaled(TanhByTable(static_cast<std::int64_t>(argument)) * output, of_hidden_);
    return static_cast<std::int64_t>(WithinType(hidden_.type, static_cast<double>(shown + hidden_.zero_point)));
  }

 private:
  bool wide_;
  const CaseTensor& hidden_;
  std::array<Ratio, kFromHidden + kGates> of_sums_;
  Ratio of_kept_, of_taken_, of_hidden_;
  std::int64_t clip_ = 0;
  int exponent_ = 0;
};

struct LstmResult {
  Values output, hidden, cell;
};

template <typename Number>
Numbers<Number> Whole(const Values& values) {
  Numbers<Number> numbers(values.size());
  std::transform(values.begin(), values.end(), numbers.begin(),
                 [](double value) { return static_cast<Number>(value); });
  return numbers;
}

template <typename Gates>
class LstmRun {
 public:
  using Number = typename Gates::Number;

  explicit LstmRun(const OperatorCase& k)
      : gates_(k),
        units_(static_cast<std::size_t>(k.inputs[kHiddenState].shape[1])),
        hidden_zero_(static_cast<Number>(k.inputs[kHiddenState].zero_point)),
        input_(Whole<Number>(CenteredValues(k.inputs[0]))),
        hidden_(Whole<Number>(StoredValues(k.inputs[kHiddenState]))),
        cell_(Whole<Number>(StoredValues(k.inputs[kCellState]))),
        output_(k.output.count()) {
    for (std::size_t weights = kFromInput; weights < kFromHidden + kGates; ++weights) {
      weights_[weights] = Whole<Number>(StoredValues(k.inputs[weights]));
    }
    for (std::size_t gate = 0; gate < kGates; ++gate) {
      biases_[gate] = Whole<Number>(StoredValues(k.inputs[kBiases + gate]));
    }
  }

  // The hidden state of the step before is seen by all units of all gates.
  void Step(std::size_t batch, std::size_t place) {
    Numbers<Number> before(units_);
    for (std::size_t unit = 0; unit < units_; ++unit) before[unit] = hidden_[batch * units_ + unit] - hidden_zero_;
    const std::size_t inputs = weights_[kFromInput].size() / units_;
    for (std::size_t unit = 0; unit < units_; ++unit) {
      std::array<Number, kGates> gate{};
      for (std::size_t i = 0; i < kGates; ++i) {
        const Number of_input = Products(weights_[kFromInput + i], unit * inputs, input_, place * inputs, inputs);
        const Number of_hidden = Products(weights_[kFromHidden + i], unit * units_, before, 0, units_);
        gate[i] = gates_.GateOf(static_cast<Gate>(i), gates_.Part(kFromInput + i, of_input, biases_[i][unit]),
                                gates_.Part(kFromHidden + i, of_hidden, Number{0}));
      }
      Number& cell = cell_[batch * units_ + unit];
      cell = gates_.CellOf(gate[kForget], cell, gate[kInput], gate[kCell]);
      hidden_[batch * units_ + unit] = output_[place * units_ + unit] = gates_.HiddenOf(cell, gate[kOutput]);
    }
  }

  LstmResult Result() const {
    return {Values(output_.begin(), output_.end()), Values(hidden_.begin(), hidden_.end()),
            Values(cell_.begin(), cell_.end())};
  }

 private:
  static Number Products(const Numbers<Number>& weights, std::size_t first, const Numbers<Number>& vector,
                         std::size_t begin, std::size_t count) {
    Number sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += weights[first + i] * vector[begin + i];
    return sum;
  }

  Gates gates_;
  std::size_t units_;
  Number hidden_zero_;
  Numbers<Number> input_, hidden_, cell_, output_;
  std::array<Numbers<Number>, kFromHidden + kGates> weights_;
  std::array<Numbers<Number>, kGates> biases_;
};

template <typename Gates>
LstmResult ResultOf(const OperatorCase& k) {
  const bool time_major = OptionsOf(k).time_major;
  const auto& shape = k.inputs[0].shape;
  const auto batches = static_cast<std::size_t>(shape[time_major ? 1 : 0]);
  const auto steps = static_cast<std::size_t>(shape[time_major ? 0 : 1]);
  LstmRun<Gates> run(k);
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t batch = 0; batch < batches; ++batch) {
      run.Step(batch, time_major ? step * batches + batch : batch * steps + step);
    }
  }
  return run.Result();
}

LstmResult ResultOf(const OperatorCase& k) {
  return k.output.type == TensorType::kFloat32 ? ResultOf<FloatGates>(k) : ResultOf<IntegerGates>(k);
}

}  // namespace

std::vector<Expected> LstmOutputs(const OperatorCase& k) { return {Exactly(ResultOf(k).output)}; }

std::vector<Expected> LstmVariables(const OperatorCase& k) {
  LstmResult result = ResultOf(k);
  return {Exactly(std::move(result.hidden)), Exactly(std::move(result.cell))};
}

// The four gates.
std::vector<std::size_t> LstmScratch(const OperatorCase& k) {
  const CaseTensor& cell = k.inputs[kCellState];
  return std::vector<std::size_t>(kGates, cell.count() * ElementBytes(cell.type));
}

}  // namespace arenaproof::props
