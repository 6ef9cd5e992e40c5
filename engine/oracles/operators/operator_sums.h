// Which elements of the operands go into which element of the output, and in which order: one loop nest for each
// operator, over values of any kind (real ones, integers less their zero points, floats rounded after each operation),
// no code shared with the kernels. No activation, no rescaling.
#pragma once

#include <vector>

#include "engine/oracles/operators/case_elements.h"

namespace arenaproof::props {

// `Number` is double or float; made for both.
template <typename Number>
using Numbers = std::vector<Number>;

// Sums of products, which begin with 0, plus the bias unless it is omitted.
template <typename Number>
Numbers<Number> Convolution(const OperatorCase& k, const std::vector<Numbers<Number>>& operands, bool omit_bias);
template <typename Number>
Numbers<Number> FullyConnected(const OperatorCase& k, const std::vector<Numbers<Number>>& operands, bool omit_bias);
// Each input element spread over the window of the output that lies at its place; operands as the operator lists them.
template <typename Number>
Numbers<Number> TransposeConvolution(const OperatorCase& k, const std::vector<Numbers<Number>>& operands,
                                     bool omit_bias);
template <typename Number>
Numbers<Number> BatchMatMul(const OperatorCase& k, const std::vector<Numbers<Number>>& operands);
// Averages over the taps inside the image, or the largest of them.
template <typename Number>
Numbers<Number> Pool(const OperatorCase& k, const Numbers<Number>& input);
template <typename Number>
Numbers<Number> Pad(const OperatorCase& k, const Numbers<Number>& input, Number fill);
template <typename Number>
Numbers<Number> Concatenation(const OperatorCase& k, const std::vector<Numbers<Number>>& inputs);
// The output that each element of the first input belongs to, when the axes of the second are reduced.
std::vector<std::size_t> ReducedPlaces(const OperatorCase& k);
// Sums over these axes; `element_count` of them go into each.
template <typename Number>
Numbers<Number> SumsOverAxes(const OperatorCase& k, const Numbers<Number>& input, Number* element_count);

// Index of the operand's element that broadcasting brings to the output's element `index`. One element goes everywhere.
std::size_t BroadcastIndex(const CaseTensor& operand, const CaseTensor& output, std::size_t index);

// combine(a, b) of each pair of elements that broadcasting brings together.
template <typename Number, typename Combine>
Numbers<Number> Broadcast(const OperatorCase& k, const Numbers<Number>& first, const Numbers<Number>& second,
                          Combine combine) {
  Numbers<Number> result(k.output.count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] =
        combine(first[BroadcastIndex(k.inputs[0], k.output, i)], second[BroadcastIndex(k.inputs[1], k.output, i)]);
  }
  return result;
}

// 1 when the comparison that the operator makes is true, else 0.
double Compared(BuiltinOperator code, double a, double b);

// The fused activation that the options name; none when they have none.
Activation FusedActivation(const OperatorCase& k);

}  // namespace arenaproof::props
