// SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION work on rows along the last axis.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/oracles/operators/definitions/sequence_outputs.h"
#include "engine/oracles/operators/definitions/wide_softmax_definition.h"
#include "engine/oracles/operators/fixed_point_definition.h"
#include "engine/oracles/operators/inverse_root_definition.h"

namespace arenaproof::props {
namespace {

constexpr int kSumIntegerBits = 12;

// `function` turns a row of stored values into the row of outputs.
template <typename Function>
std::vector<Expected> ByRows(const OperatorCase& k, Function function) {
  Values values = StoredValues(k.inputs[0]);
  const auto length = static_cast<std::ptrdiff_t>(k.inputs[0].shape.back());
  for (auto row = values.begin(); row != values.end(); row += length) {
    const Values result = function(Values(row, row + length));
    std::copy(result.begin(), result.end(), row);
  }
  return {Exactly(std::move(values))};
}

// The largest that is a number.
float MostOfRow(const Values& row) {
  float most = std::numeric_limits<float>::lowest();
  for (const double value : row) most = value > double{most} ? static_cast<float>(value) : most;
  return most;
}

Values FloatSoftmax(Values row, float beta) {
  const float most = MostOfRow(row);
  float sum = 0.0f;
  for (double& value : row) {
    const float power = std::exp((static_cast<float>(value) - most) * beta);
    sum += power;
    value = power;
  }
  for (double& value : row) value = double{static_cast<float>(value) / sum};
  return row;
}

Values FloatLogSoftmax(Values row) {
  const float most = MostOfRow(row);
  float sum = 0.0f;
  for (const double value : row) sum += std::exp(static_cast<float>(value) - most);
  const float logarithm = std::log(sum);
  for (double& value : row) value = double{(static_cast<float>(value) - most) - logarithm};
  return row;
}

Values FloatL2Normalization(Values row) {
  float squares = 0.0f;
  for (const double value : row) squares += static_cast<float>(value) * static_cast<float>(value);
  const float root = std::sqrt(squares);
  const float length = root < 1e-6f ? 1e-6f : root;
  for (double& value : row) value = double{static_cast<float>(value) / length};
  return row;
}

// Differences of int8 elements to the largest one of their row, with 26 fraction bits as far as 5 integer bits reach,
// and their exponentials.
class Differences {
 public:
  explicit Differences(double scale)
      : ratio_(RatioOf(std::min(std::ldexp(scale, 26), 2147483647.0))),
        least_(std::max(-std::floor(std::ldexp(31.0, 26 - ratio_.exponent)), -255.0)) {
    for (double difference = 0; difference >= least_; --difference) powers_.push_back(ExpOf(Fine(difference)));
  }

  const Ratio& ratio() const { return ratio_; }
  double least() const { return least_; }
  std::int64_t Fine(double difference) const { return Rescaled(static_cast<std::int64_t>(difference), ratio_); }
  // Precondition: not below the least.
  std::int64_t Power(double difference) const { return powers_[static_cast<std::size_t>(-difference)]; }
  // Of a row's exponentials, with 19 fraction bits.
  std::int64_t Sum(const Values& row, double most) const {
    std::int64_t sum = 0;
    for (const double value : row) {
      if (value - most >= least_) sum += DividedByPowerOfTwo(Power(value - most), kSumIntegerBits);
    }
    return sum;
  }

 private:
  Ratio ratio_;
  double least_;
  std::vector<std::int64_t> powers_;
};

// `bits` of the output: its steps are 2^-bits.
Values Int8Softmax(Values row, const Differences& differences, int bits, TensorType type) {
  const double most = *std::max_element(row.begin(), row.end());
  std::int64_t sum = differences.Sum(row, most);
  int integer_bits = kSumIntegerBits;
  for (; sum < std::int64_t{1} << 31; sum *= 2) --integer_bits;
  const std::int64_t reciprocal = OneOver(sum - (std::int64_t{1} << 31));
  for (double& value : row) {
    const double difference = value - most;
    value = LeastOf(type);
    if (difference < differences.least()) continue;
    const std::int64_t share = HighProduct(reciprocal, differences.Power(difference));
    const auto steps = static_cast<double>(DividedByPowerOfTwo(share, integer_bits + 31 - bits));
    value = std::clamp(steps + LeastOf(type), LeastOf(type), MostOf(type));
  }
  return row;
}

Values Int8LogSoftmax(Values row, const Differences& differences, const Ratio& inverse) {
  const double most = *std::max_element(row.begin(), row.end());
  const std::int64_t logarithm = LogarithmOf(differences.Sum(row, most));
  // Where the logarithm of a share leaves five integer bits.
  const auto lowest = static_cast<double>(Rescaled(logarithm - (std::int64_t{1} << 31), inverse));
  const double limit = std::max(differences.least() - 1, lowest);
  for (double& value : row) {
    const double difference = value - most;
    value = -128;
    if (difference <= limit) continue;
    const std::int64_t sixteenths = DividedByPowerOfTwo(differences.Fine(difference) - logarithm, 22);
    value = std::clamp(static_cast<double>(sixteenths) + 127, -128.0, 127.0);
  }
  return row;
}

// The output's step is 2^-7.
Values Int8L2Normalization(Values row, std::int32_t zero_point) {
  double squares = 0;
  for (double& value : row) {
    value -= zero_point;
    squares += value * value;
  }
  Ratio ratio = InverseRootOf(static_cast<std::int64_t>(squares));
  ratio.exponent += 7;
  for (double& value : row) {
    value = std::clamp(static_cast<double>(Rescaled(static_cast<std::int64_t>(value), ratio)), -128.0, 127.0);
  }
  return row;
}

}  // namespace

std::vector<Expected> SoftmaxOutputs(const OperatorCase& k) {
  const float beta = std::get<SoftmaxOptions>(k.options).beta;
  if (k.inputs[0].type == TensorType::kFloat32) {
    return ByRows(k, [&](Values row) { return FloatSoftmax(std::move(row), beta); });
  }
  const double scale = double{beta} * double{k.inputs[0].scales[0]};
  if (k.inputs[0].type == TensorType::kInt16) {
    return ByRows(k, [&](Values row) { return WideSoftmax(std::move(row), scale); });
  }
  const Differences differences(scale);
  const int bits = k.output.type == TensorType::kInt16 ? 16 : 8;
  return ByRows(k, [&](Values row) { return Int8Softmax(std::move(row), differences, bits, k.output.type); });
}

std::vector<Expected> LogSoftmaxOutputs(const OperatorCase& k) {
  if (k.inputs[0].type == TensorType::kFloat32) return ByRows(k, FloatLogSoftmax);
  const Differences differences(double{k.inputs[0].scales[0]});
  const Ratio inverse =
      RatioOf(std::ldexp(1.0, 31 - differences.ratio().exponent) / static_cast<double>(differences.ratio().mantissa));
  return ByRows(k, [&](Values row) { return Int8LogSoftmax(std::move(row), differences, inverse); });
}

std::vector<Expected> L2NormalizationOutputs(const OperatorCase& k) {
  if (k.inputs[0].type == TensorType::kFloat32) return ByRows(k, FloatL2Normalization);
  const std::int32_t zero_point = k.inputs[0].zero_point;
  return ByRows(k, [&](Values row) { return Int8L2Normalization(std::move(row), zero_point); });
}

}  // namespace arenaproof::props
