#include "engine/oracles/operators/definitions/arithmetic_outputs.h"
#include "engine/oracles/operators/exact_arithmetic.h"
#include "engine/oracles/operators/operator_sums.h"

namespace arenaproof::props {
namespace {

// combine(a, b) of the elements as they are stored.
template <typename Combine>
Outputs OfStored(const OperatorCase& k, Combine combine) {
  return {Exactly(Broadcast(k, StoredValues(k.inputs[0]), StoredValues(k.inputs[1]), combine))};
}

}  // namespace

// The second one where they are equal, or one is no number.
Outputs ExtremumOutputs(const OperatorCase& k) {
  if (k.code == BuiltinOperator::kMaximum) return OfStored(k, [](double a, double b) { return a > b ? a : b; });
  return OfStored(k, [](double a, double b) { return a < b ? a : b; });
}

Outputs ComparisonOutputs(const OperatorCase& k) {
  if (k.inputs[0].type == TensorType::kInt8) return {Exactly(ExactComparison(k))};
  // Of a bool every byte but 0 is true.
  const bool truths = k.inputs[0].type == TensorType::kBool;
  return OfStored(k, [&](double a, double b) {
    return truths ? Compared(k.code, a != 0 ? 1 : 0, b != 0 ? 1 : 0) : Compared(k.code, a, b);
  });
}

Outputs LogicalOutputs(const OperatorCase& k) {
  const bool both = k.code == BuiltinOperator::kLogicalAnd;
  return OfStored(k, [&](double a, double b) {
    const int truths = (a != 0 ? 1 : 0) + (b != 0 ? 1 : 0);
    return truths >= (both ? 2 : 1) ? 1.0 : 0.0;
  });
}

Outputs SelectOutputs(const OperatorCase& k) {
  std::vector<Values> operands;
  for (const CaseTensor& input : k.inputs) operands.push_back(StoredValues(input));
  Values selected(k.output.count());
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const auto at = [&](std::size_t operand) {
      return operands[operand][BroadcastIndex(k.inputs[operand], k.output, i)];
    };
    selected[i] = at(at(0) != 0 ? 1 : 2);
  }
  return {Exactly(selected)};
}

}  // namespace arenaproof::props
