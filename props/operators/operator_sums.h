// Which elements of the operands go into which element of the output: one loop nest for each operator, over values of
// any kind (real ones, or integers less their zero points), no code shared with the kernels. No activation, no
// rescaling.
#pragma once

#include <vector>

#include "props/operators/case_elements.h"

namespace arenaproof::props {

// Sums of products, plus the bias unless it is omitted.
Values Convolution(const OperatorCase& k, const std::vector<Values>& operands, bool omit_bias);
Values FullyConnected(const OperatorCase& k, const std::vector<Values>& operands, bool omit_bias);
// Averages over the taps inside the image, or the largest of them.
Values Pool(const OperatorCase& k, const Values& input);
Values Pad(const OperatorCase& k, const Values& input, double fill);
Values Concatenation(const OperatorCase& k, const std::vector<Values>& inputs);
// Sums over the axes of MEAN; `element_count` of them go into each.
Values SumsOverAxes(const OperatorCase& k, const Values& input, double* element_count);

// combine(a, b) of each pair of elements that broadcasting brings together.
template <typename Combine>
Values Broadcast(const OperatorCase& k, const Values& first, const Values& second, Combine combine) {
  const auto value_at = [](const CaseTensor& tensor, const Values& values, std::vector<std::int32_t> p) {
    p.erase(p.begin(), p.end() - static_cast<std::ptrdiff_t>(tensor.shape.size()));
    for (std::size_t axis = 0; axis < p.size(); ++axis) p[axis] = tensor.shape[axis] == 1 ? 0 : p[axis];
    return values[At(tensor.shape, p)];
  };
  Values result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto p = PositionOf(k.output.shape, i);
    result[i] = combine(value_at(k.inputs[0], first, p), value_at(k.inputs[1], second, p));
  }
  return result;
}

// The fused activation that the options name; none when they have none.
Activation FusedActivation(const OperatorCase& k);

}  // namespace arenaproof::props
