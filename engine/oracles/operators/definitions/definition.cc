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

Expected Exactly(Values stored) { return {std::move(stored), 0, true}; }

Expected ElementByElement(const OperatorCase& subject, double (*function)(double), double steps, double relative) {
  Values values = RealValues(subject.inputs[0]);
  for (double& value : values) value = function(value);
  return StoredAll(subject.output, values, steps, relative);
}

}  // namespace arenaproof::props
