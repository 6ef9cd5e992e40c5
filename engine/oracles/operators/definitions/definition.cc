#include "engine/oracles/operators/definitions/definition.h"

#include <algorithm>
#include <cmath>

namespace arenaproof::props {

const OperatorDefinition* FindDefinition(BuiltinOperator code) {
  for (const auto family : {ElementDefinitions(), ArithmeticDefinitions(), MovementDefinitions(),
                            ReductionDefinitions(), WindowDefinitions(), SequenceDefinitions()}) {
    for (const OperatorDefinition& definition : family) {
      if (definition.code == code) return &definition;
    }
  }
  return nullptr;
}

double LeastOf(TensorType type) {
  switch (type) {
    case TensorType::kInt4:
      return -8;
    case TensorType::kInt8:
      return -128;
    case TensorType::kInt16:
      return -32768;
    case TensorType::kInt32:
      return -2147483648.0;
    case TensorType::kInt64:
      return -9223372036854775808.0;
    default:
      return 0;
  }
}

double MostOf(TensorType type) {
  switch (type) {
    case TensorType::kInt4:
      return 7;
    case TensorType::kInt8:
      return 127;
    case TensorType::kUInt8:
      return 255;
    case TensorType::kInt16:
      return 32767;
    case TensorType::kInt32:
      return 2147483647.0;
    case TensorType::kUInt32:
      return 4294967295.0;
    case TensorType::kInt64:
      return 9223372036854775807.0;
    default:
      return 1;
  }
}

double Stored(const CaseTensor& tensor, double real) {
  if (tensor.type == TensorType::kFloat32) return double{static_cast<float>(real)};
  if (std::isnan(real)) return real;
  const double scale = tensor.scales.empty() ? 1.0 : double{tensor.scales[0]};
  return std::clamp(std::round(real / scale) + tensor.zero_point, LeastOf(tensor.type), MostOf(tensor.type));
}

Expected StoredAll(const CaseTensor& tensor, const Values& values, double steps, double relative) {
  Expected expected{values, steps};
  double largest = 1;
  for (double& value : expected.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    value = Stored(tensor, value);
  }
  if (tensor.type == TensorType::kFloat32) expected.tolerance = relative * largest;
  return expected;
}

double WithinType(TensorType type, double value) { return std::clamp(value, LeastOf(type), MostOf(type)); }

Expected ToTheBit(Values stored) { return {std::move(stored), 0, true}; }

Expected Exactly(Values stored) { return ToTheBit(std::move(stored)); }

Expected ElementByElement(const OperatorCase& subject, double (*function)(double), double steps, double relative) {
  Values values = RealValues(subject.inputs[0]);
  for (double& value : values) value = function(value);
  return StoredAll(subject.output, values, steps, relative);
}

}  // namespace arenaproof::props
