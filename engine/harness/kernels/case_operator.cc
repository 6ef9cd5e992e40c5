#include "engine/harness/kernels/case_operator.h"

namespace arenaproof::testing {
namespace {

TestTensor TensorOf(const CaseTensor& tensor) {
  TestTensor made = Tensor(tensor.type, tensor.shape);
  if (!tensor.bytes.empty()) made.bytes = tensor.bytes;
  made.scales = tensor.scales;
  made.zero_points.assign(tensor.channel_zero_points.begin(), tensor.channel_zero_points.end());
  if (made.zero_points.empty()) made.zero_points.assign(tensor.scales.size(), tensor.zero_point);
  made.quantized_dimension = tensor.dimension;
  made.constant = tensor.constant;
  made.variable = tensor.variable;
  made.present = tensor.present;
  return made;
}

}  // namespace

TestOperator OperatorOf(const OperatorCase& subject, bool omit_last_input) {
  TestOperator made{subject.code, subject.options, {}, {}};
  for (std::size_t i = 0; i < subject.output_count(); ++i) made.outputs.push_back(TensorOf(subject.output_at(i)));
  for (const CaseTensor& input : subject.inputs) made.inputs.push_back(TensorOf(input));
  if (omit_last_input) made.inputs.back() = Absent();
  return made;
}

}  // namespace arenaproof::testing
